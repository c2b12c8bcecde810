#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "slipstick/scene_file/joint_words.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// Coordinates or velocities of a link: as many as its type has, or none where the key is missing.
std::vector<double> ReadCoordinates(const Place& link, const char* key, int count, DocumentReader* reader) {
  const auto place = link.Child(key);
  if (!place) return {};
  std::vector<double> values = reader->Numbers(*place);
  if (static_cast<int>(values.size()) == count) return values;
  reader->Fail(*place, count == 1 ? "1 number" : fmt::format("a list of {} numbers", count),
               place->node->is_list() ? place->node->Describe() : "1 number");
  return {};
}

SceneJointLink ReadLink(const Place& item, DocumentReader* reader) {
  SceneJointLink link;
  const auto type = item.Child("type");
  const std::optional<JointType> known = type && type->node->is_text() ? JointTypeOf(type->node->text) : std::nullopt;
  if (!known) return link;  // the schema's fault
  link.type = *known;
  if (const auto axis = item.Child("axis")) link.axis = reader->UnitVector(*axis);
  if (link.type == JointType::kUniversal) {
    const auto second = item.Child("second_axis");
    if (second) link.second_axis = reader->UnitVector(*second);
    const double cosine = link.axis.dot(link.second_axis);
    if (std::abs(cosine) > 1e-6)
      reader->Fail(second.value_or(item), "a second axis perpendicular to the first",
                   fmt::format("a cosine of {:.6g} between them", cosine));
    else  // take off what rounding in the file left
      link.second_axis = (link.second_axis - cosine * link.axis).normalized();
  }
  link.position = ReadCoordinates(item, "position", CoordinateCount(link.type), reader);
  link.velocity = ReadCoordinates(item, "velocity", VelocityCount(link.type), reader);
  const bool has_quaternion = link.type == JointType::kFree || link.type == JointType::kSpherical;
  if (has_quaternion && !link.position.empty()) {
    const Quat rotation = reader->UnitQuaternion(*item.Child("position"), link.position);
    link.position[0] = rotation.w();
    for (int i = 0; i < 3; ++i) link.position[i + 1] = rotation.vec()[i];
  }
  NumberRule friction;
  friction.least = 0;
  friction.unit = "N or N m";
  link.friction = reader->Number(item, "friction", 0, friction);
  link.static_friction = reader->Number(item, "static_friction", link.friction, friction);
  if (link.static_friction < link.friction) {
    reader->Fail(*item.Child("static_friction"), fmt::format("at least the friction of sliding, {}", link.friction));
  }
  friction.unit = "N s/m or N m s";
  link.viscous_friction = reader->Number(item, "viscous_friction", 0, friction);
  if (const auto limits = item.Child("limits")) {
    NumberRule end;
    end.may_be_infinite = true;
    const std::vector<double> ends = reader->Numbers(*limits, end);
    const bool has_coordinate = link.type == JointType::kRevolute || link.type == JointType::kPrismatic;
    if (!has_coordinate) {
      reader->Fail(*limits, "limits of a revolute or prismatic joint alone");
    } else if (ends.size() == 2) {
      link.limits = {ends[0], ends[1]};
      const double position = link.position.empty() ? 0 : link.position[0];
      if (ends[0] > ends[1]) {
        reader->Fail(*limits, "[least, most]", fmt::format("[{}, {}]", ends[0], ends[1]));
      } else if (position < ends[0] || position > ends[1]) {
        reader->Fail(*limits, fmt::format("limits that hold the joint's position, {}", position),
                     fmt::format("[{}, {}]", ends[0], ends[1]));
      }
    }
  }
  if (const auto bearing = item.Child("bearing")) link.bearing = ReadBearing(*bearing, link.type, reader);
  if (const auto effort = item.Child("effort_limit")) {
    friction.unit = "N or N m";
    link.effort_limit = reader->Number(*effort, friction);
  }
  return link;
}

struct EndNames {
  KnownNames parents;
  KnownNames children;
};

SceneJoint ReadJoint(const Place& item, const EndNames& names, NameList* link_names, DocumentReader* reader) {
  SceneJoint joint;
  if (const auto parent = item.Child("parent")) joint.parent = names.parents.Read(*parent, reader);
  if (const auto child = item.Child("child")) joint.child = names.children.Read(*child, reader);
  if (const auto frame = item.Child("parent_frame")) joint.parent_frame = reader->Frame(*frame);
  if (const auto frame = item.Child("child_frame")) joint.child_frame = reader->Frame(*frame);
  const auto chain = item.Child("chain");
  if (!chain) {
    joint.links.push_back(ReadLink(item, reader));
    link_names->Add(item, reader, &joint.links.back().name);
    return joint;
  }
  for (const Place& link : chain->Items()) {
    joint.links.push_back(ReadLink(link, reader));
    link_names->Add(link, reader, &joint.links.back().name);
  }
  return joint;
}

// Bodies that a joint moves take their place from it.
void CheckPlacedOnce(const Place& document, const std::map<std::string, std::string>& joint_of,
                     DocumentReader* reader) {
  const auto bodies = document.Child("bodies");
  if (!bodies) return;
  for (const Place& item : bodies->Items()) {
    const auto name = item.Child("name");
    const auto joint = name ? joint_of.find(name->node->text) : joint_of.end();
    if (joint == joint_of.end()) continue;
    for (const char* key : {"position", "rotation", "velocity", "angular_velocity", "release"})
      if (const auto place = item.Child(key))
        reader->Fail(*place, fmt::format("no such key: joint '{}' places and moves this body", joint->second));
  }
}

// Following parents from any child must end at the world or at a free body.
void CheckNoRings(const Scene& scene, const std::map<std::string, Place>& places, DocumentReader* reader) {
  std::map<std::string, const SceneJoint*> joint_of;
  for (const SceneJoint& joint : scene.joints) joint_of.emplace(joint.child, &joint);
  std::set<std::string> done;
  for (const SceneJoint& start : scene.joints) {
    std::vector<std::string> way;
    std::string body = start.child;
    while (joint_of.count(body) > 0 && done.count(body) == 0) {
      done.insert(body);
      way.push_back(body);
      body = joint_of[body]->parent;
    }
    const auto again = std::find(way.begin(), way.end(), body);
    if (again == way.end()) continue;
    std::string ring;
    for (auto step = again; step != way.end(); ++step) ring += *step + " → ";
    reader->Fail(places.at(joint_of[body]->name),
                 "joints that lead from child to parent to the world; close a loop with a constraint of type loop",
                 "the ring " + ring + body);
  }
}

}  // namespace

void ReadJoints(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("joints");
  if (!list) return;
  NameList joint_names("a joint"), link_names("a joint or a link of a chain");
  const EndNames end_names{BodyNames(*scene, true), SingleBodyNames(*scene)};
  std::map<std::string, std::string> joint_of;  // child → joint
  std::map<std::string, Place> places;          // joint → where
  for (const Place& item : list->Items()) {
    SceneJoint joint = ReadJoint(item, end_names, &link_names, reader);
    std::string name;
    if (!joint_names.Add(item, reader, &name)) continue;
    joint.name = name;
    if (joint.child.empty() || joint.parent.empty()) continue;  // faults that are known by now
    if (joint.parent == joint.child) {
      reader->Fail(*item.Child("child"), "another body than the parent");
      continue;
    }
    const auto [held, is_new] = joint_of.emplace(joint.child, name);
    if (!is_new) {
      reader->Fail(*item.Child("child"), "a body without a joint so far; close a loop with a constraint of type loop",
                   fmt::format("'{}', which joint '{}' holds", joint.child, held->second));
      continue;
    }
    places.emplace(name, item);
    scene->joints.push_back(std::move(joint));
  }
  for (SceneJoint& joint : scene->joints)
    for (SceneJointLink& link : joint.links)
      if (link.name.empty()) link.name = link_names.MakeUp(joint.name);
  CheckPlacedOnce(document, joint_of, reader);
  CheckNoRings(*scene, places, reader);
  // forces and motions name free bodies and joints alike
  std::set<std::string> free_bodies;
  for (const SceneBody& body : scene->bodies)
    if (joint_of.count(body.name) == 0) free_bodies.insert(body.name);
  for (const SceneJoint& joint : scene->joints)
    for (const SceneJointLink& link : joint.links)
      if (free_bodies.count(link.name) > 0)
        reader->Fail(places.at(joint.name), "a name that no free body has", fmt::format("'{}'", link.name));
}

}  // namespace slipstick::internal
