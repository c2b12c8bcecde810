#include "slipstick/collision/collide_capsule.h"

#include <algorithm>

#include "slipstick/collision/line_contacts.h"

namespace slipstick::internal {
namespace {

ThickLine LineOf(const Capsule& capsule, const Pose& pose) {
  const Vec3 reach = pose.rotation * Vec3(0, 0, capsule.half_length);
  return {pose.position - reach, pose.position + reach, capsule.radius, {kFirstLineEnd, kFirstLineEnd + 1}};
}

}  // namespace

void CollideCapsules(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, double margin,
                     std::vector<LocalContact>* out) {
  const ThickLine line_a = LineOf(a, X_WA);
  const ThickLine line_b = LineOf(b, X_WB);
  // where the axes meet any direction across them will do, as long as it is towards A's centre
  Vec3 across = X_WA.rotation * Vec3::UnitX();
  if (across.dot(X_WA.position - X_WB.position) < 0) across = -across;
  const LineContact closest = ClosestOfLines(line_a, line_b, across);
  if (!(closest.gap <= margin)) return;
  const auto emit = [&](const LineContact& contact) {
    const Vec3 point_a = contact.on_a - a.radius * contact.normal;
    out->push_back({contact.normal, point_a, point_a - contact.gap * contact.normal, contact.gap,
                    FeatureId(contact.of_a, contact.of_b)});
  };
  const double radius = std::min(a.radius, b.radius);
  const LineContacts ends = EndsOfCommonStretch(line_a, line_b, closest.normal);
  bool side_by_side = ends.count == 2;
  for (int i = 0; i < ends.count; ++i) side_by_side &= ends.contacts[i].gap - closest.gap <= 2 * kFlatSine * radius;
  if (!side_by_side) return emit(closest);
  double least = ends.contacts[0].gap;
  for (int i = 0; i < ends.count; ++i) {
    if (ends.contacts[i].gap <= margin) emit(ends.contacts[i]);
    least = std::min(least, ends.contacts[i].gap);
  }
  if (closest.gap < least - 1e-9 * radius) emit(closest);
}

}  // namespace slipstick::internal
