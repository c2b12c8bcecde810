#pragma once

#include <vector>

#include "slipstick/base/number_rule.h"
#include "slipstick/geometry/mass_properties.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Of the shapes together at density 1; the mass is 0 where none has a volume or area.
MassProperties ShapesAtDensityOne(const std::vector<SceneShape>& shapes);

// Gives a body the centre and inertia that it has when its mass is spread evenly over its shapes, or mass, centre and
// inertia by a density above 0. A centre that is given stays. What shapes without volume do not yield stays 0; their
// mass at a density is 1 then, so that the inertia alone is missing.
void SpreadMass(SceneBody* body, bool keeps_com = false);
void SpreadDensity(double density, SceneBody* body);

// Whether mass and inertia of a body can be had from its shapes.
bool HasUniformMass(const std::vector<SceneShape>& shapes);

inline NumberRule DensityRule() { return AboveZero("kg/m³"); }

// Whether each body of a group of such bodies gets shapes of its own.
bool HasStones(const SceneBody& body);

// Radius about the body's origin that holds all its shapes.
double ReachOf(const std::vector<SceneShape>& shapes);

}  // namespace slipstick::internal
