#pragma once

#include <limits>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

struct BlockPivotingSettings {
  int max_iterations = 1000;  // factorizations, all phases together
  double tolerance = 1e-10;   // NaturalResidual ≤ tolerance · ResidualScale
  int block_steps = 10;       // p̄: block exchanges in a row that may fail to lessen the infeasibilities
  int proximal_steps = 60;    // 0: no proximal phase
  int interior_steps = 60;    // 0: no interior points
  // factors of A_FF follow F as rows enter and leave it; false: each is made afresh, the plain twin
  bool update_factors = true;
  bool find_sparsity = true;  // dense matrices with few nonzeros, or a low rank, are factorized as sparse ones
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, looked at before each factorization

  static const SettingTable<BlockPivotingSettings>& Table();
};

// Block principal pivoting with bounds, the basic-set algorithm of Júdice & Pires, "Basic-set algorithm for a
// generalized linear complementarity problem", J. Optim. Theory Appl. 74 (1992); Peiret et al. use the same.
//
// Every row is in F (w_i = 0), L (z_i = l_i) or U (z_i = u_i). The basic point of that partition is computed, and rows
// that break their bound (in F) or the sign of w (in L, U) change sides, all at once. If the number of such rows has
// not fallen for p̄ exchanges, only the one of least index changes (Murty's rule) until it falls. For a P-matrix, which
// every positive definite A is, that ends at the one solution.
//
// Where it differs from the paper:
// - The problem is scaled to a unit diagonal first.
// - Factors of A_FF follow F from one exchange to the next (mlcp_updated_cholesky.h, mlcp_bordered_lu.h) where few rows
//   change. A_FF may be singular: if its equations are consistent the least-norm point is taken (free_block.h).
// - Where A is symmetric and singular the proximal points below come first, with a small ε: of many answers they find
//   the one nearest to zero, whatever the warm start.
// - Murty's rule takes the least index and the greatest in turns, each turn twice as long as the one before.
// - Where A is not symmetric and exchanges fail, interior points (mlcp_interior_path.h) give another partition to start
//   from. They come first where a bounded row has no diagonal, as the slip speeds of polygonal friction: such an A is
//   no P-matrix, and exchanges from the bounds go round more often than not.
// - Before single exchanges are made, proximal points are tried, which cost far less on redundant contacts and on
//   matrices with a large skew part: A z + b + ε(z − z_k) in place of A z + b, with z_k the answer before, z_0 nearest
//   to zero. Each of them is a P-problem where A is monotone (zᵀAz ≥ 0), easier than the problem itself, and they
//   converge to a solution if there is one. Where A is not monotone they often help too, and are judged by their
//   residual like everything else. Half of the iterations are kept for the single exchanges.
// - A partition that comes back ends the single exchanges.
//
// kSolved is said only of points that meet the tolerance. Otherwise the point with the least residual comes back, with
// kIterationLimit, kTimeLimit, kSingular (ended at inconsistent equations) or kStalled.
//
// `warm_start`, of the problem's size, gives the first partition; values are not used beyond that. Without it all rows
// start at their bounds.
//
// Large problems with few nonzeros are factorized as sparse matrices: those given so, and dense ones of at least 200
// rows with less than a tenth of their entries, or with a block of low rank and little else (mlcp_low_rank.h).
MlcpAnswer SolveByBlockPivoting(const BoundedMlcp& problem, const BlockPivotingSettings& settings,
                                const VecX* warm_start = nullptr);
MlcpAnswer SolveByBlockPivoting(const SparseBoundedMlcp& problem, const BlockPivotingSettings& settings,
                                const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
