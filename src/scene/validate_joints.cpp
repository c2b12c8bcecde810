#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

bool HasQuaternion(JointType type) { return CoordinateCount(type) != VelocityCount(type); }
bool HasOneCoordinate(JointType type) { return type == JointType::kRevolute || type == JointType::kPrismatic; }

std::string AsList(const std::array<double, 2>& both) { return fmt::format("[{}, {}]", both[0], both[1]); }

// As many as there should be, or none.
bool CheckCount(const Key& key, const std::vector<double>& values, int count, Findings* findings) {
  if (values.empty()) return true;
  if (static_cast<int>(values.size()) != count) {
    findings->Add(key, count == 1 ? "1 number" : fmt::format("a list of {} numbers", count),
                  values.size() == 1 ? "1 number" : fmt::format("a list of {}", values.size()));
    return false;
  }
  bool right = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    right = findings->Number(count == 1 ? key : key.Of(i), values[i]) && right;
  return right;
}

void CheckAxes(const Key& key, const SceneJointLink& link, Findings* findings) {
  const bool has_axis =
      link.type != JointType::kFree && link.type != JointType::kFixed && link.type != JointType::kSpherical;
  if (!has_axis || !findings->Direction(key.Of("axis"), link.axis) || link.type != JointType::kUniversal) return;
  const Key second = key.Of("second_axis");
  if (!findings->Direction(second, link.second_axis)) return;
  const double cosine = link.axis.dot(link.second_axis);
  if (std::abs(cosine) > 1e-6)
    findings->Add(second, "a second axis perpendicular to the first",
                  fmt::format("a cosine of {:.6g} between them", cosine));
}

void CheckLimits(const Key& key, const SceneJointLink& link, bool position_is_right, Findings* findings) {
  if (!link.limits) return;
  const auto& [least, most] = *link.limits;
  NumberRule end;
  end.may_be_infinite = true;
  const bool numbers = findings->Number(key.Of(std::size_t{0}), least, end);
  if (!findings->Number(key.Of(std::size_t{1}), most, end) || !numbers) return;
  const double position = link.position.empty() ? 0 : link.position[0];
  if (!HasOneCoordinate(link.type)) {
    findings->Add(key, "limits of a revolute or prismatic joint alone", AsList(*link.limits));
  } else if (least > most) {
    findings->Add(key, "[least, most]", AsList(*link.limits));
  } else if (position_is_right && (position < least || position > most)) {
    findings->Add(key, fmt::format("limits that hold the joint's position, {}", position), AsList(*link.limits));
  }
}

void CheckLink(const Key& key, const SceneJointLink& link, Findings* findings) {
  CheckAxes(key, link, findings);
  const Key position = key.Of("position");
  bool right = CheckCount(position, link.position, CoordinateCount(link.type), findings);
  if (right && HasQuaternion(link.type) && !link.position.empty()) {
    const std::vector<double>& q = link.position;
    right = findings->Rotation(position, Quat(q[0], q[1], q[2], q[3]));
  }
  CheckCount(key.Of("velocity"), link.velocity, VelocityCount(link.type), findings);
  const bool sliding = findings->Number(key.Of("friction"), link.friction, AtLeastZero("N or N m"));
  const Key at_rest = key.Of("static_friction");
  if (link.static_friction && findings->Number(at_rest, *link.static_friction, AtLeastZero("N or N m")) && sliding &&
      *link.static_friction < link.friction) {
    findings->Add(at_rest, fmt::format("at least the friction of sliding, {}", link.friction),
                  fmt::format("{}", *link.static_friction));
  }
  findings->Number(key.Of("viscous_friction"), link.viscous_friction, AtLeastZero("N s/m or N m s"));
  CheckLimits(key.Of("limits"), link, right, findings);
  CheckBearing(key.Of("bearing"), link.bearing, link.type, findings);
  if (link.effort_limit) findings->Number(key.Of("effort_limit"), *link.effort_limit, AtLeastZero("N or N m"));
}

// A joint of one link is written without a chain.
bool IsChain(const SceneJoint& joint) {
  if (joint.links.size() != 1) return true;
  return !joint.links[0].name.empty() && joint.links[0].name != joint.name;
}

void CheckLinks(const Key& key, const SceneJoint& joint, NameCheck* names, Findings* findings) {
  const Key chain = key.Of("chain");
  if (joint.links.empty()) findings->Add(chain, "a list of at least one joint", "an empty list");
  const bool is_chain = IsChain(joint);
  for (std::size_t i = 0; i < joint.links.size(); ++i) {
    const SceneJointLink& link = joint.links[i];
    const Key link_key = is_chain ? chain.Item(link.name, i) : key;
    CheckLink(link_key, link, findings);
    names->Optional(link_key, is_chain ? link.name : joint.name, findings);
  }
}

// The child's joint, where it is one that makes part of the tree.
using JointOfChild = std::map<std::string, const SceneJoint*>;

// Following parents from any child must end at the world or at a free body.
void CheckNoRings(const Scene& scene, const JointOfChild& joint_of, Findings* findings) {
  std::set<std::string> done;
  const Key list("joints");
  for (const SceneJoint& start : scene.joints) {
    std::vector<std::string> way;
    std::string body = start.child;
    while (joint_of.count(body) > 0 && done.count(body) == 0) {
      done.insert(body);
      way.push_back(body);
      body = joint_of.at(body)->parent;
    }
    const auto again = std::find(way.begin(), way.end(), body);
    if (again == way.end()) continue;
    std::string ring;
    for (auto step = again; step != way.end(); ++step) ring += *step + " → ";
    findings->Add(list.Of(joint_of.at(body)->name),
                  "joints that lead from child to parent to the world; close a loop with a constraint of type loop",
                  "the ring " + ring + body);
  }
}

// Bodies that a joint moves take their place from it.
void CheckPlacedOnce(const Scene& scene, const JointOfChild& joint_of, Findings* findings) {
  const Key list("bodies");
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const auto joint = joint_of.find(body.name);
    if (joint == joint_of.end()) continue;
    const Key key = list.Item(body.name, i);
    const std::string expected = PlacedByJoint(joint->second->name);
    const auto refuse = [&](const char* word, const Vec3& v) {
      if (!v.isZero(0)) findings->Add(key.Of(word), expected, fmt::format("{} {} {}", v.x(), v.y(), v.z()));
    };
    refuse("position", body.pose.position);
    if (body.pose.rotation.coeffs() != Quat::Identity().coeffs())
      findings->Add(key.Of("rotation"), expected, "a rotation");
    refuse("velocity", body.linear_velocity);
    refuse("angular_velocity", body.angular_velocity);
    if (body.release != 0) findings->Add(key.Of("release"), expected, fmt::format("{}", body.release));
  }
}

// Forces and motions name free bodies and joints alike.
void CheckFreeNames(const Scene& scene, const JointOfChild& joint_of, Findings* findings) {
  std::set<std::string> free_bodies;
  for (const SceneBody& body : scene.bodies)
    if (joint_of.count(body.name) == 0) free_bodies.insert(body.name);
  const Key list("joints");
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const SceneJoint& joint = scene.joints[i];
    const auto refuse = [&](const std::string& name) {
      if (free_bodies.count(name) > 0)
        findings->Add(list.Item(joint.name, i), "a name that no free body has", fmt::format("'{}'", name));
    };
    if (!IsChain(joint)) refuse(joint.name);
    for (const SceneJointLink& link : joint.links)
      if (IsChain(joint) && !link.name.empty()) refuse(link.name);
  }
}

}  // namespace

void CheckBearing(const Key& key, const BearingFriction& bearing, JointType type, Findings* findings) {
  const BearingFriction none;
  const bool turns = type == JointType::kRevolute;
  if (!HasOneCoordinate(type)) {
    if (bearing.friction != none.friction)
      findings->Add(key, "a bearing of a revolute or prismatic joint alone",
                    fmt::format("friction {}", bearing.friction));
    return;
  }
  findings->Number(key.Of("friction"), bearing.friction, AtLeastZero());
  if (!turns) {
    const auto refuse = [&](const char* word, double value, double without) {
      if (value != without)
        findings->Add(key.Of(word), "no such key: what slides has no radius", fmt::format("{}", value));
    };
    refuse("radius", bearing.radius, none.radius);
    refuse("thrust_radius", bearing.thrust_radius, none.thrust_radius);
  } else {
    findings->Number(key.Of("radius"), bearing.radius, AboveZero("m"));
    findings->Number(key.Of("thrust_radius"), bearing.thrust_radius, AtLeastZero("m"));
  }
  NumberRule span = AboveZero("m");
  span.may_be_infinite = true;
  findings->Number(key.Of("span"), bearing.span, span);
}

void CheckJoints(const Scene& scene, Findings* findings) {
  NameCheck names("a joint"), link_names("a joint or a link of a chain");
  const KnownNames parents = BodyNames(scene, true), children = SingleBodyNames(scene);
  const Released released(scene);
  JointOfChild joint_of;
  const Key list("joints");
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const SceneJoint& joint = scene.joints[i];
    const Key key = list.Item(joint.name, i), parent = key.Of("parent"), child = key.Of("child");
    names.Required(key, joint.name, findings);
    CheckLinks(key, joint, &link_names, findings);
    findings->Frame(key.Of("parent_frame"), joint.parent_frame);
    findings->Frame(key.Of("child_frame"), joint.child_frame);
    const bool has_parent = findings->Reference(parent, parents, joint.parent);
    if (!findings->Reference(child, children, joint.child) || !has_parent) continue;
    released.Refuse(parent, joint.parent, findings);
    if (joint.parent == joint.child) {
      findings->Add(child, "another body than the parent", fmt::format("'{}'", joint.child));
      continue;
    }
    const auto [held, is_new] = joint_of.emplace(joint.child, &joint);
    if (!is_new)
      findings->Add(child, "a body without a joint so far; close a loop with a constraint of type loop",
                    fmt::format("'{}', which joint '{}' holds", joint.child, held->second->name));
  }
  CheckPlacedOnce(scene, joint_of, findings);
  CheckNoRings(scene, joint_of, findings);
  CheckFreeNames(scene, joint_of, findings);
}

}  // namespace slipstick::internal
