#pragma once

#include "slipstick/law/tangent_rows.h"

namespace slipstick::internal {

// Settings of the laws whose friction limits hold along two directions fixed in the contact's frame.
struct FixedDirectionSettings {
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]
  double orientation = 0;                           // angle of the first direction from the contact's tangent_1 [rad]
  FrictionBoundSettings bounds;

  static const SettingTable<FixedDirectionSettings>& Table();

  // Rows with the same limit along the two directions and no compliance; empty where it is 0.
  TangentRows RowsOf(double limit) const;
};

}  // namespace slipstick::internal
