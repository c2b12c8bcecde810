#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/nearest_name.h"
#include "slipstick/scene/validate_parts.h"

// What a scene says beyond its mechanics: pairs that never touch, settings, measures, parameters, output.

namespace slipstick::internal {
namespace {

void CheckSide(const Key& key, const SceneShapes& side, const Scene& named, const KnownNames& bodies,
               Findings* findings) {
  const std::string found = side.shape.empty() ? side.body : side.body + "." + side.shape;
  const auto refuse = [&](const std::string& expected) {
    findings->Add(key, expected, found.empty() ? "nothing" : fmt::format("'{}'", found));
  };
  if (!bodies.Contains(side.body)) {
    refuse(fmt::format("{}, or one of its shapes as BODY.SHAPE", bodies.Expected(side.body)));
    return;
  }
  if (side.shape.empty()) return;
  const auto body = std::find_if(named.bodies.begin(), named.bodies.end(),
                                 [&](const SceneBody& one) { return one.name == side.body; });
  std::vector<std::string> shapes;
  for (const SceneShape& shape : body == named.bodies.end() ? named.world_shapes : body->shapes)
    shapes.push_back(shape.name);
  if (std::find(shapes.begin(), shapes.end(), side.shape) == shapes.end())
    refuse(fmt::format("a shape of '{}': {}", side.body, OneOf(shapes, side.shape)));
}

// Of measures that are taken of single bodies over all steps.
void CheckMotionMeasure(const Key& key, const SceneMeasure& given, const Scene& scene, Findings* findings) {
  findings->Reference(key.Of("body"), BodyNames(scene, false), given.body);
  if (given.type == MeasureType::kTurns) {
    findings->Direction(key.Of("axis"), given.turn_axis);
    return;
  }
  findings->Reference(key.Of("from"), BodyNames(scene, true), given.from);
  const Key points = key.Of("points");
  if (given.points.empty()) findings->Add(points, "a list of points in the body's frame, in m", "an empty list");
  for (std::size_t i = 0; i < given.points.size(); ++i) findings->Vector(points.Of(i), given.points[i]);
  findings->Vector(key.Of("through"), given.through);
  if (given.along) findings->Direction(key.Of("along"), *given.along);
}

void CheckMeasure(const Key& key, const SceneMeasure& given, const Scene& scene, const KnownNames& groups,
                  Findings* findings) {
  if (given.type == MeasureType::kDistance || given.type == MeasureType::kTurns)
    return CheckMotionMeasure(key, given, scene, findings);
  if (!given.group.empty()) findings->Reference(key.Of("group"), groups, given.group);
  if (given.type == MeasureType::kOutside) {
    findings->Vector(key.Of("center"), given.center);
    findings->Vector(key.Of("size"), given.size, AboveZero("m"));
    return;
  }
  findings->Number(key.Of("floor"), given.floor);
  const Key axis = key.Of("axis");
  for (std::size_t i = 0; given.axis && i < 2; ++i) findings->Number(axis.Of(i), (*given.axis)[i]);
  if (given.reach) findings->Number(key.Of("reach"), *given.reach, AboveZero("m"));
}

}  // namespace

void CheckNoContact(const SceneToCheck& scene, Findings* findings) {
  if (scene.given.no_contact.empty()) return;
  const KnownNames bodies = BodyNames(scene.named, true);
  const Key list("no_contact");
  for (std::size_t i = 0; i < scene.given.no_contact.size(); ++i) {
    const Key pair = list.Of(i);
    for (std::size_t side = 0; side < 2; ++side)
      CheckSide(pair.Of(side), scene.given.no_contact[i][side], scene.named, bodies, findings);
  }
}

void CheckMeasures(const Scene& scene, Findings* findings) {
  KnownNames groups;
  for (const SceneGroup& group : scene.groups) groups.Add(group.name);
  NameCheck names("a measure");
  const Key list("measures");
  for (std::size_t i = 0; i < scene.measures.size(); ++i) {
    const Key key = list.Item(scene.measures[i].name, i);
    names.Required(key, scene.measures[i].name, findings);
    CheckMeasure(key, scene.measures[i], scene, groups, findings);
  }
}

void CheckParameters(const Scene& scene, Findings* findings) {
  NameCheck names("a parameter");
  const Key list("parameters");
  for (std::size_t i = 0; i < scene.parameters.size(); ++i) {
    const SceneParameter& given = scene.parameters[i];
    const Key key = list.Item(given.name, i), most = key.Of("most");
    names.Required(key, given.name, findings);
    if (given.keys.empty())
      findings->Add(key.Of("key"), "a path that leads to a number of this scene, such as materials.rubber.friction",
                    "nothing");
    const bool has_least = findings->Number(key.Of("least"), given.least);
    if (!findings->Number(most, given.most) || !has_least) continue;
    if (!(given.least < given.most))
      findings->Add(most, fmt::format("a number above least, {}", given.least), fmt::format("{}", given.most));
    else if (!(given.value >= given.least && given.value <= given.most))
      findings->Add(key, fmt::format("a value from {} to {}", given.least, given.most), fmt::format("{}", given.value));
  }
}

void CheckOutput(const Scene& scene, Findings* findings) {
  const Key key("output"), bodies = key.Of("bodies");
  if (scene.output.every) findings->Number(key.Of("every"), *scene.output.every, AtLeastZero("s"));
  NumberRule contacts = AtLeastZero();
  contacts.most = 1e9;
  if (scene.output.contacts && *scene.output.contacts != SceneOutput::kAllContacts)
    findings->Number(key.Of("contacts"), static_cast<double>(*scene.output.contacts), contacts);
  if (scene.output.bodies.empty()) return;
  const KnownNames known = BodyNames(scene, false);
  for (std::size_t i = 0; i < scene.output.bodies.size(); ++i)
    findings->Reference(bodies.Of(i), known, scene.output.bodies[i]);
}

void CheckSettings(const Scene& scene, Findings* findings) {
  const auto check = [&](const Key& key, const GivenSettings& settings) {
    for (const auto& [name, value] : settings) {
      const double* number = std::get_if<double>(&value);
      if (number != nullptr && std::isnan(*number)) findings->Add(key.Of(name), "a number", "nan");
    }
  };
  check(Key("law"), scene.law_settings);
  check(Key("solver"), scene.solver_settings);
  check(Key("stepper"), scene.stepper_settings);
  check(Key("certificate"), scene.certificate_settings);
}

}  // namespace slipstick::internal
