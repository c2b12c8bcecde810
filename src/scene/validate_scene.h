#pragma once

#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/scene/scene.h"

namespace slipstick {

// Everything that is wrong with a scene, however it was made: names, references, ranges, joints that form no tree.
// Keys are those of a scene file, as in bodies.wheel.mass; what has no name goes by its number. Empty where the scene
// can be compiled. Which laws, solvers and settings there are is not known here (simulation/prepare.cpp).
std::vector<Fault> Validate(const Scene& scene);

}  // namespace slipstick
