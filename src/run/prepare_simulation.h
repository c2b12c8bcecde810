#pragma once

#include "slipstick/scene/scene.h"
#include "slipstick/stepping/simulation.h"

namespace slipstick::internal {

// Compiles the scene and checks law, solver, stepper and certificate settings. Throws one InputError with all faults,
// each with its file and line.
Simulation PrepareSimulation(const Scene& scene);

}  // namespace slipstick::internal
