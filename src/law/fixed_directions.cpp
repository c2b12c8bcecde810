#include "slipstick/law/fixed_directions.h"

#include <cmath>

namespace slipstick::internal {

TangentRows FixedDirectionSettings::RowsOf(const ContactProblem& problem, int i, const Vec2& slip,
                                           double normal_impulse) const {
  TangentRows rows;
  rows.limit = problem.contacts.Friction(i, slip.norm(), velocity_threshold) * normal_impulse;
  if (!(rows.limit > 0)) return {};
  const double c = std::cos(orientation), s = std::sin(orientation);
  rows.directions << c, s, -s, c;
  return rows;
}

std::vector<SettingSpec> FixedDirectionSettings::Specs() {
  const FixedDirectionSettings d;
  std::vector<SettingSpec> specs = {{.name = "velocity_threshold",
                                     .default_value = d.velocity_threshold,
                                     .unit = "m/s",
                                     .meaning = "sliding faster than this takes the kinetic coefficient",
                                     .least = 0},
                                    {.name = "orientation",
                                     .default_value = d.orientation,
                                     .unit = "rad",
                                     .meaning = "angle of the box's first direction from the contact's first tangent"}};
  for (SettingSpec& spec : FrictionBoundSettings::Specs()) specs.push_back(std::move(spec));
  return specs;
}

FixedDirectionSettings FixedDirectionSettings::From(const Settings& settings) {
  return {settings.Number("velocity_threshold"), settings.Number("orientation"), FrictionBoundSettings::From(settings)};
}

}  // namespace slipstick::internal
