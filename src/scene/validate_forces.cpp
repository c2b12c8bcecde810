#include <fmt/format.h>

#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

void CheckSpring(const Key& key, const SceneForce& given, const References& known, Findings* findings) {
  const Key between = key.Of("between"), points = key.Of("points");
  bool both_known = true;
  for (std::size_t end = 0; end < 2; ++end) {
    both_known = findings->Reference(between.Of(end), known.bodies_and_world, given.between[end]) && both_known;
    findings->Vector(points.Of(end), given.points[end]);
    known.released.Refuse(between, given.between[end], findings);
  }
  if (both_known && known.trees.RigidWhole(given.between[0]) == known.trees.RigidWhole(given.between[1]))
    findings->Add(between, "two bodies that can move against each other",
                  fmt::format("'{}' and '{}'", given.between[0], given.between[1]));
  findings->Number(key.Of("stiffness"), given.stiffness, AtLeastZero("N/m"));
  findings->Number(key.Of("damping"), given.damping, AtLeastZero("N s/m"));
  findings->Number(key.Of("length"), given.length, AtLeastZero("m"));
}

void CheckForce(const Key& key, const SceneForce& given, const References& known, Findings* findings) {
  const int kinds = (given.body.empty() ? 0 : 1) + (given.joint.empty() ? 0 : 1) + (given.is_spring() ? 1 : 0);
  if (kinds != 1) {
    findings->Add(key.Of("body"), "body, joint or between", kinds == 0 ? "nothing" : "more than one of them");
    return;
  }
  if (given.is_spring()) return CheckSpring(key, given, known, findings);
  if (!given.joint.empty()) {
    CheckCoordinate(key.Of("joint"), key.Of("coordinate"), known.joints, given.joint, given.coordinate, findings);
    findings->Function(key.Of("effort"), given.effort);
    return;
  }
  findings->Reference(key.Of("body"), known.bodies, given.body);
  findings->Vector(key.Of("point"), given.point);
  findings->Functions(key.Of("force"), given.force);
  findings->Functions(key.Of("torque"), given.torque);
}

void CheckDrive(const Key& key, const SceneDrive& given, const MovingJoints& joints, Findings* findings) {
  const Key joint_key = key.Of("joint");
  const auto* joint = CheckCoordinate(joint_key, key.Of("coordinate"), joints, given.joint, given.coordinate, findings);
  if (joint != nullptr && CoordinateCount(joint->type) != VelocityCount(joint->type))
    findings->Add(joint_key, "a joint without a quaternion", fmt::format("'{}'", given.joint));
  findings->Number(key.Of("stiffness"), given.stiffness, AtLeastZero("N/m or N m"));
  findings->Number(key.Of("damping"), given.damping, AtLeastZero("N s/m or N m s"));
  findings->Function(key.Of("position"), given.position);
  findings->Function(key.Of("velocity"), given.velocity);
  if (given.effort) findings->Number(key.Of("effort"), *given.effort, AtLeastZero("N or N m"));
}

}  // namespace

void CheckForces(const SceneToCheck& scene, Findings* findings) {
  const std::vector<SceneForce>& forces = scene.given.forces;
  if (forces.empty()) return;
  const References known(scene.named);
  NameCheck names("a force");
  const Key list("forces");
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const Key key = list.Item(forces[i].name, i);
    names.Optional(key, forces[i].name, findings);
    CheckForce(key, forces[i], known, findings);
  }
}

void CheckDrives(const SceneToCheck& scene, Findings* findings) {
  const std::vector<SceneDrive>& drives = scene.given.drives;
  if (drives.empty()) return;
  const MovingJoints joints = FindMovingJoints(scene.named);
  NameCheck names("a drive");
  const Key list("drives");
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Key key = list.Item(drives[i].name, i);
    names.Optional(key, drives[i].name, findings);
    CheckDrive(key, drives[i], joints, findings);
  }
}

}  // namespace slipstick::internal
