#pragma once

#include <vector>

#include "slipstick/base/number_rule.h"
#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Of the shapes together at density 1; the mass is 0 where none has a volume or area.
MassProperties ShapesAtDensityOne(const std::vector<SceneShape>& shapes);

// Whether mass and inertia of a body can be had from its shapes.
bool HasUniformMass(const std::vector<SceneShape>& shapes);

inline NumberRule DensityRule() { return AboveZero("kg/m³"); }

}  // namespace slipstick::internal
