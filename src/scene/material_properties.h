#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/base/surface_properties.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// How one number comes of those of two surfaces.
enum class Combination {
  kGeometricMean,
  kSmaller,
  kLarger,
  kInSeries,  // 1/(1/a + 1/b)
  kElastic,   // after Hertz and Mindlin, with the other numbers of the bulk
};

// In the words of docs/scene-format.md; "" for kElastic, which has formulas there.
std::string CombinationWords(Combination combination);

// The one declaration of a number that materials have. The reader of scenes and the compiler of models go by it; the
// schema of scene files and docs/scene-format.md are tested against it.
struct MaterialProperty {
  using Member = std::optional<double> ScenePairProperties::*;

  std::string name;  // in scene files
  std::string unit;  // "" for none
  std::string description;
  SettingRange range;
  bool may_be_infinite = false;
  double otherwise = 0;  // where neither the material nor the default one gives it
  Combination combination = Combination::kGeometricMean;
  Member given = nullptr;
  // What laws read; null where several properties make it together (model/compile_model.cpp).
  double SurfaceProperties::*combined = nullptr;
  Member instead = nullptr;  // of the same surface, where this is not given
  bool is_of_pairs = true;   // may be given for a pair of materials

  std::optional<double> GivenBy(const ScenePairProperties& surface) const;
  double Of(const ScenePairProperties& surface, const ScenePairProperties& default_material) const;
  double Combine(double a, double b) const;
};

const std::vector<MaterialProperty>& MaterialProperties();
const MaterialProperty& MaterialPropertyOf(MaterialProperty::Member member);

}  // namespace slipstick::internal
