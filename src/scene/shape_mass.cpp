#include "slipstick/scene/shape_mass.h"

#include <cmath>

namespace slipstick::internal {

MassProperties ShapesAtDensityOne(const std::vector<SceneShape>& shapes) {
  std::vector<PosedMassProperties> parts;
  for (const SceneShape& shape : shapes)
    if (const auto properties = UniformMassProperties(shape.geometry, 1)) parts.push_back({*properties, shape.pose});
  return Combine(parts);
}

void SpreadMass(SceneBody* body, bool keeps_com) {
  if (!HasUniformMass(body->shapes)) return;
  const MassProperties unit = ShapesAtDensityOne(body->shapes);
  // of a mass that is wrong itself the inertia is not worth a fault of its own
  const bool mass_is_right = std::isfinite(body->mass) && body->mass > 0;
  const double scale = (mass_is_right ? body->mass : 1) / unit.mass;
  if (mass_is_right) body->mass = scale * unit.mass;
  body->inertia = scale * unit.inertia;
  if (!keeps_com) body->com = unit.com;
}

void SpreadDensity(double density, SceneBody* body) {
  body->mass = 1;
  if (!HasUniformMass(body->shapes)) return;
  const MassProperties unit = ShapesAtDensityOne(body->shapes);
  body->mass = density * unit.mass;
  body->inertia = density * unit.inertia;
  body->com = unit.com;
}

bool HasUniformMass(const std::vector<SceneShape>& shapes) {
  const MassProperties unit = ShapesAtDensityOne(shapes);
  return unit.mass > 0 && IsPhysicalInertia(unit.inertia);
}

}  // namespace slipstick::internal
