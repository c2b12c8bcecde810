#pragma once

#include <memory>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/step_friction.h"

namespace slipstick::internal {

struct CoulombSettings {
  double velocity_threshold = kAutomaticThreshold;  // sliding faster takes the kinetic coefficient [m/s]

  static const SettingTable<CoulombSettings>& Table();
};

// Exact Coulomb friction with exact complementarity, the reference for all other laws (docs/theory.md §5.1): with
// ũ = (u_N + μ|u_T|, u_T), K ∋ p ⟂ ũ ∈ K*, after de Saxcé & Feng 1998.
std::unique_ptr<Law> MakeCoulomb(const CoulombSettings& settings);

}  // namespace slipstick::internal
