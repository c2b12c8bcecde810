#pragma once

#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/program/solve_report.h"

namespace slipstick {

// The set one block of the variables lives in.
enum class BlockKind {
  kFree,      // 1 row, no bound: a bilateral constraint
  kInterval,  // 1 row, lower ≤ r ≤ upper
  kCone,      // 3 rows, normal first: |r_T| ≤ μ r_N
  kDisk,      // 2 rows: |r| ≤ radius
};

struct ConeBlock {
  BlockKind kind = BlockKind::kFree;
  int offset = 0;               // first row
  double lower = 0, upper = 0;  // kInterval; either may be infinite
  double limit = 0;             // kCone: μ; kDisk: radius, may be infinite

  int rows() const { return kind == BlockKind::kCone ? 3 : kind == BlockKind::kDisk ? 2 : 1; }
};

// Find r in the product K of the blocks' sets with  −(u + s) ∈ N_K(r),  u = W r + q,  where on every cone block
// s = (μ|u_T|, 0, 0) if `non_associated` (exact Coulomb, de Saxcé & Feng; docs/theory.md) and s = 0 otherwise (the
// convex relaxation: a variational inequality, for symmetric W the minimum of ½ rᵀWr + qᵀr over K). W is symmetric
// positive semidefinite, dense.
struct ConeProgram {
  MatX W;
  VecX q;
  std::vector<ConeBlock> blocks;
  bool non_associated = true;

  int size() const { return static_cast<int>(q.size()); }
};

// What a solver of cone programs returns: r in K, u = W r + q.
struct ConeAnswer {
  VecX r;
  VecX u;
  SolveReport report;
};

// What is wrong with the program, in words; empty where nothing is: sizes, finite numbers, W symmetric with a diagonal
// ≥ 0, each row in just one block, lower ≤ upper, μ and radii ≥ 0. Definiteness is not tested.
std::string Check(const ConeProgram& program);

// The nearest point to r of the product K of the blocks' sets.
VecX ProjectOnSets(const ConeProgram& program, ConstRef<VecX> r);

// How far r is from solving the program, in the unit of u: the natural map
//   max_i (1/ρ_i) | r_i − P_i( r_i − ρ_i (u_i + s_i) ) |,   u = W r + q,   1/ρ_i = trace(W_ii) / rows_i,
// over the blocks i, with P_i the projection on the block's set and |·| the Euclidean norm of a block, so that the
// basis chosen for the tangents does not matter. Zero just where r solves. ρ_i weighs both sides of each condition in
// velocities: a free row counts |u_i|, an impulse outside its set counts as the velocity it would cause at its own
// contact. Where W_ii = 0, the mean of W's diagonal takes its place. Infinite where a number is not finite.
double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r);

// The same for u = W r + q already at hand.
double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r, ConstRef<VecX> u);

}  // namespace slipstick
