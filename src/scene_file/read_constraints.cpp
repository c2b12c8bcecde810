#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "slipstick/scene_file/joint_words.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// What constraints and forces may refer to.
struct References {
  KnownNames bodies;  // that move
  KnownNames bodies_and_world;
  MovingJoints joints;
};

References FindReferences(const Scene& scene) {
  return {BodyNames(scene, false), BodyNames(scene, true), FindMovingJoints(scene)};
}

// Reads the two bodies of a loop or a distance.
void ReadBetween(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  const auto between = item.Child("between");
  if (!between) return;
  const std::vector<Place> both = between->Items();
  if (both.size() != 2) {
    reader->Fail(*between, "a list of 2 bodies' names");
    return;
  }
  for (int i = 0; i < 2; ++i) constraint->bodies[i] = known.bodies_and_world.Read(both[i], reader);
  if (constraint->bodies[0] == constraint->bodies[1] && !constraint->bodies[0].empty())
    reader->Fail(*between, "two different bodies", fmt::format("'{}' twice", constraint->bodies[0]));
}

void ReadLoop(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  ReadBetween(item, known, reader, constraint);
  if (const auto joint = item.Child("joint"); joint && joint->node->is_text())
    constraint->loop_joint = JointTypeOf(joint->node->text).value_or(JointType::kSpherical);
  if (const auto frames = item.Child("frames")) {
    const std::vector<Place> both = frames->Items();
    for (size_t i = 0; i < 2 && i < both.size(); ++i) constraint->frames[i] = reader->Frame(both[i]);
  }
  if (const auto bearing = item.Child("bearing"))
    constraint->bearing = ReadBearing(*bearing, constraint->loop_joint, reader);
  NumberRule friction;
  friction.least = 0;
  friction.unit = "N or N m";
  constraint->friction = reader->Number(item, "friction", 0, friction);
  if (constraint->friction > 0 && constraint->loop_joint != JointType::kRevolute &&
      constraint->loop_joint != JointType::kPrismatic)
    reader->Fail(*item.Child("friction"), "friction of a revolute or prismatic loop alone");
}

void ReadDistance(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  ReadBetween(item, known, reader, constraint);
  if (const auto points = item.Child("points")) {
    const std::vector<Place> both = points->Items();
    for (size_t i = 0; i < 2 && i < both.size(); ++i) constraint->frames[i].position = reader->Vector(both[i]);
  }
  if (const auto length = item.Child("length")) {
    constraint->position = reader->Function(*length);
    const double at_start = (*constraint->position)(0);
    // a faulty formula reads as 0, and its first fault is the one that is kept
    if (at_start <= 0) reader->Fail(*length, "a length above 0 in m at t = 0", fmt::format("{} m", at_start));
  }
}

void ReadMotion(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  const auto coordinate = ReadJointCoordinate(item, "coordinate", "index", known.joints, reader);
  if (coordinate) constraint->coordinates = {{coordinate->joint, coordinate->index, 1}};
  const auto position = item.Child("position"), rate = item.Child("rate");
  if (position) constraint->position = reader->Function(*position);
  if (rate) constraint->rate = reader->Function(*rate);
  if (position && rate)
    reader->Fail(*rate, "position or rate, not both");
  else if (!position && !rate)
    reader->FailMissing(item, "position", "position or rate, a number or a formula of t");
  if (position && coordinate && CoordinateCount(coordinate->type) != VelocityCount(coordinate->type))
    reader->Fail(*position, "rate in place of position: the coordinates of this joint are a quaternion");
}

void ReadCoupling(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  bool slides = false;
  if (const auto list = item.Child("coordinates"))
    for (const Place& term : list->Items()) {
      const auto coordinate = ReadJointCoordinate(term, "joint", "index", known.joints, reader);
      const double ratio = reader->Number(term, "ratio", 1);
      if (const auto place = term.Child("ratio"); place && place->node->is_number() && ratio == 0)
        reader->Fail(*place, "a ratio other than 0");
      const double slide = reader->Number(term, "slide", 0);
      slides = slides || slide != 0;
      if (coordinate) constraint->coordinates.push_back({coordinate->joint, coordinate->index, ratio, slide});
    }
  NumberRule friction;
  friction.least = 0;
  constraint->friction = reader->Number(item, "friction", 0, friction);
  if (constraint->friction > 0 && !slides)
    reader->Fail(*item.Child("friction"), "a coordinate with a slide, which friction resists");
  constraint->rate = TimeFunction();
  if (const auto rate = item.Child("rate")) constraint->rate = reader->Function(*rate);
}

const std::vector<SceneShape>* ShapesOf(const Scene& scene, const std::string& body) {
  if (body == "world") return &scene.world_shapes;
  const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                  [&](const SceneBody& candidate) { return candidate.name == body; });
  return found == scene.bodies.end() ? nullptr : &found->shapes;
}

void ReadRolling(const Place& item, const References& known, const Scene& scene, DocumentReader* reader,
                 SceneConstraint* constraint) {
  constraint->bodies[1] = "world";
  if (const auto body = item.Child("body")) constraint->bodies[0] = known.bodies.Read(*body, reader);
  if (const auto on = item.Child("on")) constraint->bodies[1] = known.bodies_and_world.Read(*on, reader);
  const auto shapes = item.Child("shapes");
  if (!shapes) return;
  const std::vector<Place> both = shapes->Items();
  for (size_t i = 0; i < 2 && i < both.size(); ++i) {
    const std::vector<SceneShape>* candidates = ShapesOf(scene, constraint->bodies[i]);
    if (candidates == nullptr) continue;
    KnownNames fitting;
    for (const SceneShape& shape : *candidates) {
      const bool rolls = std::holds_alternative<Disk>(shape.geometry) || std::holds_alternative<Sphere>(shape.geometry);
      if (i == 0 ? rolls : std::holds_alternative<Plane>(shape.geometry)) fitting.Add(shape.name);
    }
    if (fitting.empty())
      reader->Fail(both[i], fmt::format("{} of '{}', which has none", i == 0 ? "a disk or sphere" : "a plane",
                                        constraint->bodies[i]));
    else
      constraint->shapes[i] = fitting.Read(both[i], reader);
  }
}

void ReadKnifeEdge(const Place& item, const References& known, DocumentReader* reader, SceneConstraint* constraint) {
  if (const auto body = item.Child("body")) constraint->bodies[0] = known.bodies.Read(*body, reader);
  constraint->point = reader->Vector(item, "point");
  if (const auto direction = item.Child("direction")) constraint->direction = reader->UnitVector(*direction);
}

const std::map<std::string, ConstraintType> kConstraintTypes = {
    {"loop", ConstraintType::kLoop},       {"distance", ConstraintType::kDistance},
    {"motion", ConstraintType::kMotion},   {"coupling", ConstraintType::kCoupling},
    {"rolling", ConstraintType::kRolling}, {"knife-edge", ConstraintType::kKnifeEdge},
};

void ReadSpring(const Place& item, const Place& between, const References& known, DocumentReader* reader,
                SceneForce* force) {
  const std::vector<Place> bodies = between.Items();
  if (bodies.size() == 2) {
    for (int end = 0; end < 2; ++end) force->between[end] = known.bodies_and_world.Read(bodies[end], reader);
  }
  if (const auto points = item.Child("points"); points && points->Items().size() == 2) {
    for (int end = 0; end < 2; ++end) force->points[end] = reader->Vector(points->Items()[end]);
  }
  NumberRule rule;
  rule.least = 0;
  rule.unit = "N/m";
  force->stiffness = reader->Number(item, "stiffness", 0, rule);
  rule.unit = "N s/m";
  force->damping = reader->Number(item, "damping", 0, rule);
  rule.unit = "m";
  force->length = reader->Number(item, "length", 0, rule);
}

}  // namespace

void ReadConstraints(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("constraints");
  if (!list) return;
  const References known = FindReferences(*scene);
  NameList names("a constraint");
  std::vector<std::pair<size_t, std::string>> unnamed;  // and the word to name it by
  std::vector<int> lines;
  for (const Place& item : list->Items()) {
    SceneConstraint constraint;
    const bool named = names.Add(item, reader, &constraint.name);
    const auto type = item.Child("type");
    const auto known_type = type ? kConstraintTypes.find(type->node->text) : kConstraintTypes.end();
    if (known_type == kConstraintTypes.end()) continue;  // the schema's fault
    constraint.type = known_type->second;
    switch (constraint.type) {
      case ConstraintType::kLoop:
        ReadLoop(item, known, reader, &constraint);
        break;
      case ConstraintType::kDistance:
        ReadDistance(item, known, reader, &constraint);
        break;
      case ConstraintType::kMotion:
        ReadMotion(item, known, reader, &constraint);
        break;
      case ConstraintType::kCoupling:
        ReadCoupling(item, known, reader, &constraint);
        break;
      case ConstraintType::kRolling:
        ReadRolling(item, known, *scene, reader, &constraint);
        break;
      case ConstraintType::kKnifeEdge:
        ReadKnifeEdge(item, known, reader, &constraint);
        break;
    }
    if (!named) unnamed.push_back({scene->constraints.size(), known_type->first});
    scene->constraints.push_back(std::move(constraint));
    lines.push_back(item.node->line);
  }
  for (const auto& [index, word] : unnamed) {
    std::string& name = scene->constraints[index].name;
    name = names.MakeUp(word);
    scene->lines["constraints." + name] = lines[index];
  }
}

void ReadForces(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("forces");
  if (!list) return;
  const References known = FindReferences(*scene);
  NameList names("a force");
  std::vector<size_t> unnamed;
  std::vector<int> lines;
  for (const Place& item : list->Items()) {
    SceneForce force;
    if (!names.Add(item, reader, &force.name)) unnamed.push_back(scene->forces.size());
    if (const auto body = item.Child("body")) force.body = known.bodies.Read(*body, reader);
    force.point = reader->Vector(item, "point");
    if (const auto axes = item.Child("axes")) force.in_body_axes = axes->node->text == "body";
    if (!item.Child("body") && !item.Child("joint") && !item.Child("between")) {
      reader->FailMissing(item, "body", "body, joint or between");
    }
    if (const auto between = item.Child("between")) ReadSpring(item, *between, known, reader, &force);
    const auto vector = item.Child("force"), torque = item.Child("torque"), effort = item.Child("effort");
    if (vector) force.force = reader->FunctionVector(*vector);
    if (torque) force.torque = reader->FunctionVector(*torque);
    if (effort) force.effort = reader->Function(*effort);
    if (item.Child("body") && !vector && !torque) reader->FailMissing(item, "force", "force or torque");
    if (const auto coordinate = ReadJointCoordinate(item, "joint", "coordinate", known.joints, reader)) {
      force.joint = coordinate->joint;
      force.coordinate = coordinate->index;
    }
    scene->forces.push_back(std::move(force));
    lines.push_back(item.node->line);
  }
  for (const size_t index : unnamed) {
    std::string& name = scene->forces[index].name;
    name = names.MakeUp("force");
    scene->lines["forces." + name] = lines[index];
  }
}

}  // namespace slipstick::internal
