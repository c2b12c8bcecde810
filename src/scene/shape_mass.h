#pragma once

#include <vector>

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Of the shapes together at density 1; the mass is 0 where none has a volume or area.
MassProperties ShapesAtDensityOne(const std::vector<SceneShape>& shapes);

}  // namespace slipstick::internal
