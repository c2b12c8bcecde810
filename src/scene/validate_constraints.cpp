#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

// The two bodies of a loop or a distance. A constraint between two parts of one rigid whole could only be idle or
// broken.
void CheckBetween(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  const Key between = key.Of("between");
  bool both_known = true;
  for (std::size_t i = 0; i < 2; ++i)
    both_known = findings->Reference(between.Of(i), known.bodies_and_world, given.bodies[i]) && both_known;
  if (!both_known) return;
  if (given.bodies[0] == given.bodies[1]) {
    findings->Add(between, "two different bodies", fmt::format("'{}' twice", given.bodies[0]));
  } else if (known.trees.RigidWhole(given.bodies[0]) == known.trees.RigidWhole(given.bodies[1])) {
    findings->Add(between, "two bodies that can move against each other", given.bodies[0] + ", " + given.bodies[1]);
  }
}

void CheckLoop(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  CheckBetween(key, given, known, findings);
  if (given.loop_joint == JointType::kFree) findings->Add(key.Of("joint"), "a joint that holds something", "free");
  const Key frames = key.Of("frames");
  for (std::size_t i = 0; i < 2; ++i) findings->Frame(frames.Of(i), given.frames[i]);
  CheckBearing(key.Of("bearing"), given.bearing, given.loop_joint, findings);
  const Key friction = key.Of("friction");
  if (findings->Number(friction, given.friction, AtLeastZero("N or N m")) && given.friction > 0 &&
      given.loop_joint != JointType::kRevolute && given.loop_joint != JointType::kPrismatic)
    findings->Add(friction, "friction of a revolute or prismatic loop alone", fmt::format("{}", given.friction));
}

void CheckDistance(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  CheckBetween(key, given, known, findings);
  const Key points = key.Of("points"), length = key.Of("length");
  for (std::size_t i = 0; i < 2; ++i) findings->Vector(points.Of(i), given.frames[i].position);
  if (!given.position) {
    findings->Add(length, "a number or a formula of t", "nothing");
  } else if (findings->Function(length, *given.position) && !((*given.position)(0) > 0)) {
    findings->Add(length, "a length above 0 in m at t = 0", fmt::format("{} m", (*given.position)(0)));
  }
}

void CheckMotion(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  const MovingJoints::Joint* joint = nullptr;
  if (given.coordinates.size() == 1) {
    joint = CheckCoordinate(key.Of("coordinate"), key.Of("index"), known.joints, given.coordinates[0].joint,
                            given.coordinates[0].index, findings);
  } else {
    findings->Add(key.Of("coordinate"), "one coordinate", fmt::format("{}", given.coordinates.size()));
  }
  const Key position = key.Of("position"), rate = key.Of("rate");
  if (given.position) findings->Function(position, *given.position);
  if (given.rate) findings->Function(rate, *given.rate);
  if (given.position && given.rate)
    findings->Add(rate, "position or rate, not both", fmt::format("'{}'", given.rate->text()));
  else if (!given.position && !given.rate)
    findings->Add(position, "position or rate, a number or a formula of t", "nothing");
  if (given.position && joint != nullptr && CoordinateCount(joint->type) != VelocityCount(joint->type))
    findings->Add(position, "rate in place of position: the coordinates of this joint are a quaternion",
                  fmt::format("'{}'", given.position->text()));
}

void CheckCoupling(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  const Key list = key.Of("coordinates");
  if (given.coordinates.size() < 2)
    findings->Add(list, "a list of at least 2 coordinates",
                  given.coordinates.empty() ? "an empty list" : fmt::format("a list of {}", given.coordinates.size()));
  bool slides = false;
  std::set<std::string> trees;
  for (std::size_t i = 0; i < given.coordinates.size(); ++i) {
    const SceneConstraint::Coordinate& term = given.coordinates[i];
    const Key item = list.Of(i), ratio = item.Of("ratio");
    const auto* joint =
        CheckCoordinate(item.Of("joint"), item.Of("index"), known.joints, term.joint, term.index, findings);
    if (joint != nullptr) trees.insert(known.trees.Root(joint->body));
    if (findings->Number(ratio, term.ratio) && term.ratio == 0) findings->Add(ratio, "a ratio other than 0", "0");
    findings->Number(item.Of("slide"), term.slide);
    slides = slides || term.slide != 0;
  }
  if (trees.size() > 2) findings->Add(list, "joints of at most two trees", fmt::format("{} trees", trees.size()));
  const Key friction = key.Of("friction");
  if (findings->Number(friction, given.friction, AtLeastZero()) && given.friction > 0 && !slides)
    findings->Add(friction, "a coordinate with a slide, which friction resists", fmt::format("{}", given.friction));
  if (given.rate) findings->Function(key.Of("rate"), *given.rate);
}

const std::vector<SceneShape>& ShapesOf(const Scene& scene, const std::string& body) {
  const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                  [&](const SceneBody& candidate) { return candidate.name == body; });
  return found == scene.bodies.end() ? scene.world_shapes : found->shapes;
}

// A disk or sphere of the first body, a plane of the second.
void CheckRollingShape(const Key& key, std::size_t i, const SceneConstraint& given, const Scene& named,
                       Findings* findings) {
  KnownNames fitting;
  for (const SceneShape& shape : ShapesOf(named, given.bodies[i])) {
    const bool rolls = std::holds_alternative<Disk>(shape.geometry) || std::holds_alternative<Sphere>(shape.geometry);
    if (i == 0 ? rolls : std::holds_alternative<Plane>(shape.geometry)) fitting.Add(shape.name);
  }
  if (fitting.empty()) {
    findings->Add(key.Of(i),
                  fmt::format("{} of '{}', which has none", i == 0 ? "a disk or sphere" : "a plane", given.bodies[i]),
                  fmt::format("'{}'", given.shapes[i]));
  } else {
    findings->Reference(key.Of(i), fitting, given.shapes[i]);
  }
}

void CheckRolling(const Key& key, const SceneConstraint& given, const Scene& named, const References& known,
                  Findings* findings) {
  const Key body = key.Of("body"), shapes = key.Of("shapes");
  const bool rolls = findings->Reference(body, known.bodies, given.bodies[0]);
  const bool carries = findings->Reference(key.Of("on"), known.bodies_and_world, given.bodies[1]);
  if (rolls) CheckRollingShape(shapes, 0, given, named, findings);
  if (carries) CheckRollingShape(shapes, 1, given, named, findings);
  if (rolls && carries && known.trees.RigidWhole(given.bodies[0]) == known.trees.RigidWhole(given.bodies[1]))
    findings->Add(body, "a body that can move against what it rolls on", fmt::format("'{}'", given.bodies[0]));
}

void CheckKnifeEdge(const Key& key, const SceneConstraint& given, const References& known, Findings* findings) {
  const Key body = key.Of("body");
  if (findings->Reference(body, known.bodies, given.bodies[0]) && known.trees.RigidWhole(given.bodies[0]) == "world")
    findings->Add(body, "a body that can move", fmt::format("'{}'", given.bodies[0]));
  findings->Vector(key.Of("point"), given.point);
  findings->Direction(key.Of("direction"), given.direction);
}

void CheckOne(const Key& key, const SceneConstraint& given, const Scene& named, const References& known,
              Findings* findings) {
  for (const std::string& body : given.bodies) known.released.Refuse(key, body, findings);
  for (const SceneConstraint::Coordinate& coordinate : given.coordinates)
    known.released.Refuse(key, coordinate.joint, findings);
  switch (given.type) {
    case ConstraintType::kLoop:
      return CheckLoop(key, given, known, findings);
    case ConstraintType::kDistance:
      return CheckDistance(key, given, known, findings);
    case ConstraintType::kMotion:
      return CheckMotion(key, given, known, findings);
    case ConstraintType::kCoupling:
      return CheckCoupling(key, given, known, findings);
    case ConstraintType::kRolling:
      return CheckRolling(key, given, named, known, findings);
    case ConstraintType::kKnifeEdge:
      return CheckKnifeEdge(key, given, known, findings);
  }
}

}  // namespace

void CheckConstraints(const SceneToCheck& scene, Findings* findings) {
  const std::vector<SceneConstraint>& constraints = scene.given.constraints;
  if (constraints.empty()) return;
  const References known(scene.named);
  NameCheck names("a constraint");
  const Key list("constraints");
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Key key = list.Item(constraints[i].name, i);
    names.Optional(key, constraints[i].name, findings);
    CheckOne(key, constraints[i], scene.named, known, findings);
  }
}

}  // namespace slipstick::internal
