#include "slipstick/solver/mlcp/mlcp_enumeration.h"

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "slipstick/solver/mlcp/mlcp_feasibility.h"
#include "slipstick/solver/mlcp/mlcp_partition.h"
#include "slipstick/solver/mlcp/mlcp_scaling.h"

namespace slipstick::internal {
namespace {

const char kSolverName[] = "enumeration";
// Entries are of about one. A basis with a reciprocal condition number below the first is treated as singular; a
// condition counts as broken where it is by more than the second, in parts of what cancels in it.
constexpr double kRegular = 1e-9;
constexpr double kClearly = 1e-6;

std::vector<Side> SidesOf(const BoundedMlcp& problem, int i) {
  std::vector<Side> sides;
  if (problem.lower[i] == problem.upper[i]) return {Side::kLower};
  if (std::isfinite(problem.lower[i])) sides.push_back(Side::kLower);
  if (std::isfinite(problem.upper[i])) sides.push_back(Side::kUpper);
  sides.push_back(Side::kFree);
  return sides;
}

// How a partition was dealt with.
enum class Finding { kSolution, kRuledOut, kUnclear };

class Enumeration {
 public:
  Enumeration(const BoundedMlcp& problem, const Deadline& deadline, BestPoint<BoundedMlcp>* best)
      : problem_(problem), deadline_(deadline), best_(best) {}

  Finding Try(const Partition& partition) {
    free_.clear();
    VecX z = VecX::Zero(problem_.size());
    for (int i = 0; i < problem_.size(); ++i) {
      if (partition[i] == Side::kFree) free_.push_back(i);
      if (partition[i] == Side::kLower) z[i] = problem_.lower[i];
      if (partition[i] == Side::kUpper) z[i] = problem_.upper[i];
    }
    const VecX w_of_bounds = problem_.A * z + problem_.b;
    if (free_.empty()) return TryPoint(partition, z);
    const MatX block = problem_.A(free_, free_);
    const Eigen::PartialPivLU<MatX> lu(block);
    // the estimate of the condition does not see a pivot that is exactly zero
    if (lu.matrixLU().diagonal().cwiseAbs().minCoeff() > kRegular * kRegular && lu.rcond() > kRegular) {
      const VecX rhs = -w_of_bounds(free_);
      VecX x = lu.solve(rhs);
      x += lu.solve(rhs - block * x);
      z(free_) = x;
      return TryPoint(partition, z);
    }
    return TryPolyhedron(partition, w_of_bounds, &z);
  }

 private:
  Finding TryPoint(const Partition& partition, const VecX& z) {
    if (best_->Offer(z)) return Finding::kSolution;
    const VecX w = problem_.A * z + problem_.b;
    const VecX size = problem_.A.cwiseAbs() * z.cwiseAbs() + problem_.b.cwiseAbs();
    for (int i = 0; i < z.size(); ++i) {
      const double clearly = kClearly * size[i];
      const bool pinned = problem_.lower[i] == problem_.upper[i];
      if (partition[i] == Side::kFree && (z[i] < problem_.lower[i] - kClearly * size.maxCoeff() ||
                                          z[i] > problem_.upper[i] + kClearly * size.maxCoeff()))
        return Finding::kRuledOut;
      if (!pinned && partition[i] == Side::kLower && w[i] < -clearly) return Finding::kRuledOut;
      if (!pinned && partition[i] == Side::kUpper && w[i] > clearly) return Finding::kRuledOut;
    }
    return Finding::kUnclear;
  }

  Finding TryPolyhedron(const Partition& partition, const VecX& w_of_bounds, VecX* z) {
    std::vector<RowKind> rows(problem_.size());
    for (int i = 0; i < problem_.size(); ++i) {
      if (partition[i] == Side::kFree)
        rows[i] = RowKind::kZero;
      else if (problem_.lower[i] == problem_.upper[i])
        rows[i] = RowKind::kAny;
      else
        rows[i] = partition[i] == Side::kLower ? RowKind::kNotNegative : RowKind::kNotPositive;
    }
    VecX x;
    const Feasibility found = FindFeasiblePoint(problem_.A(Eigen::all, free_), w_of_bounds, rows, problem_.lower(free_),
                                                problem_.upper(free_), &x, deadline_);
    if (found == Feasibility::kInfeasible) return Finding::kRuledOut;
    if (found == Feasibility::kFeasible) {
      (*z)(free_) = x;
      if (best_->Offer(*z)) return Finding::kSolution;
    }
    return Finding::kUnclear;
  }

  const BoundedMlcp& problem_;
  Deadline deadline_;
  BestPoint<BoundedMlcp>* best_;
  std::vector<int> free_;
};

}  // namespace

MlcpAnswer SolveByEnumeratingBases(const BoundedMlcp& problem, const EnumerationSettings& settings) {
  const Deadline deadline(settings.seconds);
  if (!Check(problem).empty()) return BadInputAnswer(problem.size(), kSolverName);
  const ScaledMlcp<BoundedMlcp> scaled(problem);
  BestPoint<BoundedMlcp> best(problem, scaled, settings.tolerance);
  std::vector<std::vector<Side>> sides;
  double bases = 1;
  for (int i = 0; i < problem.size(); ++i) {
    sides.push_back(SidesOf(scaled.problem(), i));
    bases *= static_cast<double>(sides.back().size());
  }
  if (bases > settings.most_bases) return best.Answer(SolveStatus::kIterationLimit, 0, kSolverName);

  Enumeration enumeration(scaled.problem(), deadline, &best);
  std::vector<std::size_t> choice(problem.size(), 0);
  Partition partition(problem.size());
  bool unclear = false;
  for (int count = 0; count < bases; ++count) {
    if (deadline.HasPassed()) return best.Answer(SolveStatus::kTimeLimit, count, kSolverName);
    for (int i = 0; i < problem.size(); ++i) partition[i] = sides[i][choice[i]];
    const Finding finding = enumeration.Try(partition);
    if (finding == Finding::kSolution) return best.Answer(SolveStatus::kSolved, count + 1, kSolverName);
    unclear = unclear || finding == Finding::kUnclear;
    for (int i = 0; i < problem.size() && ++choice[i] == sides[i].size(); ++i) choice[i] = 0;
  }
  return best.Answer(unclear ? SolveStatus::kStalled : SolveStatus::kNoSolution, static_cast<int>(bases), kSolverName);
}

}  // namespace slipstick::internal
