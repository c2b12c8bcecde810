#include "slipstick/scene/shape_mass.h"

namespace slipstick::internal {

MassProperties ShapesAtDensityOne(const std::vector<SceneShape>& shapes) {
  std::vector<PosedMassProperties> parts;
  for (const SceneShape& shape : shapes)
    if (const auto properties = UniformMassProperties(shape.geometry, 1)) parts.push_back({*properties, shape.pose});
  return Combine(parts);
}

bool HasUniformMass(const std::vector<SceneShape>& shapes) {
  const MassProperties unit = ShapesAtDensityOne(shapes);
  return unit.mass > 0 && IsPhysicalInertia(unit.inertia);
}

}  // namespace slipstick::internal
