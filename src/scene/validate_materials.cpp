#include <fmt/format.h>

#include <algorithm>

#include "slipstick/scene/validate_parts.h"

namespace slipstick::internal {
namespace {

void CheckProperties(const Key& key, const ScenePairProperties& given, Findings* findings) {
  NumberRule restitution = AtLeastZero(), stiffness = AboveZero("N/m"), modulus = AboveZero("Pa"), poisson;
  restitution.most = 1;
  stiffness.may_be_infinite = modulus.may_be_infinite = true;
  // what keeps the elastic energy positive
  poisson.least = -1;
  poisson.least_excluded = true;
  poisson.most = 0.5;
  const auto check = [&](const char* word, const std::optional<double>& value, const NumberRule& rule) {
    return !value || findings->Number(key.Of(word), *value, rule);
  };
  const bool sticking = check("friction", given.friction, AtLeastZero());
  const bool sliding = check("friction_kinetic", given.friction_kinetic, AtLeastZero());
  check("restitution", given.restitution, restitution);
  check("rolling_friction", given.rolling_friction, AtLeastZero("m"));
  check("spinning_friction", given.spinning_friction, AtLeastZero("m"));
  check("tangential_stiffness", given.tangential_stiffness, stiffness);
  check("normal_stiffness", given.normal_stiffness, stiffness);
  check("young_modulus", given.young_modulus, modulus);
  check("poisson_ratio", given.poisson_ratio, poisson);
  if (given.friction_kinetic && !given.friction) {
    findings->Add(key.Of("friction"), "the friction of sticking beside friction_kinetic", "nothing");
  } else if (given.friction_kinetic && sticking && sliding && *given.friction_kinetic > *given.friction) {
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
  for (const auto& [word, value] : {std::pair{"young_modulus", pair.properties.young_modulus},
                                    std::pair{"poisson_ratio", pair.properties.poisson_ratio}}) {
    if (value)
      findings->Add(key.Of(word), "none: the bulk belongs to a material, not to a pair", fmt::format("{}", *value));
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
