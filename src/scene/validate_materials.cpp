#include <fmt/format.h>

#include <algorithm>

#include "slipstick/scene/material_properties.h"
#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

void CheckProperties(const Key& key, const ScenePairProperties& given, Findings* findings) {
  const auto is_right = [&](const MaterialProperty& property) {
    const std::optional<double>& value = given.*property.given;
    NumberRule rule;
    rule.least = property.range.least;
    rule.most = property.range.most;
    rule.least_excluded = property.range.least_excluded;
    rule.may_be_infinite = property.may_be_infinite;
    rule.unit = property.unit;
    return !value || findings->Number(key.Of(property.name), *value, rule);
  };
  bool frictions = true;
  for (const MaterialProperty& property : MaterialProperties()) {
    const bool is_friction =
        property.given == &ScenePairProperties::friction || property.given == &ScenePairProperties::friction_kinetic;
    frictions = (is_right(property) || !is_friction) && frictions;
  }
  if (given.friction_kinetic && !given.friction) {
    findings->Add(key.Of("friction"), "the friction of sticking beside friction_kinetic", "nothing");
  } else if (given.friction_kinetic && frictions && *given.friction_kinetic > *given.friction) {
    findings->Add(key.Of("friction_kinetic"), fmt::format("at most the friction of sticking, {}", *given.friction),
                  fmt::format("{}", *given.friction_kinetic));
  }
  if (given.young_modulus && given.normal_stiffness) {
    findings->Add(key.Of("young_modulus"),
                  "young_modulus or normal_stiffness, not both: either gives the normal stiffness",
                  fmt::format("{}", *given.young_modulus));
  }
}

void CheckPair(const Key& key, const Scene& scene, std::size_t index, const KnownNames& known, Findings* findings) {
  const SceneMaterialPair& pair = scene.pairs[index];
  const Key between = key.Of("between");
  bool both_known = true;
  for (std::size_t i = 0; i < 2; ++i)
    both_known = findings->Reference(between.Of(i), known, pair.between[i]) && both_known;
  const auto is_same = [&](const SceneMaterialPair& other) {
    return std::minmax(other.between[0], other.between[1]) == std::minmax(pair.between[0], pair.between[1]);
  };
  if (both_known && std::any_of(scene.pairs.begin(), scene.pairs.begin() + index, is_same)) {
    findings->Add(between, "each pair of materials once",
                  fmt::format("'{}' and '{}' a second time", pair.between[0], pair.between[1]));
  }
  CheckProperties(key, pair.properties, findings);
  for (const MaterialProperty& property : MaterialProperties()) {
    const std::optional<double>& value = pair.properties.*property.given;
    if (property.is_of_pairs || !value) continue;
    findings->Add(key.Of(property.name), "none: the bulk belongs to a material, not to a pair",
                  fmt::format("{}", *value));
  }
}

}  // namespace

void CheckMaterials(const Scene& scene, Findings* findings) {
  NameCheck names("a material");
  const Key list("materials"), pairs("material_pairs");
  const Key default_key = list.Item(scene.default_material.name, 0);
  names.Required(default_key, scene.default_material.name, findings);
  CheckProperties(default_key, scene.default_material.properties, findings);
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const SceneMaterial& material = scene.materials[i];
    const Key key = list.Item(material.name, i);
    names.Required(key, material.name, findings);
    CheckProperties(key, material.properties, findings);
  }
  const KnownNames known = MaterialNames(scene);
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) CheckPair(pairs.Of(i), scene, i, known, findings);
}

}  // namespace slipstick::internal
