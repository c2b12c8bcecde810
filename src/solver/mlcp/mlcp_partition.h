#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp/free_block.h"

namespace slipstick::internal {

// Which of its three conditions a row is asked to meet with equality.
enum class Side : std::uint8_t { kFree, kLower, kUpper };  // w_i = 0; z_i = l_i; z_i = u_i

// One side for each row: Júdice & Pires' sets F, L, U. Rows without bounds are always kFree, pinned ones never.
using Partition = std::vector<Side>;

// The partition a point suggests: on a bound or beyond it, or in between.
template <typename Problem>
Partition PartitionOf(const Problem& problem, const VecX& z);

// Every row on a bound if it has one, on the lower one if it can be.
template <typename Problem>
Partition PartitionAtBounds(const Problem& problem);

// The point that a partition determines: z at the bounds of L and U, A_FF z_F = −(b_F + A_FL l_L + A_FU u_U).
struct BasicPoint {
  bool consistent = false;  // the equations of F have a solution
  VecX z;                   // not necessarily within the bounds
  VecX w;                   // A z + b, zero in F
  VecX magnitude;           // |b_i| + Σ_j |A_ij z_j|, the size of what cancels in w
};
template <typename Problem>
BasicPoint SolvePartition(const Problem& problem, const Partition& partition, FreeBlock* block);

}  // namespace slipstick::internal
