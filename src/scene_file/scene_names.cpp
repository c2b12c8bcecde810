#include <fmt/format.h>

#include <cmath>

#include "slipstick/base/nearest_name.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {

bool NameList::Add(const Place& item, DocumentReader* reader, std::string* name) {
  const auto place = item.Child("name");
  if (!place || !place->node->is_text()) return false;
  *name = place->node->text;
  if (!IsPlainName(*name)) {
    reader->Fail(*place, fmt::format("{} with a name that has a letter and neither '.' nor '='", kind_));
    return false;
  }
  if (*name == "world") {
    reader->Fail(*place, fmt::format("{} with another name: world is what does not move", kind_));
    return false;
  }
  if (!names_.insert(*name).second)
    reader->Fail(*place, fmt::format("{} with a name of its own", kind_), fmt::format("'{}' a second time", *name));
  return true;
}

std::string NameList::MakeUp(const std::string& base) {
  std::string name = base;
  for (int number = 2; !names_.insert(name).second; ++number) name = fmt::format("{}-{}", base, number);
  return name;
}

void KnownNames::Add(const std::string& name) {
  if (lookup_.insert(name).second) names_.push_back(name);
}

std::string KnownNames::Expected(const std::string& name) const { return OneOf(names_, name); }

std::string KnownNames::Read(const Place& place, DocumentReader* reader) const {
  const std::string name = reader->Text(place);
  if (!place.node->is_text() || Contains(name)) return name;
  reader->Fail(place, Expected(name));
  return "";
}

KnownNames MaterialNames(const Scene& scene) {
  KnownNames names;
  names.Add(scene.default_material.name);
  for (const SceneMaterial& material : scene.materials) names.Add(material.name);
  return names;
}

KnownNames BodyNames(const Scene& scene, bool with_world) {
  KnownNames names;
  if (with_world) names.Add("world");
  for (const SceneBody& body : scene.bodies) names.Add(body.name);
  return names;
}

KnownNames SingleBodyNames(const Scene& scene) {
  const std::size_t count = scene.groups.empty() ? scene.bodies.size() : scene.groups.front().first;
  KnownNames names;
  for (std::size_t i = 0; i < count; ++i) names.Add(scene.bodies[i].name);
  return names;
}

MovingJoints FindMovingJoints(const Scene& scene) {
  MovingJoints joints;
  const auto add = [&](const std::string& name, JointType type) {
    joints.names.Add(name);
    joints.types.emplace(name, type);
  };
  std::unordered_set<std::string> held;
  for (const SceneJoint& joint : scene.joints) {
    held.insert(joint.child);
    for (const SceneJointLink& link : joint.links)
      if (VelocityCount(link.type) > 0) add(link.name, link.type);
  }
  for (const SceneBody& body : scene.bodies)
    if (held.count(body.name) == 0) add(body.name, JointType::kFree);
  return joints;
}

std::optional<JointCoordinate> ReadJointCoordinate(const Place& map, const std::string& joint_key,
                                                   const std::string& index_key, const MovingJoints& joints,
                                                   DocumentReader* reader) {
  const auto place = map.Child(joint_key);
  if (!place) return std::nullopt;
  const std::string name = joints.names.Read(*place, reader);
  if (name.empty()) return std::nullopt;
  const JointType type = joints.types.at(name);
  JointCoordinate coordinate{name, 0, type};
  if (const auto index = map.Child(index_key)) {
    const int last = VelocityCount(type) - 1;
    const double number = reader->Number(*index);
    if (number != std::floor(number) || number < 0 || number > last)
      reader->Fail(*index, fmt::format("a whole number from 0 to {}, joint '{}' has {}", last, name, last + 1));
    else
      coordinate.index = static_cast<int>(number);
  }
  return coordinate;
}

}  // namespace slipstick::internal
