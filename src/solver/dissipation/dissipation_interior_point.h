#pragma once

#include <limits>

#include "slipstick/program/dissipation_program.h"

namespace slipstick::internal {

struct DissipationSolverSettings {
  int max_iterations = 100;
  double tolerance = 1e-9;   // DissipationResidual relative to the largest of |b|
  double start_slack = 0.1;  // of inequalities at the start, of velocities of at most 1
};

// Primal-dual interior points for dissipation programs (phase II of law max-dissipation), Nesterov–Todd scaling on the
// quadratic cones and Mehrotra's corrector: the conditions
//   A x + b − A_{:N} y + τ e − Σ Gᵀz = 0,   each inequality with its slack,   slack ∘ multiplier = σμ
// as they stand in DissipationProgram, one Cholesky factorization of
//   A + Σ Gᵀ V⁻² G + A_{:N} diag(y/s) A_{N:} + e eᵀ τ/s_κ
// an iteration. Most programs have no interior: a body at rest needs all of κ. Then y and τ are not bounded by the
// conditions, and proximal terms in their steps keep them.
//
// `warm_start`, the answer of phase I, is where the impulses start, with slacks moved off the borders. A is formed
// where the program has its factor alone.
DissipationAnswer SolveDissipationByInteriorPoint(const DissipationProgram& program,
                                                  const DissipationSolverSettings& settings,
                                                  const VecX* warm_start = nullptr);

// Newton's method from the warm start where contacts are few, interior points where that fails, and Newton's method
// again for the last digits; sweeps where contacts are many, and interior points only where these end above their
// tolerance: what the solver `auto` does.
DissipationAnswer SolveDissipation(const DissipationProgram& program, const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
