#pragma once

#include "slipstick/program/factored_box.h"

namespace slipstick::internal {

struct GradientProjectionSettings {
  int max_iterations = 1000;
  double tolerance = 1e-13;  // NaturalResidual ≤ tolerance · ResidualScale
};

// The least of ½ zᵀA z + bᵀz between bounds, for a symmetric positive semidefinite A, whose conditions are the mixed
// complementarity problem (after Nocedal & Wright, Numerical Optimization, §16.7). Each iteration takes a projected
// gradient step of Barzilai & Borwein's length, shortened until it descends enough, then conjugate gradients on the
// face it has found, followed as far as the objective falls when projected back. The objective never rises, so that the
// answer is at worst as good as the start; every number is finite whatever A is. What it may end with:
// kSolved; kStalled at rounding; kIterationLimit; kRay where the objective falls without end (no solution); kBadInput;
// kUnsupported for a matrix that is not symmetric.
MlcpAnswer SolveByGradientProjection(const BoundedMlcp& problem, const GradientProjectionSettings& settings,
                                     const VecX* warm_start = nullptr);

// The same with A = G Gᵀ: products only, nothing is formed.
MlcpAnswer SolveByGradientProjection(const FactoredBox& problem, const GradientProjectionSettings& settings,
                                     const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
