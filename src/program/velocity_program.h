#pragma once

#include "slipstick/math/block_diagonal.h"
#include "slipstick/math/block_rows.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// The cone problem of ConeProgram with velocities kept: W = J M⁻¹ Jᵀ + diag(compliance) is never made. A heap of 216
// boxes has 3,111 rows of contacts but 1,296 velocities, and M + Jᵀ D J has a hundredth of W's entries where W's factor
// would be full.
struct VelocityProgram {
  const BlockDiagonal* mass = nullptr;  // factorized
  BlockRows rows;                       // J, groups in the order of the blocks, each with whole blocks
  VecX q;                               // J v_free − targets
  VecX compliance;                      // of each row, ≥ 0
  std::vector<ConeBlock> blocks;        // offsets ascending
  bool non_associated = true;

  int size() const { return static_cast<int>(q.size()); }
};

// The same problem with v⁺ eliminated.
ConeProgram EliminateVelocities(const VelocityProgram& program);

}  // namespace slipstick::internal
