#pragma once

#include <memory>

#include "slipstick/base/setting_table.h"
#include "slipstick/law/law.h"

namespace slipstick::internal {

struct CoulombSettings {
  // Start-of-step sliding speed above which the kinetic coefficient holds, where it differs from the static one [m/s].
  double velocity_threshold = 1e-3;

  static const SettingTable<CoulombSettings>& Table();
};

// Exact Coulomb friction with exact complementarity, the reference for all other laws (docs/theory.md §5.1): with
// ũ = (u_N + μ|u_T|, u_T), K ∋ p ⟂ ũ ∈ K*, after de Saxcé & Feng 1998.
std::unique_ptr<Law> MakeCoulomb(const CoulombSettings& settings);

}  // namespace slipstick::internal
