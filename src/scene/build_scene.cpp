#include "slipstick/scene/build_scene.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "slipstick/base/direction.h"
#include "slipstick/base/random_source.h"
#include "slipstick/geometry/random_stone.h"
#include "slipstick/scene/shape_mass.h"
#include "slipstick/scene/validate_parts.h"

namespace slipstick {
namespace {

SceneShape ShapeOf(ShapeGeometry geometry, const Pose& pose) {
  SceneShape shape;
  shape.geometry = std::move(geometry);
  shape.pose = pose;
  return shape;
}

}  // namespace

SceneShape PlaneShape(const Pose& pose) { return ShapeOf(Plane{}, pose); }
SceneShape SphereShape(double radius, const Pose& pose) { return ShapeOf(Sphere{radius}, pose); }
SceneShape BoxShape(const Vec3& size, const Pose& pose) { return ShapeOf(Box{0.5 * size}, pose); }
SceneShape CapsuleShape(double radius, double length, const Pose& pose) {
  return ShapeOf(Capsule{radius, 0.5 * length}, pose);
}
SceneShape CylinderShape(double radius, double length, const Pose& pose) {
  return ShapeOf(Cylinder{radius, 0.5 * length}, pose);
}
SceneShape DiskShape(double radius, const Pose& pose) { return ShapeOf(Disk{radius}, pose); }

SceneShape HullShape(const std::vector<Vec3>& points, const Pose& pose) {
  const ConvexHull hull = MakeConvexHull(points);
  if (hull.polyhedron == nullptr)
    throw InputError(
        {{"", 0, "points", "a list of points: " + hull.fault, fmt::format("a list of {}", points.size())}});
  return ShapeOf(Hull{hull.polyhedron}, pose);
}

SceneShape StoneShape(const StonePlan& plan, std::uint64_t seed) {
  internal::Findings findings;
  internal::CheckStone(internal::Key("stone"), plan, &findings);
  if (findings.count() > 0) throw InputError(findings.Take());
  SceneShape shape;
  shape.stone = plan;
  internal::RandomSource random(seed);
  shape.geometry = Hull{internal::RandomStone(plan.half_axes, plan.points, &random)};
  return shape;
}

Pose PoseAt(const Vec3& position) { return {Quat::Identity(), position}; }

Pose PoseAt(const Vec3& position, const Vec3& axis, double angle) {
  return {Quat(Eigen::AngleAxisd(angle, internal::UnitAlong(axis))), position};
}

SceneBody BodyOfMass(const std::string& name, double mass, std::vector<SceneShape> shapes) {
  SceneBody body;
  body.name = name;
  body.mass = mass;
  body.shapes = std::move(shapes);
  internal::SpreadMass(&body);
  return body;
}

SceneBody BodyOfDensity(const std::string& name, double density, std::vector<SceneShape> shapes) {
  SceneBody body;
  body.name = name;
  body.shapes = std::move(shapes);
  internal::SpreadDensity(density, &body);
  return body;
}

SceneJoint JointOf(const std::string& name, JointType type, const std::string& parent, const std::string& child,
                   const Vec3& axis) {
  SceneJoint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  SceneJointLink link;
  link.name = name;
  link.type = type;
  link.axis = internal::UnitAlong(axis);
  joint.links.push_back(std::move(link));
  return joint;
}

TimeFunction Formula(const std::string& text) {
  std::string problem;
  const std::optional<TimeFunction> function = TimeFunction::Parse(text, &problem);
  if (!function)
    throw InputError({{"", 0, "formula", fmt::format("a formula of t ({})", problem), fmt::format("'{}'", text)}});
  return *function;
}

void AddGroup(const BodyGroupPlan& plan, Scene* scene) {
  if (const std::vector<Fault> faults = Validate(plan); !faults.empty()) throw InputError(faults);
  BodyGroup made = MakeGroup(plan, scene->gravity);
  if (!made.complete) throw InputError({NoRoomFor(plan, made)});
  scene->groups.push_back(
      {plan.prototype.name, static_cast<int>(scene->bodies.size()), static_cast<int>(made.bodies.size())});
  std::move(made.bodies.begin(), made.bodies.end(), std::back_inserter(scene->bodies));
}

}  // namespace slipstick
