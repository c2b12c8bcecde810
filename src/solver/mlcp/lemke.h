#pragma once

#include <limits>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

struct LemkeSettings {
  int max_iterations = 20000;                                // pivots, all attempts together
  double tolerance = 1e-10;                                  // NaturalResidual ≤ tolerance · ResidualScale
  int attempts = 3;                                          // covering vectors to try, the first being all ones
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, looked at before each pivot

  static const SettingTable<LemkeSettings>& Table();
};

// Lemke's method with the lexicographic ratio test, for mixed problems with bounds: scaled (mlcp_scaling.h), reduced to
// a plain linear complementarity problem (lcp_reduction.h), followed from a covering vector to x₀ = 0
// (lemke_tableau.h). The last basis is solved afresh in the original rows.
//
// It ends at a solution whenever there is one and A is positive semidefinite (symmetric or not), or is copositive-plus
// with z ≥ 0; and on the friction problems of Anitescu & Potra, "Formulating dynamic multi-rigid-body contact problems
// with friction as solvable linear complementarity problems", Nonlinear Dyn. 14 (1997), which are copositive.
//
// A ray means that the path went to infinity. For the classes above there is then no solution, and the ray v itself
// proves it: v ≥ 0, Mᵀv ≤ 0, qᵀv < 0, so that no x ≥ 0 has M x + q ≥ 0. This is tested, and only if it holds, or if the
// rows of free variables contradict each other, is the status kNoSolution. Otherwise another covering vector is tried,
// and at last the status is kRay: no solution, or a matrix outside of the classes.
// Otherwise unsolved: kIterationLimit; kTimeLimit; kStalled, where rounding spoilt the path or the point it ended at.
MlcpAnswer SolveByLemke(const BoundedMlcp& problem, const LemkeSettings& settings);

}  // namespace slipstick::internal
