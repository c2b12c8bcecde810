#pragma once

#include <string>
#include <vector>

#include "slipstick/base/sparse.h"
#include "slipstick/math/friction_cone.h"
#include "slipstick/program/solve_report.h"

namespace slipstick::internal {

// The set one block of the variables lives in.
enum class BlockKind {
  kFree,      // 1 row, no bound: a bilateral constraint
  kInterval,  // 1 row, lower ≤ r ≤ upper
  kCone,      // the rows of a FrictionCone, normal first
  kDisk,      // 2 rows: |r| ≤ radius
};

struct ConeBlock {
  BlockKind kind = BlockKind::kFree;
  int offset = 0;               // first row
  double lower = 0, upper = 0;  // kInterval; either may be infinite
  double radius = 0;            // kDisk; may be infinite
  FrictionCone cone;            // kCone

  static ConeBlock Free(int offset) { return {.kind = BlockKind::kFree, .offset = offset, .cone = {}}; }
  static ConeBlock Interval(int offset, double lower, double upper) {
    return {.kind = BlockKind::kInterval, .offset = offset, .lower = lower, .upper = upper, .cone = {}};
  }
  static ConeBlock Disk(int offset, double radius) {
    return {.kind = BlockKind::kDisk, .offset = offset, .radius = radius, .cone = {}};
  }
  static ConeBlock Cone(int offset, const FrictionCone& cone) {
    return {.kind = BlockKind::kCone, .offset = offset, .cone = cone};
  }
  static ConeBlock Cone(int offset, double mu) { return Cone(offset, FrictionCone::Sliding(mu)); }

  int rows() const { return kind == BlockKind::kCone ? cone.rows() : kind == BlockKind::kDisk ? 2 : 1; }
  double mu() const { return cone.mu(); }
};

// Find r in the product K of the blocks' sets with  −(u + s) ∈ N_K(r),  u = W r + q,  where on every cone block
// s = (Σ c_k|u_k|, 0, …) if `non_associated` (exact Coulomb, de Saxcé & Feng; docs/theory.md) and s = 0 otherwise (the
// convex relaxation: a variational inequality, for symmetric W the minimum of ½ rᵀWr + qᵀr over K). W is positive
// semidefinite; saved problems of others are symmetric only to a few digits, and then just the solvers that need no
// symmetry reach the last of them.
struct ConeProgram {
  SparseMat W;
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

// What is wrong with the program, in words; empty where nothing is: sizes, finite numbers, W with a diagonal ≥ 0, each
// row in just one block, lower ≤ upper, coefficients and radii ≥ 0. Definiteness and symmetry are not tested.
std::string Check(const ConeProgram& program);

// The nearest point to r of the product K of the blocks' sets.
VecX ProjectOnSets(const std::vector<ConeBlock>& blocks, ConstRef<VecX> r);
// The same of one block, on its rows alone; `out` may be z.
void ProjectOnBlock(const ConeBlock& block, const double* z, double* out);

// 1/ρ_i of the natural map of each block, from the diagonal of W: trace(W_ii) / rows_i, and where that is 0 the mean of
// the diagonal.
VecX BlockScales(const std::vector<ConeBlock>& blocks, ConstRef<VecX> diagonal);

// |r − P(r − (u + s)/scale)| · scale of one block, on its rows alone, in the unit of u. Never below the distance of
// u + s from the directions that u may have there at all, which is the same in exact numbers: where r is so large that
// u is lost in rounding, that is what is left of the residual. Nor below −u_N for exact Coulomb with μ > 10: the
// natural map has but 1/μ of it, so that with a large μ anything would pass.
double NaturalMapNorm(const ConeBlock& block, bool non_associated, double scale, const double* r, const double* u);

// How far r is from solving the program, in the unit of u: the natural map
//   max_i (1/ρ_i) | r_i − P_i( r_i − ρ_i (u_i + s_i) ) |,   u = W r + q,   1/ρ_i = trace(W_ii) / rows_i,
// over the blocks i, with P_i the projection on the block's set and |·| the Euclidean norm of a block, so that the
// basis chosen for the tangents does not matter. Zero just where r solves. ρ_i weighs both sides of each condition in
// velocities: a free row counts |u_i|, an impulse outside its set counts as the velocity it would cause at its own
// contact. Infinite where a number is not finite.
double NaturalResidual(const ConeProgram& program, ConstRef<VecX> r);
// The same for u = W r + q and the blocks' scales already at hand.
double NaturalResidual(const std::vector<ConeBlock>& blocks, bool non_associated, ConstRef<VecX> scales,
                       ConstRef<VecX> r, ConstRef<VecX> u);

}  // namespace slipstick::internal
