#pragma once

#include <string>

#include "slipstick/base/sparse.h"
#include "slipstick/program/solve_report.h"

namespace slipstick::internal {

// Mixed linear complementarity problem with bounds (Peiret eq 30 with v⁺ eliminated, docs/theory.md):
// find z, w with  w = A z + b,  l ≤ z ≤ u,  and for each i
//   w_i ≥ 0 where z_i = l_i,   w_i ≤ 0 where z_i = u_i,   w_i = 0 in between.
// l may be −∞ and u +∞: both at once make a free variable with w_i = 0 (a bilateral constraint); l = u pins z_i and
// leaves w_i free. A is square, not necessarily symmetric (the polygonal cone) and may be singular.
struct BoundedMlcp {
  MatX A;
  VecX b;
  VecX lower;
  VecX upper;

  int size() const { return static_cast<int>(b.size()); }
};

// The same problem with few nonzeros in A, for large ones. Where v⁺ is not eliminated but kept as free variables with
// the rows M v⁺ − Jᵀp = M v of momentum, contact problems take this form.
struct SparseBoundedMlcp {
  SparseMat A;
  VecX b;
  VecX lower;
  VecX upper;

  int size() const { return static_cast<int>(b.size()); }
};

// What a solver of the problem returns: always finite, also where the status is not kSolved.
struct MlcpAnswer {
  VecX z;              // within the bounds, exactly
  VecX w;              // A z + b
  SolveReport report;  // `residual` is the NaturalResidual of z
};

// What is wrong with the problem's data, all of it, in words: sizes that do not fit, entries that are not finite or
// beyond 1e100 (bounds may be infinite on their own side), l > u. Empty if nothing is.
std::string Check(const BoundedMlcp& problem);
std::string Check(const SparseBoundedMlcp& problem);

// How far z is from a solution, in the unit of w; zero just at solutions. The natural map compares z_i with the place
// to which a step against w_i takes it, kept within the bounds:
//   r_i = z_i − mid(l_i, z_i − w_i/d_i, u_i),   w = A z + b,   residual = max_i d_i |r_i|.
// With d_i = A_ii the step w_i/d_i is what the row alone would need to reach w_i = 0, so a row that is free to move
// counts |w_i|, and one that is stopped by a bound at the distance δ counts A_ii δ: how much w_i is changed by δ. Where
// A_ii is not positive d_i is the mean of the positive entries of the diagonal, or 1 if there is none. +∞ where z or A
// z is not finite.
double NaturalResidual(const BoundedMlcp& problem, ConstRef<VecX> z);
double NaturalResidual(const SparseBoundedMlcp& problem, ConstRef<VecX> z);

// The size of the numbers that cancel in w, max_i (|b_i| + Σ_j |A_ij z_j|): rounding alone leaves a NaturalResidual of
// a few 1e-16 of it. The solvers call z a solution where NaturalResidual ≤ tolerance · ResidualScale.
double ResidualScale(const BoundedMlcp& problem, ConstRef<VecX> z);
double ResidualScale(const SparseBoundedMlcp& problem, ConstRef<VecX> z);

}  // namespace slipstick::internal
