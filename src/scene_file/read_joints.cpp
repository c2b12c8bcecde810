#include <cmath>
#include <map>
#include <optional>

#include "slipstick/scene/validate_parts.h"
#include "slipstick/scene_file/joint_words.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// Takes off what rounding in the file left.
void Straighten(SceneJointLink* link) {
  const double cosine = link->axis.dot(link->second_axis);
  if (link->type == JointType::kUniversal && std::abs(cosine) <= 1e-6)
    link->second_axis = (link->second_axis - cosine * link->axis).normalized();
  const bool has_quaternion = CoordinateCount(link->type) != VelocityCount(link->type);
  if (!has_quaternion || static_cast<int>(link->position.size()) != CoordinateCount(link->type)) return;
  std::vector<double>& q = link->position;
  const std::optional<Quat> unit = NearUnit(Quat(q[0], q[1], q[2], q[3]));
  if (unit) q[0] = unit->w(), q[1] = unit->x(), q[2] = unit->y(), q[3] = unit->z();
}

SceneJointLink ReadLink(const Place& item, DocumentReader* reader) {
  SceneJointLink link;
  const auto type = item.Child("type");
  const std::optional<JointType> known = type && type->node->is_text() ? JointTypeOf(type->node->text) : std::nullopt;
  if (!known) return link;  // the schema's fault
  link.type = *known;
  if (const auto axis = item.Child("axis")) link.axis = reader->Direction(*axis);
  if (const auto second = item.Child("second_axis")) link.second_axis = reader->Direction(*second);
  if (const auto position = item.Child("position")) link.position = reader->Values(*position);
  if (const auto velocity = item.Child("velocity")) link.velocity = reader->Values(*velocity);
  Straighten(&link);
  link.friction = reader->Value(item, "friction");
  if (const auto at_rest = item.Child("static_friction")) link.static_friction = reader->Value(*at_rest);
  link.viscous_friction = reader->Value(item, "viscous_friction");
  if (const auto limits = item.Child("limits")) {
    const std::vector<double> ends = reader->Values(*limits);
    if (ends.size() == 2) link.limits = {ends[0], ends[1]};
  }
  if (const auto bearing = item.Child("bearing")) link.bearing = ReadBearing(*bearing, link.type, reader);
  if (const auto effort = item.Child("effort_limit")) link.effort_limit = reader->Value(*effort);
  return link;
}

SceneJoint ReadJoint(const Place& item, const std::string& name, const std::string& key, DocumentReader* reader) {
  SceneJoint joint;
  joint.name = name;
  if (const auto parent = item.Child("parent")) joint.parent = reader->Text(*parent);
  if (const auto child = item.Child("child")) joint.child = reader->Text(*child);
  if (const auto frame = item.Child("parent_frame")) joint.parent_frame = reader->Frame(*frame);
  if (const auto frame = item.Child("child_frame")) joint.child_frame = reader->Frame(*frame);
  const auto chain = item.Child("chain");
  if (!chain) {
    joint.links.push_back(ReadLink(item, reader));
    joint.links.back().name = name;
    return joint;
  }
  const std::vector<Place> links = chain->Items();
  for (const Place& place : links) {
    SceneJointLink link = ReadLink(place, reader);
    link.name = ReadName(place);
    KeyOf(JoinPath(key, "chain"), link.name, joint.links.size(), place, reader);
    joint.links.push_back(std::move(link));
  }
  // a chain of one link without a name is no chain to those that know the scene alone
  if (links.size() == 1 && (joint.links[0].name.empty() || joint.links[0].name == name)) {
    for (const std::string& word : links[0].node->keys)
      reader->Alias(JoinPath(key, word), JoinPath(links[0].path, word));
  }
  return joint;
}

// Bodies that a joint moves take their place from it: keys that would give them another.
void CheckPlacedOnce(const Place& document, const Scene& scene, DocumentReader* reader) {
  std::map<std::string, std::string> joint_of;  // child → joint
  for (const SceneJoint& joint : scene.joints) joint_of.emplace(joint.child, joint.name);
  const auto bodies = document.Child("bodies");
  if (!bodies) return;
  for (const Place& item : bodies->Items()) {
    const auto joint = joint_of.find(ReadName(item));
    if (joint == joint_of.end() || joint->first.empty()) continue;
    for (const char* key : {"position", "rotation", "velocity", "angular_velocity", "release"})
      if (const auto place = item.Child(key)) reader->Fail(*place, PlacedByJoint(joint->second));
  }
}

}  // namespace

void ReadJoints(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("joints");
  if (!list) return;
  for (const Place& item : list->Items()) {
    if (!item.node->is_map()) continue;  // the schema's fault
    const std::string name = ReadName(item);
    const std::string key = KeyOf("joints", name, scene->joints.size(), item, reader);
    scene->joints.push_back(ReadJoint(item, name, key, reader));
  }
  CheckPlacedOnce(document, *scene, reader);
}

}  // namespace slipstick::internal
