#include "slipstick/law/fixed_directions.h"

#include <cmath>

namespace slipstick::internal {

TangentRows FixedDirectionSettings::RowsOf(double limit) const {
  if (!(limit > 0)) return {};
  TangentRows rows;
  rows.limit = limit;
  const double c = std::cos(orientation), s = std::sin(orientation);
  rows.directions << c, s, -s, c;
  return rows;
}

const SettingTable<FixedDirectionSettings>& FixedDirectionSettings::Table() {
  using S = FixedDirectionSettings;
  static const SettingTable<S> table = {
      {&S::velocity_threshold, "velocity_threshold", "m/s", kThresholdMeaning},
      {&S::orientation, "orientation", "rad", "angle of the box's first direction from the contact's first tangent"},
      {&S::bounds, FrictionBoundSettings::Table()},
  };
  return table;
}

}  // namespace slipstick::internal
