#include "slipstick/solver/mlcp/mlcp_partition.h"

#include <cmath>

namespace slipstick::internal {
namespace {

// A z + b and, beside it, the sum of the absolute values.
void Accumulate(const BoundedMlcp& problem, const VecX& z, VecX* w, VecX* magnitude) {
  *w = problem.b;
  *magnitude = problem.b.cwiseAbs();
  for (int j = 0; j < z.size(); ++j) {
    if (z[j] == 0) continue;
    *w += z[j] * problem.A.col(j);
    *magnitude += std::abs(z[j]) * problem.A.col(j).cwiseAbs();
  }
}

void Accumulate(const SparseBoundedMlcp& problem, const VecX& z, VecX* w, VecX* magnitude) {
  *w = problem.A * z + problem.b;
  *magnitude = problem.A.cwiseAbs() * z.cwiseAbs() + problem.b.cwiseAbs();
}

}  // namespace

template <typename Problem>
Partition PartitionOf(const Problem& problem, const VecX& z) {
  Partition partition(problem.size(), Side::kFree);
  for (int i = 0; i < problem.size(); ++i) {
    if (z[i] <= problem.lower[i] || problem.lower[i] == problem.upper[i])
      partition[i] = Side::kLower;
    else if (z[i] >= problem.upper[i])
      partition[i] = Side::kUpper;
    // infinities in z would name a bound that does not exist
    if (partition[i] == Side::kLower && std::isinf(problem.lower[i])) partition[i] = Side::kFree;
    if (partition[i] == Side::kUpper && std::isinf(problem.upper[i])) partition[i] = Side::kFree;
  }
  return partition;
}

template <typename Problem>
Partition PartitionAtBounds(const Problem& problem) {
  Partition partition(problem.size(), Side::kFree);
  for (int i = 0; i < problem.size(); ++i) {
    if (std::isfinite(problem.lower[i]))
      partition[i] = Side::kLower;
    else if (std::isfinite(problem.upper[i]))
      partition[i] = Side::kUpper;
  }
  return partition;
}

template <typename Problem>
BasicPoint SolvePartition(const Problem& problem, const Partition& partition, FreeBlock* block) {
  BasicPoint point;
  point.z = VecX::Zero(problem.size());
  std::vector<int> free;
  for (int i = 0; i < problem.size(); ++i) {
    if (partition[i] == Side::kFree) free.push_back(i);
    if (partition[i] == Side::kLower) point.z[i] = problem.lower[i];
    if (partition[i] == Side::kUpper) point.z[i] = problem.upper[i];
  }
  Accumulate(problem, point.z, &point.w, &point.magnitude);
  VecX z_free;
  const double magnitude = free.empty() ? 0.0 : point.magnitude(free).maxCoeff();
  point.consistent = block->Solve(free, -point.w(free), magnitude, &z_free);
  point.z(free) = z_free;
  Accumulate(problem, point.z, &point.w, &point.magnitude);
  if (point.consistent) point.w(free).setZero();
  return point;
}

template Partition PartitionOf(const BoundedMlcp& problem, const VecX& z);
template Partition PartitionOf(const SparseBoundedMlcp& problem, const VecX& z);
template Partition PartitionAtBounds(const BoundedMlcp& problem);
template Partition PartitionAtBounds(const SparseBoundedMlcp& problem);
template BasicPoint SolvePartition(const BoundedMlcp& problem, const Partition& partition, FreeBlock* block);
template BasicPoint SolvePartition(const SparseBoundedMlcp& problem, const Partition& partition, FreeBlock* block);

}  // namespace slipstick::internal
