#include "slipstick/model/model.h"

#include <algorithm>

namespace slipstick::internal {

void ModelBody::SetFrames(const Pose& in_parent, const Pose& body_in_moving) {
  X_PF = in_parent;
  X_MB = body_in_moving;
  axis_P = X_PF.rotation * axis;
  arm_B = X_MB.rotation.conjugate() * X_MB.position;
  turned_in_parent = X_PF.rotation.w() != 1;
  turned_on_body = X_MB.rotation.w() != 1;
}
namespace {

const std::vector<std::string>& Suffixes(JointType type, bool velocity) {
  static const std::vector<std::string> none = {""}, planar = {".x", ".y", ".angle"}, two = {".first", ".second"},
                                        cylindrical = {".angle", ".slide"}, quaternion = {".qw", ".qx", ".qy", ".qz"},
                                        free = {".qw", ".qx", ".qy", ".qz", ".x", ".y", ".z"},
                                        turn = {".wx", ".wy", ".wz"},
                                        twist = {".wx", ".wy", ".wz", ".vx", ".vy", ".vz"};
  switch (type) {
    case JointType::kFree:
      return velocity ? twist : free;
    case JointType::kSpherical:
      return velocity ? turn : quaternion;
    case JointType::kPlanar:
      return planar;
    case JointType::kUniversal:
      return two;
    case JointType::kCylindrical:
      return cylindrical;
    default:
      return none;
  }
}

std::vector<std::string> Names(const Model& model, bool velocity) {
  std::vector<std::string> names;
  for (const ModelBody& body : model.bodies) {
    const int count = velocity ? body.v_count : body.q_count;
    for (int i = 0; i < count; ++i) names.push_back(body.joint_name + Suffixes(body.joint, velocity)[i]);
  }
  return names;
}

}  // namespace

std::span<const LoneBody> Model::LoneBodies(int released) const {
  const auto first_waiting =
      std::partition_point(lone_bodies.begin(), lone_bodies.end(),
                           [released](const LoneBody& body) { return body.release_number < released; });
  return {lone_bodies.begin(), first_waiting};
}

bool Model::MayTouch(int shape_a, int shape_b) const {
  const ModelShape &a = shapes[shape_a], &b = shapes[shape_b];
  if (!a.collides || !b.collides) return false;
  const int group_a = GroupOf(a.body), group_b = GroupOf(b.body);
  if (group_a == group_b) return false;
  // what is joined to the world may still touch the ground
  if (group_a != kWorld && group_b != kWorld &&
      (GroupOf(bodies[group_a].joined_to) == group_b || GroupOf(bodies[group_b].joined_to) == group_a)) {
    return false;
  }
  const std::pair<int, int> pair = std::minmax(shape_a, shape_b);
  return !std::binary_search(excluded_shape_pairs.begin(), excluded_shape_pairs.end(), pair);
}

std::vector<std::string> Model::CoordinateNames() const { return Names(*this, false); }
std::vector<std::string> Model::VelocityNames() const { return Names(*this, true); }

}  // namespace slipstick::internal
