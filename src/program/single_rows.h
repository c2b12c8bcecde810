#pragma once

#include <vector>

#include "slipstick/math/block_diagonal.h"
#include "slipstick/program/solve_report.h"

namespace slipstick::internal {

// Rows with bounds that resist single velocities each, as friction of joints, stops and motors do, with velocities
// kept: find v and z with
//   M (v − v_free) = Σ d_i z_i e_{k_i},   l ≤ z ≤ u,   w_i = d_i v_{k_i} − t_i,
// and each pair z_i, w_i as in BoundedMlcp, of which this is the case A_ij = d_i d_j (M⁻¹)_{k_i k_j}. Several rows may
// resist one velocity.
struct SingleRowsProgram {
  struct Row {
    int block = 0, index = 0;  // which velocity: the block and the number within it
    double factor = 1;         // d
    double target = 0;         // t
    double lower = 0, upper = 0;
  };

  const BlockDiagonal* mass = nullptr;  // factorized
  const VecX* free_velocity = nullptr;
  std::vector<Row> rows;

  int size() const { return static_cast<int>(rows.size()); }
};

// What a solver of these returns: impulses within their bounds and velocities of rows that hold at their targets, both
// exactly. What the velocities lack of the momentum that the impulses give is rounding.
struct SingleRowsAnswer {
  VecX z, velocity;
  SolveReport report;
};

}  // namespace slipstick::internal
