#include "slipstick/scene/scene.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "slipstick/scene/made_up_names.h"
#include "slipstick/scene/validate_parts.h"

namespace slipstick {
namespace internal {

std::string PlacedByJoint(const std::string& joint) {
  return fmt::format("no such key: joint '{}' places and moves this body", joint);
}

const MovingJoints::Joint* CheckCoordinate(const Key& joint_key, const Key& index_key, const MovingJoints& moving,
                                           const std::string& joint, int index, Findings* findings) {
  if (!findings->Reference(joint_key, moving.names, joint)) return nullptr;
  const MovingJoints::Joint& found = moving.joints.at(joint);
  const int last = VelocityCount(found.type) - 1;
  if (index >= 0 && index <= last) return &found;
  findings->Add(index_key, fmt::format("a whole number from 0 to {}, joint '{}' has {}", last, joint, last + 1),
                fmt::format("{}", index));
  return nullptr;
}

Released::Released(const Scene& scene) {
  for (const SceneBody& body : scene.bodies)
    if (body.release > 0) names_.insert(body.name);
}

void Released::Refuse(const Key& key, const std::string& body, Findings* findings) const {
  if (names_.count(body) == 0) return;
  findings->Add(key, "a body that is there from the start", fmt::format("'{}', which has a release", body));
}

BodyTrees::BodyTrees(const Scene& scene) {
  for (const SceneJoint& joint : scene.joints) joint_of_.emplace(joint.child, &joint);
}

std::string BodyTrees::Follow(const std::string& body, bool only_fixed) const {
  std::string at = body;
  for (std::size_t step = 0; step < joint_of_.size(); ++step) {
    const auto joint = joint_of_.find(at);
    if (joint == joint_of_.end()) return at;
    const bool moves = std::any_of(joint->second->links.begin(), joint->second->links.end(),
                                   [](const SceneJointLink& link) { return link.type != JointType::kFixed; });
    if (only_fixed ? moves : joint->second->parent == "world") return at;
    at = joint->second->parent;
  }
  return at;
}

namespace {

void CheckAll(const SceneToCheck& scene, Findings* findings) {
  findings->Vector(Key("gravity"), scene.given.gravity);
  CheckMaterials(scene.given, findings);
  CheckBodies(scene.given, findings);
  CheckNoContact(scene, findings);
  CheckJoints(scene.given, findings);
  CheckConstraints(scene, findings);
  CheckForces(scene, findings);
  CheckDrives(scene, findings);
  CheckSettings(scene.given, findings);
  CheckMeasures(scene.given, findings);
  CheckParameters(scene.given, findings);
  CheckOutput(scene.given, findings);
}

}  // namespace
}  // namespace internal

std::vector<Fault> Validate(const Scene& scene) {
  std::optional<Scene> named;
  if (!internal::HasAllNames(scene)) internal::MakeUpNames(&named.emplace(scene));
  internal::Findings findings;
  internal::CheckAll({scene, named ? *named : scene}, &findings);
  // one fault a key, the first that was found
  std::vector<Fault> faults = findings.Take();
  std::unordered_set<std::string> seen;
  std::erase_if(faults, [&](const Fault& fault) { return !seen.insert(fault.key).second; });
  return faults;
}

}  // namespace slipstick
