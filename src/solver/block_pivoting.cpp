#include "slipstick/solver/block_pivoting.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_set>

#include "slipstick/base/check.h"
#include "slipstick/solver/mlcp_partition.h"
#include "slipstick/solver/mlcp_scaling.h"

namespace slipstick {
namespace {

const char kSolverName[] = "block-pivoting";
// A row breaks its condition only by more than this part of the numbers that cancelled in it.
constexpr double kPivotTolerance = 1e-12;
// Block exchanges that may fail when a proximal point is polished.
constexpr int kPolishSteps = 2;
// ε of the proximal phase, relative to the unit diagonal. The least one keeps half of the digits. The first one should
// be such that block exchanges get through: about as large as the skew part where that led them astray.
constexpr double kLeastEpsilon = 1e-7, kLargestEpsilon = 1e3;
constexpr double kFirstForSingular = 0.1, kFirstForStalled = 1;
constexpr double kShrink = 0.2, kGrow = 10;
// ε that picks the answer nearest to zero where there are many: small, as what it adds is polished away.
constexpr double kCentringEpsilon = 1e-6;
// A matrix of unit diagonal with a Cholesky factor's diagonal entry below this counts as singular: rounding leaves
// about 1e-8 there, the square root of the last digit.
constexpr double kSingularPivot = 3e-6;

enum class PivotEnd {
  kComplementary,  // no row breaks its condition
  kStalled,        // single exchanges ran out or went round, or an earlier point was good enough to spare them
  kInconsistent,   // the equations of the last partition have no solution
  kIterationLimit,
};

struct Exchange {
  int row;
  Side to;
};

// The rows that break their condition, by index, and where they go.
std::vector<Exchange> BrokenRows(const BoundedMlcp& problem, const Partition& partition, const BasicPoint& point) {
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

struct PivotLimits {
  int iterations;    // where the common count must not go beyond
  int block_steps;   // p̄
  int single_steps;  // single exchanges in a row
};

// Júdice & Pires' algorithm from the given partition, which it leaves at the last one. Each basic point is shown to
// `offer`, which says whether it will do; that ends the search only where block exchanges have run out, since before
// that the exact partition is near.
PivotEnd Pivot(const BoundedMlcp& problem, const FreeBlock& block, const PivotLimits& limits,
               const std::function<bool(const VecX&)>& offer, Partition* partition, VecX* z, int* iterations) {
  std::size_t fewest = problem.size() + 1;
  int block_steps_left = limits.block_steps;
  SingleExchanges single(problem.size());
  bool good_enough = false;
  while (*iterations < limits.iterations) {
    ++*iterations;
    const BasicPoint point = SolvePartition(problem, block, *partition);
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

// The proximal phase, see the header. ε falls after each step that succeeds and grows after one that fails.
void ProximalPoints(const BoundedMlcp& problem, const FreeBlock& block, const BlockPivotingSettings& settings,
                    double epsilon, int iteration_limit, BestPoint* best, int* iterations) {
  const auto ignore = [](const VecX&) { return false; };
  const auto offer = [best](const VecX& y) { return best->Offer(y); };
  const PivotLimits limits{iteration_limit, settings.block_steps, 0};
  const PivotLimits polish_limits{iteration_limit, kPolishSteps, 0};
  VecX center = VecX::Zero(problem.size()).cwiseMax(problem.lower).cwiseMin(problem.upper);
  Partition center_partition = PartitionAtBounds(problem);
  BoundedMlcp regularized = problem;
  const FreeBlock regularized_block(regularized.A);
  bool failed = false;
  for (int step = 0; step < settings.proximal_steps && *iterations < iteration_limit; ++step) {
    regularized.A.diagonal() = problem.A.diagonal().array() + epsilon;
    regularized.b = problem.b - epsilon * center;
    Partition partition = center_partition;
    VecX z;
    if (Pivot(regularized, regularized_block, limits, ignore, &partition, &z, iterations) != PivotEnd::kComplementary) {
      epsilon *= kGrow;
      if (epsilon > kLargestEpsilon) return;
      failed = true;
      continue;
    }
    // after a failure ε stays for one step, since shrinking at once would only fail again
    if (!failed) epsilon = std::max(kShrink * epsilon, kLeastEpsilon);
    failed = false;
    center = z;
    center_partition = partition;
    if (best->Offer(z)) return;
    // near the solution the partition is right, or a few exchanges from right, long before z has converged
    Pivot(problem, block, polish_limits, offer, &partition, &z, iterations);
    if (best->IsSolution()) return;
  }
}

// Whether a symmetric matrix of unit diagonal is singular within rounding.
bool IsSymmetricAndSingular(const MatX& A) {
  if (A.rows() == 0 || !A.isApprox(A.transpose(), 1e-14)) return false;
  const Eigen::LLT<MatX> cholesky(A);
  return cholesky.info() != Eigen::Success || cholesky.matrixLLT().diagonal().minCoeff() < kSingularPivot;
}

}  // namespace

std::vector<SettingSpec> BlockPivotingSettings::Specs() {
  const BlockPivotingSettings defaults;
  return {
      {.name = "max_iterations",
       .default_value = static_cast<double>(defaults.max_iterations),
       .unit = "",
       .meaning = "factorizations before the best point is returned",
       .least = 1,
       .integer = true},
      {.name = "tolerance",
       .default_value = defaults.tolerance,
       .unit = "",
       .meaning = "natural residual of a solution, relative to the numbers that cancel in it",
       .least = 0,
       .most = 1,
       .least_excluded = true},
      {.name = "block_steps",
       .default_value = static_cast<double>(defaults.block_steps),
       .unit = "",
       .meaning = "block exchanges in a row that may fail before rows are exchanged one by one",
       .least = 0,
       .integer = true},
      {.name = "proximal_steps",
       .default_value = static_cast<double>(defaults.proximal_steps),
       .unit = "",
       .meaning = "proximal steps, tried where pivoting fails; 0 for none",
       .least = 0,
       .integer = true},
  };
}

BlockPivotingSettings BlockPivotingSettings::From(const Settings& settings) {
  BlockPivotingSettings result;
  result.max_iterations = settings.Integer("max_iterations");
  result.tolerance = settings.Number("tolerance");
  result.block_steps = settings.Integer("block_steps");
  result.proximal_steps = settings.Integer("proximal_steps");
  return result;
}

MlcpAnswer SolveByBlockPivoting(const BoundedMlcp& problem, const BlockPivotingSettings& settings,
                                const VecX* warm_start) {
  if (!Check(problem).empty()) return BadInputAnswer(problem, kSolverName);
  SLIPSTICK_CHECK(warm_start == nullptr || warm_start->size() == problem.size(), "warm start of another size");
  const ScaledMlcp scaled(problem);
  const FreeBlock block(scaled.problem().A);
  BestPoint best(problem, scaled, settings.tolerance);
  Partition partition = warm_start != nullptr ? PartitionOf(problem, *warm_start) : PartitionAtBounds(scaled.problem());
  const auto offer = [&best](const VecX& y) { return best.Offer(y); };
  int iterations = 0;
  VecX z;
  // With redundant contacts impulses are not unique. Pivoting alone would end at any of them, another one from step to
  // step; the proximal points from zero end at the one nearest to zero, which follows the motion smoothly.
  if (settings.proximal_steps > 0 && IsSymmetricAndSingular(scaled.problem().A)) {
    ProximalPoints(scaled.problem(), block, settings, kCentringEpsilon, settings.max_iterations / 4, &best,
                   &iterations);
    if (best.IsSolution()) return best.Answer(SolveStatus::kSolved, iterations, kSolverName);
  }
  const PivotLimits first{settings.max_iterations, settings.block_steps, 0};
  PivotEnd end = Pivot(scaled.problem(), block, first, offer, &partition, &z, &iterations);
  if (!best.IsSolution() && settings.proximal_steps > 0) {
    // half of what is left: the rest is for the last phase
    const int limit = iterations + (settings.max_iterations - iterations) / 2;
    const double epsilon = end == PivotEnd::kInconsistent ? kFirstForSingular : kFirstForStalled;
    ProximalPoints(scaled.problem(), block, settings, epsilon, limit, &best, &iterations);
  }
  if (!best.IsSolution() && end == PivotEnd::kStalled) {
    const PivotLimits last{settings.max_iterations, settings.block_steps, settings.max_iterations};
    end = Pivot(scaled.problem(), block, last, offer, &partition, &z, &iterations);
  }

  SolveStatus unsolved = SolveStatus::kStalled;
  if (iterations >= settings.max_iterations)
    unsolved = SolveStatus::kIterationLimit;
  else if (end == PivotEnd::kInconsistent)
    unsolved = SolveStatus::kSingular;
  return best.Answer(unsolved, iterations, kSolverName);
}

}  // namespace slipstick
