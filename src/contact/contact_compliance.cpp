#include "slipstick/contact/contact_compliance.h"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

// A contact that is about to close has no stiffness yet after Hertz; it is given that of this overlap, in radii.
constexpr double kLeastOverlap = 1e-9;

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

ContactCompliance ComputeCompliance(const PairProperties& pair, const ShapeGeometry& shape_a,
                                    const ShapeGeometry& shape_b, double overlap_of_free_step,
                                    const ContactHistory& history, double h) {
  ContactCompliance compliance;
  double normal = 1.0 / pair.normal_stiffness, tangential = 1.0 / pair.tangential_stiffness;  // [m/N]
  if (std::isfinite(pair.contact_modulus)) {
    // Hertz: λN = 4/3 E* √R δ^(3/2), a = √(Rδ), ∂λN/∂δ = 2 E* a; its tangent meets λN = 0 at δ/3. Mindlin: 8 G* a.
    const double radius = ContactRadius(shape_a, shape_b);
    const double remembered = 3.0 * history.normal_force / (4.0 * pair.contact_modulus * std::sqrt(radius));
    const double overlap =
        std::max(remembered > 0 ? std::pow(remembered, 2.0 / 3.0) : overlap_of_free_step, kLeastOverlap * radius);
    const double patch = std::sqrt(radius * overlap);
    normal += 1.0 / (2.0 * pair.contact_modulus * patch);
    tangential += 1.0 / (8.0 * pair.shear_modulus * patch);
    compliance.relief = overlap / 3.0;
  }
  compliance.normal = normal / (h * h);
  compliance.tangential = tangential / (h * h);
  return compliance;
}

}  // namespace slipstick
