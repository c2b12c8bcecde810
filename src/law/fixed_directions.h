#pragma once

#include "slipstick/law/tangent_rows.h"

namespace slipstick::internal {

// Settings of the laws whose friction limits hold along two directions fixed in the contact's frame.
struct FixedDirectionSettings {
  double velocity_threshold = 1e-3;  // sliding faster takes the kinetic coefficient, where it differs [m/s]
  double orientation = 0;            // angle of the first direction from the contact's tangent_1 [rad]
  FrictionBoundSettings bounds;

  static const SettingTable<FixedDirectionSettings>& Table();

  // Rows with the limits μ p_N along the two directions and no compliance; empty where there is no load.
  TangentRows RowsOf(const ContactProblem& problem, int i, const Vec2& slip, double normal_impulse) const;
};

}  // namespace slipstick::internal
