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

const SettingTable<FixedDirectionSettings>& FixedDirectionSettings::Table() {
  using S = FixedDirectionSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", "sliding faster than this takes the kinetic coefficient",
       AtLeast(0)},
      {&S::orientation, "orientation", "rad", "angle of the box's first direction from the contact's first tangent"},
      {&S::bounds, FrictionBoundSettings::Table()},
  };
  return table;
}

}  // namespace slipstick::internal
