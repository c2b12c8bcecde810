#include "slipstick/assembly/contact_compliance.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// 1/R of a round surface, 0 of a flat one. Hertz's point contact stands for the line contacts of cylinders too.
double Curvature(const ShapeGeometry& geometry) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return 1.0 / sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&geometry)) return 1.0 / capsule->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return 1.0 / cylinder->radius;
  if (const auto* disk = std::get_if<Disk>(&geometry)) return 1.0 / disk->radius;
  return 0.0;
}

// Of two flat surfaces Hertz's law says nothing; the smallest half-extent of the two stands in.
double ContactRadius(const ShapeGeometry& a, const ShapeGeometry& b) {
  const double curvature = Curvature(a) + Curvature(b);
  return curvature > 0 ? 1.0 / curvature : std::min(SmallestHalfExtent(a), SmallestHalfExtent(b));
}

}  // namespace

ContactSurface SurfaceOf(const PairProperties& pair, double h) {
  ContactSurface surface{static_cast<const SurfaceProperties&>(pair)};
  surface.normal_compliance = 1.0 / (pair.normal_stiffness * h * h);
  surface.tangential_compliance = 1.0 / (pair.tangential_stiffness * h * h);
  return surface;
}

void SetHertz(const PairProperties& pair, const ShapeGeometry& shape_a, const ShapeGeometry& shape_b,
              ContactSurface* surface) {
  surface->hertz_stiffness = 4.0 / 3.0 * pair.contact_modulus * std::sqrt(ContactRadius(shape_a, shape_b));
  // 8 G* a over 4/3 E* a, a the radius of the patch
  surface->mindlin_ratio = 6.0 * pair.shear_modulus / pair.contact_modulus;
}

}  // namespace slipstick::internal
