#include "slipstick/collision/narrow_phase.h"

#include "slipstick/base/check.h"
#include "slipstick/collision/collide_capsule.h"
#include "slipstick/collision/collide_convex.h"
#include "slipstick/collision/collide_plane.h"
#include "slipstick/collision/collide_sphere.h"

namespace slipstick::internal {
namespace {

// Which routine has the pair, the shapes in the order of ShapeGeometry's alternatives.
void CollideOrdered(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB, double margin,
                    std::vector<LocalContact>* out) {
  // planes, spheres, and the five shapes that have a convex core: every pair of what the variant holds
  static_assert(std::variant_size_v<ShapeGeometry> == 7);
  if (std::holds_alternative<Plane>(a)) return CollidePlane(X_WA, b, X_WB, margin, out);
  if (const Sphere* sphere = std::get_if<Sphere>(&a)) return CollideSphere(*sphere, X_WA, b, X_WB, margin, out);
  const Capsule* first = std::get_if<Capsule>(&a);
  const Capsule* second = std::get_if<Capsule>(&b);
  if (first && second) return CollideCapsules(*first, X_WA, *second, X_WB, margin, out);
  CollideConvex(a, X_WA, b, X_WB, margin, out);
}

bool IsFinite(const Pose& pose) { return pose.position.allFinite() && pose.rotation.coeffs().allFinite(); }

}  // namespace

void Collide(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB, double margin,
             std::vector<LocalContact>* out) {
  SLIPSTICK_CHECK(margin >= 0, "contacts are looked for at a distance of at least 0");
  // a state that has blown up is for the stepper to report; here it has no contacts that would spread it
  if (!IsFinite(X_WA) || !IsFinite(X_WB)) return;
  if (a.index() <= b.index()) return CollideOrdered(a, X_WA, b, X_WB, margin, out);
  const std::size_t first_new = out->size();
  CollideOrdered(b, X_WB, a, X_WA, margin, out);
  for (std::size_t i = first_new; i < out->size(); ++i) {
    LocalContact& contact = (*out)[i];
    contact.normal = -contact.normal;
    std::swap(contact.point_a, contact.point_b);
    std::swap(contact.part_a, contact.part_b);
    contact.feature = FeatureId(FeatureOfB(contact.feature), FeatureOfA(contact.feature));
  }
}

}  // namespace slipstick::internal
