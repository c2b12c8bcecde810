#include <array>
#include <map>

#include "slipstick/scene_file/joint_words.h"
#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

// Two names.
std::array<std::string, 2> ReadPair(const Place& item, const char* key, DocumentReader* reader) {
  std::array<std::string, 2> names;
  const auto list = item.Child(key);
  const std::vector<Place> both = list ? list->Items() : std::vector<Place>();
  for (std::size_t i = 0; i < 2 && both.size() == 2; ++i) names[i] = reader->Text(both[i]);
  return names;
}

void ReadLoop(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  constraint->bodies = ReadPair(item, "between", reader);
  if (const auto joint = item.Child("joint"); joint && joint->node->is_text())
    constraint->loop_joint = JointTypeOf(joint->node->text).value_or(JointType::kSpherical);
  if (const auto frames = item.Child("frames")) {
    const std::vector<Place> both = frames->Items();
    for (size_t i = 0; i < 2 && i < both.size(); ++i) constraint->frames[i] = reader->Frame(both[i]);
  }
  if (const auto bearing = item.Child("bearing"))
    constraint->bearing = ReadBearing(*bearing, constraint->loop_joint, reader);
  constraint->friction = reader->Value(item, "friction");
}

void ReadDistance(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  constraint->bodies = ReadPair(item, "between", reader);
  if (const auto points = item.Child("points")) {
    const std::vector<Place> both = points->Items();
    for (size_t i = 0; i < 2 && i < both.size(); ++i) constraint->frames[i].position = reader->Vector(both[i]);
  }
  if (const auto length = item.Child("length")) constraint->position = reader->Function(*length);
}

void ReadMotion(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  constraint->coordinates = {{reader->Text(item, "coordinate"), ReadIndex(item, "index"), 1}};
  if (const auto position = item.Child("position")) constraint->position = reader->Function(*position);
  if (const auto rate = item.Child("rate")) constraint->rate = reader->Function(*rate);
}

void ReadCoupling(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  if (const auto list = item.Child("coordinates"))
    for (const Place& term : list->Items())
      constraint->coordinates.push_back({reader->Text(term, "joint"), ReadIndex(term, "index"),
                                         reader->Value(term, "ratio", 1), reader->Value(term, "slide")});
  constraint->friction = reader->Value(item, "friction");
  constraint->rate = TimeFunction();
  if (const auto rate = item.Child("rate")) constraint->rate = reader->Function(*rate);
}

void ReadRolling(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  constraint->bodies = {reader->Text(item, "body"), reader->Text(item, "on", "world")};
  constraint->shapes = ReadPair(item, "shapes", reader);
}

void ReadKnifeEdge(const Place& item, DocumentReader* reader, SceneConstraint* constraint) {
  constraint->bodies[0] = reader->Text(item, "body");
  constraint->point = reader->Vector(item, "point");
  if (const auto direction = item.Child("direction")) constraint->direction = reader->Direction(*direction);
}

const std::map<std::string, ConstraintType> kConstraintTypes = {
    {"loop", ConstraintType::kLoop},       {"distance", ConstraintType::kDistance},
    {"motion", ConstraintType::kMotion},   {"coupling", ConstraintType::kCoupling},
    {"rolling", ConstraintType::kRolling}, {"knife-edge", ConstraintType::kKnifeEdge},
};

void ReadSpring(const Place& item, DocumentReader* reader, SceneForce* force) {
  force->between = ReadPair(item, "between", reader);
  if (const auto points = item.Child("points"); points && points->Items().size() == 2) {
    for (int end = 0; end < 2; ++end) force->points[end] = reader->Vector(points->Items()[end]);
  }
  force->stiffness = reader->Value(item, "stiffness");
  force->damping = reader->Value(item, "damping");
  force->length = reader->Value(item, "length");
}

}  // namespace

void ReadConstraints(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("constraints");
  if (!list) return;
  for (const Place& item : list->Items()) {
    SceneConstraint constraint;
    constraint.name = ReadName(item);
    const auto type = item.Child("type");
    const auto known_type = type ? kConstraintTypes.find(type->node->text) : kConstraintTypes.end();
    if (known_type == kConstraintTypes.end()) continue;  // the schema's fault
    constraint.type = known_type->second;
    switch (constraint.type) {
      case ConstraintType::kLoop:
        ReadLoop(item, reader, &constraint);
        break;
      case ConstraintType::kDistance:
        ReadDistance(item, reader, &constraint);
        break;
      case ConstraintType::kMotion:
        ReadMotion(item, reader, &constraint);
        break;
      case ConstraintType::kCoupling:
        ReadCoupling(item, reader, &constraint);
        break;
      case ConstraintType::kRolling:
        ReadRolling(item, reader, &constraint);
        break;
      case ConstraintType::kKnifeEdge:
        ReadKnifeEdge(item, reader, &constraint);
        break;
    }
    KeyOf("constraints", constraint.name, scene->constraints.size(), item, reader);
    scene->constraints.push_back(std::move(constraint));
  }
}

void ReadForces(const Place& document, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("forces");
  if (!list) return;
  for (const Place& item : list->Items()) {
    SceneForce force;
    force.name = ReadName(item);
    const auto body = item.Child("body"), joint = item.Child("joint"), between = item.Child("between");
    if (body) force.body = reader->Text(*body);
    if (joint) force.joint = reader->Text(*joint);
    if (between) ReadSpring(item, reader, &force);
    force.coordinate = ReadIndex(item, "coordinate");
    force.point = reader->Vector(item, "point");
    if (const auto axes = item.Child("axes")) force.in_body_axes = axes->node->text == "body";
    const auto vector = item.Child("force"), torque = item.Child("torque"), effort = item.Child("effort");
    if (vector) force.force = reader->FunctionVector(*vector);
    if (torque) force.torque = reader->FunctionVector(*torque);
    if (effort) force.effort = reader->Function(*effort);
    if (body && !vector && !torque) reader->FailMissing(item, "force", "force or torque");
    KeyOf("forces", force.name, scene->forces.size(), item, reader);
    scene->forces.push_back(std::move(force));
  }
}

}  // namespace slipstick::internal
