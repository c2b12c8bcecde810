#include "slipstick/geometry/aabb.h"

#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Half the extent along each world axis of a shape that is symmetric about its origin. R holds the shape's axes.
struct HalfExtentsOf {
  const Mat3& R;

  // A circle of radius r about the unit vector z reaches r √(1 − zᵢ²) along world axis i.
  Vec3 Circle(double radius) const { return radius * (1.0 - R.col(2).array().square()).max(0.0).sqrt().matrix(); }
  Vec3 Line(double half_length) const { return half_length * R.col(2).cwiseAbs(); }

  Vec3 operator()(const Plane&) const { return Vec3::Constant(std::numeric_limits<double>::infinity()); }
  Vec3 operator()(const Sphere& sphere) const { return Vec3::Constant(sphere.radius); }
  Vec3 operator()(const Box& box) const { return R.cwiseAbs() * box.half_extents; }
  Vec3 operator()(const Capsule& capsule) const { return Line(capsule.half_length) + Vec3::Constant(capsule.radius); }
  Vec3 operator()(const Cylinder& cylinder) const { return Line(cylinder.half_length) + Circle(cylinder.radius); }
  Vec3 operator()(const Disk& disk) const { return Circle(disk.radius); }
  Vec3 operator()(const Hull&) const { return Vec3::Zero(); }  // not symmetric: see CornersBox
};

Aabb CornersBox(const std::vector<Vec3>& corners, const Mat3& R, const Vec3& position) {
  Aabb box{Vec3::Constant(std::numeric_limits<double>::infinity()),
           Vec3::Constant(-std::numeric_limits<double>::infinity())};
  for (const Vec3& corner : corners) {
    const Vec3 p = position + R * corner;
    box.least = box.least.cwiseMin(p);
    box.most = box.most.cwiseMax(p);
  }
  return box;
}

}  // namespace

Aabb BoundingBox(const ShapeGeometry& geometry, const Pose& X_WS) {
  const Mat3 R = X_WS.rotation.toRotationMatrix();
  if (const Hull* hull = std::get_if<Hull>(&geometry)) {
    return CornersBox(hull->polyhedron->corners, R, X_WS.position);
  }
  const Vec3 half = std::visit(HalfExtentsOf{R}, geometry);
  Aabb box{X_WS.position - half, X_WS.position + half};
  if (std::holds_alternative<Plane>(geometry)) {
    const Vec3 normal = R.col(2);
    for (int i = 0; i < 3; ++i) {
      if (normal((i + 1) % 3) != 0 || normal((i + 2) % 3) != 0) continue;
      (normal(i) > 0 ? box.most(i) : box.least(i)) = X_WS.position(i);
    }
  }
  return box;
}

}  // namespace slipstick::internal
