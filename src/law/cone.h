#pragma once

#include <memory>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/step_friction.h"

namespace slipstick::internal {

struct ConeSettings {
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]
  // Φ/h for every gap and overlap, as the paper has it, up to the stepper's correction_speed; or the skin of (T4). What
  // the relaxation adds to gaps only Φ/h holds within bounds.
  bool full_gap = true;

  static const SettingTable<ConeSettings>& Table();
};

// The convex relaxation with sliding, rolling and spinning friction of Tasora & Anitescu 2013, eqs 18–45
// (docs/theory.md §5.7): K ∋ p ⟂ u ∈ K*, the minimum of ½ pᵀWp + qᵀp over the product of the cones. Its price is a gap
// of h(μ|u_T| + ρ|ω_R| + σ|ω_S|) at contacts that slide, roll or spin, which ContactSolution::relaxation_gap tells.
std::unique_ptr<Law> MakeCone(const ConeSettings& settings);

}  // namespace slipstick::internal
