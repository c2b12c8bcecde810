#pragma once

#include <functional>

#include "slipstick/base/deadline.h"
#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp/mlcp_partition.h"

namespace slipstick::internal {

enum class PivotEnd {
  kComplementary,   // no row breaks its condition
  kStalled,         // single exchanges ran out or went round, or an earlier point was good enough to spare them
  kInconsistent,    // the equations of the last partition have no solution
  kIterationLimit,  // or the time is over
};

struct PivotLimits {
  int iterations;    // where the common count must not go beyond
  int block_steps;   // p̄
  int single_steps;  // single exchanges in a row
  Deadline deadline = {};
};

// Júdice & Pires' algorithm (block_pivoting.h) from the given partition, which it leaves at the last one. Each basic
// point is shown to `offer`, which says whether it will do; that ends the search only where block exchanges have run
// out, since before that the exact partition is near. `block` belongs to the matrix of the problem.
template <typename Problem>
PivotEnd Pivot(const Problem& problem, const PivotLimits& limits, const std::function<bool(const VecX&)>& offer,
               FreeBlock* block, Partition* partition, VecX* z, int* iterations);

}  // namespace slipstick::internal
