#include "slipstick/collision/collide_plane.h"

#include "slipstick/collision/rim.h"

namespace slipstick::internal {
namespace {

struct PlaneAgainst {
  Vec3 up;  // the plane's outward normal
  Vec3 origin;
  Mat3 R;  // axes of the other shape
  Vec3 center;
  double margin;
  std::vector<LocalContact>* out;

  double Height(const Vec3& p) const { return up.dot(p - origin); }

  void Emit(const Vec3& p, int feature) const {
    const double gap = Height(p);
    if (gap <= margin) out->push_back({-up, p - gap * up, p, gap, FeatureId(0, feature)});
  }

  // Lowest point of a rim and, where it is flat, its quarter turns.
  void EmitRim(const Vec3& rim_center, double radius, int end, bool may_be_flat) const {
    const Vec3 axis = R.col(2);
    const RimDirection lowest = FurthestOnRim(axis, R.col(0), -up);
    const int count = may_be_flat && lowest.sine <= kFlatSine ? 4 : 1;
    for (int k = 0; k < count; ++k) {
      Emit(rim_center + radius * QuarterTurns(axis, lowest.towards, k), kFirstRimPoint + 4 * end + k);
    }
  }

  void operator()(const Plane&) const {}

  void operator()(const Sphere& sphere) const {
    LocalContact contact;
    if (CollidePlaneSphere(up, origin, center, sphere.radius, margin, &contact)) out->push_back(contact);
  }

  void operator()(const Box& box) const {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      Emit(center + R * sign.cwiseProduct(box.half_extents), kFirstCorner + corner);
    }
  }

  void operator()(const Capsule& capsule) const {
    for (int end = 0; end < 2; ++end) {
      const double z = end == 0 ? -capsule.half_length : capsule.half_length;
      Emit(center + z * R.col(2) - capsule.radius * up, kFirstLineEnd + end);
    }
  }

  void operator()(const Cylinder& cylinder) const {
    const int lower_end = up.dot(R.col(2)) > 0 ? 0 : 1;
    for (int end = 0; end < 2; ++end) {
      const double z = end == 0 ? -cylinder.half_length : cylinder.half_length;
      EmitRim(center + z * R.col(2), cylinder.radius, end, end == lower_end);
    }
  }

  void operator()(const Disk& disk) const { EmitRim(center, disk.radius, 0, true); }

  void operator()(const Hull& hull) const {
    int feature = kFirstHullCorner;
    for (const Vec3& corner : hull.polyhedron->corners) Emit(center + R * corner, feature++);
  }
};

}  // namespace

void CollidePlane(const Pose& X_WP, const ShapeGeometry& b, const Pose& X_WB, double margin,
                  std::vector<LocalContact>* out) {
  const PlaneAgainst against{
      X_WP.rotation * Vec3::UnitZ(), X_WP.position, X_WB.rotation.toRotationMatrix(), X_WB.position, margin, out};
  std::visit(against, b);
}

}  // namespace slipstick::internal
