#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

struct AdmmSettings {
  int max_iterations = 5000;
  double penalty = 1.0;     // ρ at the start, in units of the contacts' own inverse masses
  double relaxation = 1.6;  // over-relaxation, in (0, 2)

  static const SettingTable<AdmmSettings>& Table();
};

// Alternating directions (ADMM) on  x = z, x ∈ the quadratic's side, z ∈ K:
//   x := (W + ρ)⁻¹ (ρ z − w − q − s),   z := P_K(x + w/ρ),   w := w + ρ (x − z),
// with one factorization for each ρ. ρ follows the residuals: it is raised where x − z lags behind, lowered where
// z stands still too early (residual balancing, He, Yang & Wang 2000). Exact Coulomb: s = (Σ c_k|u_k|, 0, …) is taken
// from the last iterate, so that each iteration is a step of the convex problem and of Cadoux's fixed point at once.
// Rank does not matter.
ConeAnswer SolveByAdmm(const ConeProgram& program, const AdmmSettings& settings, const StopRule& stop,
                       const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
