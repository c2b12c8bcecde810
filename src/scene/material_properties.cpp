#include "slipstick/scene/material_properties.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<MaterialProperty> AllProperties() {
  using Given = ScenePairProperties;
  using Combined = SurfaceProperties;
  return {
      {.name = "friction",
       .description = "coefficient of friction, at least 0; of sticking where friction_kinetic is given too",
       .range = AtLeast(0),
       .otherwise = 0.5,
       .combination = Combination::kGeometricMean,
       .given = &Given::friction,
       .combined = &Combined::friction_static},
      {.name = "friction_kinetic",
       .description = "coefficient of friction of sliding, at most friction",
       .range = AtLeast(0),
       .otherwise = 0.5,
       .combination = Combination::kGeometricMean,
       .given = &Given::friction_kinetic,
       .combined = &Combined::friction_kinetic,
       .instead = &Given::friction},
      {.name = "restitution",
       .description = "coefficient of restitution, 0 to 1",
       .range = Between(0, 1),
       .combination = Combination::kSmaller,
       .given = &Given::restitution,
       .combined = &Combined::restitution},
      // what is lost in rolling is lost in the softer of the two surfaces
      {.name = "rolling_friction",
       .unit = "m",
       .description = "lever of rolling friction in m, at least 0",
       .range = AtLeast(0),
       .combination = Combination::kLarger,
       .given = &Given::rolling_friction,
       .combined = &Combined::rolling},
      {.name = "spinning_friction",
       .unit = "m",
       .description = "lever of spinning friction in m, at least 0",
       .range = AtLeast(0),
       .combination = Combination::kLarger,
       .given = &Given::spinning_friction,
       .combined = &Combined::spinning},
      {.name = "tangential_stiffness",
       .unit = "N/m",
       .description = "stiffness of the contact along the surface in N/m, above 0, may be .inf",
       .range = Above(0),
       .may_be_infinite = true,
       .otherwise = kInfinity,
       .combination = Combination::kInSeries,
       .given = &Given::tangential_stiffness,
       .combined = &Combined::tangential_stiffness},
      {.name = "normal_stiffness",
       .unit = "N/m",
       .description = "stiffness of the contact across the surface in N/m, above 0, may be .inf",
       .range = Above(0),
       .may_be_infinite = true,
       .otherwise = kInfinity,
       .combination = Combination::kInSeries,
       .given = &Given::normal_stiffness},
      {.name = "young_modulus",
       .unit = "Pa",
       .description = "of the bulk in Pa, above 0, may be .inf",
       .range = Above(0),
       .may_be_infinite = true,
       .otherwise = kInfinity,
       .combination = Combination::kElastic,
       .given = &Given::young_modulus,
       .is_of_pairs = false},
      // the range is what keeps the elastic energy positive
      {.name = "poisson_ratio",
       .description = "of the bulk, above -1, at most 0.5",
       .range = AboveUpTo(-1, 0.5),
       .otherwise = 0.3,
       .combination = Combination::kElastic,
       .given = &Given::poisson_ratio,
       .is_of_pairs = false},
  };
}

}  // namespace

std::string CombinationWords(Combination combination) {
  switch (combination) {
    case Combination::kGeometricMean:
      return "geometric mean";
    case Combination::kSmaller:
      return "the smaller";
    case Combination::kLarger:
      return "the larger";
    case Combination::kInSeries:
      return "in series";
    case Combination::kElastic:
      break;
  }
  return "";
}

std::optional<double> MaterialProperty::GivenBy(const ScenePairProperties& surface) const {
  return surface.*given || instead == nullptr ? surface.*given : surface.*instead;
}

double MaterialProperty::Of(const ScenePairProperties& surface, const ScenePairProperties& default_material) const {
  return GivenBy(surface).value_or(GivenBy(default_material).value_or(otherwise));
}

double MaterialProperty::Combine(double a, double b) const {
  switch (combination) {
    case Combination::kGeometricMean:
      return std::sqrt(a * b);
    case Combination::kSmaller:
      return std::min(a, b);
    case Combination::kLarger:
      return std::max(a, b);
    case Combination::kInSeries:
      return 1.0 / (1.0 / a + 1.0 / b);
    case Combination::kElastic:
      break;
  }
  SLIPSTICK_CHECK(false, name + " of two surfaces is no number by itself");
}

const std::vector<MaterialProperty>& MaterialProperties() {
  static const std::vector<MaterialProperty> properties = AllProperties();
  return properties;
}

const MaterialProperty& MaterialPropertyOf(MaterialProperty::Member member) {
  const std::vector<MaterialProperty>& all = MaterialProperties();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const MaterialProperty& one) { return one.given == member; });
  SLIPSTICK_CHECK(found != all.end(), "every property is in the table");
  return *found;
}

}  // namespace slipstick::internal
