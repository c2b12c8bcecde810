#include "slipstick/scene/known_names.h"

#include <fmt/format.h>

#include "slipstick/base/nearest_name.h"

namespace slipstick::internal {

void KnownNames::Add(const std::string& name) {
  if (!name.empty() && lookup_.insert(name).second) names_.push_back(name);
}

std::string KnownNames::Expected(const std::string& name) const { return OneOf(names_, name); }

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
  std::vector<char> in_group(scene.bodies.size(), 0);
  for (const SceneGroup& group : scene.groups) {
    for (int i = 0; i < group.count; ++i) {
      const long index = static_cast<long>(group.first) + i;
      if (index >= 0 && index < static_cast<long>(in_group.size())) in_group[index] = 1;
    }
  }
  KnownNames names;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!in_group[i]) names.Add(scene.bodies[i].name);
  }
  return names;
}

MovingJoints FindMovingJoints(const Scene& scene) {
  MovingJoints moving;
  const auto add = [&](const std::string& name, JointType type, const std::string& body) {
    moving.names.Add(name);
    moving.joints.emplace(name, MovingJoints::Joint{type, body});
  };
  std::unordered_set<std::string> held;
  for (const SceneJoint& joint : scene.joints) {
    held.insert(joint.child);
    for (const SceneJointLink& link : joint.links)
      if (VelocityCount(link.type) > 0) add(link.name, link.type, joint.child);
  }
  for (const SceneBody& body : scene.bodies)
    if (held.count(body.name) == 0) add(body.name, JointType::kFree, body.name);
  return moving;
}

std::string NameMaker::MakeUp(const std::string& base) {
  std::string name = base;
  for (int number = 2; !names_.insert(name).second; ++number) name = fmt::format("{}-{}", base, number);
  return name;
}

}  // namespace slipstick::internal
