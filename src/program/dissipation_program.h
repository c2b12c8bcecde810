#pragma once

#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/gram_matrix.h"
#include "slipstick/program/solve_report.h"

namespace slipstick::internal {

// A contact's rows in a DissipationProgram: the normal one, and two tangential ones after it where it has friction.
struct DissipationContact {
  int row = 0;          // the normal one
  int rows = 3;         // 1: without friction
  double friction = 0;  // μ
  double extra = 0;     // c: |x_T| ≤ μ x_N + c [N s]
};

// A row with bounds, each of which may be infinite.
struct DissipationInterval {
  int row = 0;
  double lower = 0, upper = 0;
};

// The convex program of Drumwright & Shell 2010 (QP 1; docs/theory.md (L16)–(L19)): the least of ½ xᵀA x + bᵀx with
//   x_N ≥ 0,  |x_T| ≤ μ x_N + c                 of each contact,
//   lower ≤ x ≤ upper                            of each interval,
//   (A x + b)_N ≥ 0                              of each contact (non-penetration),
//   Σ x_N ≤ normal_limit                         (κ).
// A is symmetric and positive semidefinite. Each row belongs to one contact or one interval. A is given as it is (QP
// 1), or as G Gᵀ with G = J L⁻ᵀ, M = L Lᵀ: the velocities Lᵀv then stand for it (QP 2, (L16b)), which large programs
// need.
struct DissipationProgram {
  MatX A;
  GramMatrix gram;  // in place of A, which is then empty
  VecX b;
  std::vector<DissipationContact> contacts;
  std::vector<DissipationInterval> intervals;
  double normal_limit = 0;

  int size() const { return static_cast<int>(b.size()); }
  bool is_factored() const { return gram.rows() > 0; }
  VecX Times(ConstRef<VecX> x) const { return is_factored() ? gram * x : VecX(A * x); }
  VecX Diagonal() const { return is_factored() ? gram.diagonal() : VecX(A.diagonal()); }
};

// The same program with A formed, where it is given by G.
DissipationProgram WithMatrix(DissipationProgram program);

// Multipliers of the constraints that join contacts: y ≥ 0 of non-penetration [N s], τ ≥ 0 of the limit κ [m/s].
struct DissipationMultipliers {
  VecX push;       // y, one a contact
  double tax = 0;  // τ
};

// What a solver returns: always finite.
struct DissipationAnswer {
  VecX x;
  DissipationMultipliers multipliers;
  SolveReport report;  // `residual` is DissipationResidual, relative to the largest of |b|
};

// The nearest point of {x_N ≥ 0, |x_T| ≤ μ x_N + c}; of the first entry alone where rows = 1.
void ProjectOnLimits(const DissipationContact& contact, const double* z, double* out);

// A x + b − A_{:N} y + τ e_N: what the multipliers leave of the gradient.
VecX ShadowVelocity(const DissipationProgram& program, ConstRef<VecX> x, const DissipationMultipliers& multipliers);

// How far a point with its multipliers is from the optimum, in the unit of b: the largest natural map (T8) over
// contacts and intervals with the shadow velocity, over y with (A x + b)_N and over τ with κ − Σ x_N. Weights are the
// rows' own masses, as in NaturalResidual. Zero just at optima. Infinite where a number is not finite.
double DissipationResidual(const DissipationProgram& program, ConstRef<VecX> x,
                           const DissipationMultipliers& multipliers);

// 3/trace of each contact's block of A (1/A for a single row), 1/A of each interval: contacts first. Where that is no
// mass, the mean of the others.
VecX RowMasses(const DissipationProgram& program);

// What is wrong with the program, in words; empty where nothing is. Definiteness is not tested.
std::string Check(const DissipationProgram& program);

}  // namespace slipstick::internal
