#include "slipstick/collision/convex_core.h"

#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

struct FillCore {
  double unit;
  ConvexCore* core;

  void operator()(const Plane&) const { FailCheck("shape is bounded", __FILE__, __LINE__, "plane"); }
  void operator()(const Sphere&) const { FailCheck("shape has a core", __FILE__, __LINE__, "sphere"); }
  void operator()(const Box& box) const {
    core->kind = ConvexCore::Kind::kBox;
    core->half_extents = box.half_extents / unit;
  }
  void operator()(const Capsule& capsule) const {
    core->kind = ConvexCore::Kind::kSegment;
    core->half_length = capsule.half_length / unit;
    core->rounding = capsule.radius / unit;
  }
  void operator()(const Cylinder& cylinder) const {
    core->kind = ConvexCore::Kind::kCylinder;
    core->half_length = cylinder.half_length / unit;
    core->radius = cylinder.radius / unit;
  }
  void operator()(const Disk& disk) const {
    core->kind = ConvexCore::Kind::kDisk;
    core->radius = disk.radius / unit;
  }
  void operator()(const Hull& hull) const {
    core->kind = ConvexCore::Kind::kHull;
    core->polyhedron = hull.polyhedron.get();
    core->center += core->axes * hull.polyhedron->center / unit;
    core->half_extents = Vec3::Constant(1 / unit);
  }
};

// The corner of a hull that is furthest along a direction in its own frame.
int FurthestCorner(const Polyhedron& polyhedron, const Vec3& local) {
  const double* corner = polyhedron.centred.data();
  const int count = static_cast<int>(polyhedron.centred.cols());
  int furthest = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i, corner += 3) {
    const double along = local.x() * corner[0] + local.y() * corner[1] + local.z() * corner[2];
    if (along > most) {
      most = along;
      furthest = i;
    }
  }
  return furthest;
}

}  // namespace

double CoreRadius(const ShapeGeometry& geometry) {
  if (const Hull* hull = std::get_if<Hull>(&geometry)) return hull->polyhedron->outer_radius;
  return BoundingRadius(geometry);
}

ConvexCore MakeCore(const ShapeGeometry& geometry, const Pose& pose, const Vec3& origin, double unit) {
  ConvexCore core;
  core.axes = pose.rotation.toRotationMatrix();
  core.center = (pose.position - origin) / unit;
  std::visit(FillCore{unit, &core}, geometry);
  return core;
}

Vec3 SupportFromCenter(const ConvexCore& core, const Vec3& n) {
  const Vec3 local = core.axes.transpose() * n;
  if (core.kind == ConvexCore::Kind::kBox) {
    const Vec3& half = core.half_extents;
    return core.axes * Vec3(std::copysign(half.x(), local.x()), std::copysign(half.y(), local.y()),
                            std::copysign(half.z(), local.z()));
  }
  if (core.hull()) {
    const int corner = FurthestCorner(*core.polyhedron, local);
    return core.axes * (core.half_extents.x() * core.polyhedron->centred.col(corner));
  }
  Vec3 support = std::copysign(core.half_length, local.z()) * core.axes.col(2);
  if (core.curved()) {
    const double sine = std::hypot(local.x(), local.y());
    const Vec2 towards = sine > 0 ? Vec2(local.x() / sine, local.y() / sine) : Vec2(1, 0);
    support += core.radius * (towards.x() * core.axes.col(0) + towards.y() * core.axes.col(1));
  }
  return support;
}

double HalfWidth(const ConvexCore& core, const Vec3& n) {
  const Vec3 local = core.axes.transpose() * n;
  if (core.kind == ConvexCore::Kind::kBox) return local.cwiseAbs().dot(core.half_extents);
  if (core.hull()) {
    const int corner = FurthestCorner(*core.polyhedron, local);
    return core.half_extents.x() * local.dot(core.polyhedron->centred.col(corner));
  }
  return core.half_length * std::abs(local.z()) + core.radius * std::hypot(local.x(), local.y());
}

}  // namespace slipstick::internal
