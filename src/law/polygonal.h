#pragma once

#include <memory>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/step_friction.h"

namespace slipstick::internal {

struct PolygonalSettings {
  int sides = 4;           // of the polygon that replaces the cone's circle
  double orientation = 0;  // angle of the first corner from the contact's tangent_1 [rad]
  bool with_gap = false;   // Stewart & Trinkle: N v⁺ + Φ/h ≥ 0; else the problem's own normal rows
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]

  static const SettingTable<PolygonalSettings>& Table();
};

// Friction cone with n sides as a mixed LCP: at the velocity level after Anitescu & Potra 1997, or with the gap in the
// normal row after Stewart & Trinkle 1996 (docs/theory.md §5.6). Friction impulse Σ β_j d_j with β ≥ 0, Σ β_j ≤ μ p_N.
std::unique_ptr<Law> MakePolygonal(const PolygonalSettings& settings);

}  // namespace slipstick::internal
