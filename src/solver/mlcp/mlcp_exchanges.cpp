#include "slipstick/solver/mlcp/mlcp_exchanges.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace slipstick::internal {
namespace {

// A row breaks its condition only by more than this part of the numbers that cancelled in it.
constexpr double kPivotTolerance = 1e-12;

struct Exchange {
  int row;
  Side to;
};

// The rows that break their condition, by index, and where they go.
template <typename Problem>
std::vector<Exchange> BrokenRows(const Problem& problem, const Partition& partition, const BasicPoint& point) {
  std::vector<Exchange> broken;
  for (int i = 0; i < problem.size(); ++i) {
    const double tolerance = kPivotTolerance * point.magnitude[i];
    switch (partition[i]) {
      case Side::kFree:
        if (point.z[i] < problem.lower[i] - tolerance) broken.push_back({i, Side::kLower});
        if (point.z[i] > problem.upper[i] + tolerance) broken.push_back({i, Side::kUpper});
        break;
      case Side::kLower:
        if (point.w[i] < -tolerance && problem.lower[i] < problem.upper[i]) broken.push_back({i, Side::kFree});
        break;
      case Side::kUpper:
        if (point.w[i] > tolerance && problem.lower[i] < problem.upper[i]) broken.push_back({i, Side::kFree});
        break;
    }
  }
  return broken;
}

std::uint64_t Hash(const Partition& partition) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const Side side : partition) hash = (hash ^ static_cast<std::uint64_t>(side)) * 1099511628211u;
  return hash;
}

// Murty's rule: the broken row that comes first in a fixed order of the rows. Any order will do for a P-matrix, but
// each has problems where it takes exponentially many steps; so the order is turned round after a while, and each turn
// lasts twice as long as the one before, which keeps the whole finite.
class SingleExchanges {
 public:
  explicit SingleExchanges(int rows) : turn_(2 * rows + 10), left_(turn_) {}

  int count() const { return count_; }

  // Whether the partition was here before in this turn: not a P-matrix, or one that rounding hides.
  bool IsCycle(const Partition& partition) { return !seen_.insert(Hash(partition)).second; }

  const Exchange& Choose(const std::vector<Exchange>& broken) {
    const Exchange& chosen = least_first_ ? broken.front() : broken.back();
    ++count_;
    if (--left_ == 0) {
      least_first_ = !least_first_;
      turn_ *= 2;
      left_ = turn_;
      seen_.clear();
    }
    return chosen;
  }

 private:
  int count_ = 0;
  long turn_;
  long left_;
  bool least_first_ = true;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

template <typename Problem>
PivotEnd Pivot(const Problem& problem, const PivotLimits& limits, const std::function<bool(const VecX&)>& offer,
               FreeBlock* block, Partition* partition, VecX* z, int* iterations) {
  std::size_t fewest = problem.size() + 1;
  int block_steps_left = limits.block_steps;
  SingleExchanges single(problem.size());
  bool good_enough = false;
  while (*iterations < limits.iterations && !limits.deadline.HasPassed()) {
    ++*iterations;
    const BasicPoint point = SolvePartition(problem, *partition, block);
    *z = point.z;
    good_enough = offer(point.z) || good_enough;
    if (!point.consistent) return PivotEnd::kInconsistent;
    const std::vector<Exchange> broken = BrokenRows(problem, *partition, point);
    if (broken.empty()) return PivotEnd::kComplementary;
    if (broken.size() < fewest) {
      fewest = broken.size();
      block_steps_left = limits.block_steps;
      single = SingleExchanges(problem.size());
    } else {
      --block_steps_left;
    }
    if (block_steps_left >= 0) {
      for (const Exchange& exchange : broken) (*partition)[exchange.row] = exchange.to;
    } else {
      if (good_enough || single.count() >= limits.single_steps || single.IsCycle(*partition)) return PivotEnd::kStalled;
      const Exchange& exchange = single.Choose(broken);
      (*partition)[exchange.row] = exchange.to;
    }
  }
  return PivotEnd::kIterationLimit;
}

template PivotEnd Pivot(const BoundedMlcp& problem, const PivotLimits& limits,
                        const std::function<bool(const VecX&)>& offer, FreeBlock* block, Partition* partition, VecX* z,
                        int* iterations);
template PivotEnd Pivot(const SparseBoundedMlcp& problem, const PivotLimits& limits,
                        const std::function<bool(const VecX&)>& offer, FreeBlock* block, Partition* partition, VecX* z,
                        int* iterations);

}  // namespace slipstick::internal
