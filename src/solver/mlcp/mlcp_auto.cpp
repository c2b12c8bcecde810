#include "slipstick/solver/mlcp/mlcp_auto.h"

#include <chrono>
#include <string>
#include <utility>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "slipstick/solver/mlcp/mlcp_enumeration.h"
#include "slipstick/solver/mlcp/mlcp_feasibility.h"
#include "slipstick/solver/mlcp/mlcp_interior_path.h"
#include "slipstick/solver/mlcp/mlcp_scaling.h"

namespace slipstick::internal {
namespace {

constexpr int kInteriorSteps = 200;
constexpr int kManyCovers = 20;

MlcpAnswer SolveByInteriorPoints(const BoundedMlcp& problem, double tolerance, const Deadline& deadline) {
  const ScaledMlcp<BoundedMlcp> scaled(problem);
  BestPoint<BoundedMlcp> best(problem, scaled, tolerance);
  int iterations = 0;
  FollowInteriorPath(
      scaled.problem(), kInteriorSteps, kInteriorSteps,
      [&best](const VecX& z, const Partition&) { return best.Offer(z); }, &iterations, deadline);
  return best.Answer(SolveStatus::kStalled, iterations, "");
}

MlcpAnswer ProveInfeasible(const BoundedMlcp& problem, double tolerance, const Deadline& deadline) {
  const ScaledMlcp<BoundedMlcp> scaled(problem);
  BestPoint<BoundedMlcp> best(problem, scaled, tolerance);
  VecX y;
  const Feasibility found = FindFeasiblePoint(scaled.problem(), &y, deadline);
  if (found == Feasibility::kFeasible) best.Offer(y);
  return best.Answer(found == Feasibility::kInfeasible ? SolveStatus::kNoSolution : SolveStatus::kStalled, 0, "");
}

// The answers so far, judged by their residual alone.
class Ladder {
 public:
  Ladder(const BoundedMlcp& problem, double tolerance, const Deadline& deadline)
      : problem_(problem), tolerance_(tolerance), deadline_(deadline) {}

  // True if there is nothing more to try, or no time to.
  template <typename Solve>
  bool Climb(const std::string& name, const Solve& solve) {
    const auto start = std::chrono::steady_clock::now();
    MlcpAnswer answer = solve();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    answer.report.residual = NaturalResidual(problem_, answer.z);
    const bool solved = answer.report.residual <= tolerance_ * ResidualScale(problem_, answer.z);
    // a solver's word counts for nothing here, unless it is a proof
    if (solved)
      answer.report.status = SolveStatus::kSolved;
    else if (answer.report.status == SolveStatus::kSolved)
      answer.report.status = SolveStatus::kStalled;
    answer.report.solver = name;
    tried_.push_back({name, answer.report.status, answer.report.iterations, answer.report.residual, elapsed.count()});
    const bool proved = answer.report.status == SolveStatus::kNoSolution;
    if (tried_.size() == 1 || solved || answer.report.residual < best_.report.residual) best_ = std::move(answer);
    if (proved) {
      // by whom it is known, and the point that comes nearest
      best_.report.status = SolveStatus::kNoSolution;
      best_.report.solver = name;
    }
    if (solved || proved || best_.report.status == SolveStatus::kBadInput) return true;
    if (!deadline_.HasPassed()) return false;
    best_.report.status = SolveStatus::kTimeLimit;
    return true;
  }

  MlcpAnswer Answer() && {
    best_.report.tried = std::move(tried_);
    return std::move(best_);
  }

 private:
  const BoundedMlcp& problem_;
  double tolerance_;
  Deadline deadline_;
  MlcpAnswer best_;
  std::vector<SolveAttempt> tried_;
};

}  // namespace

MlcpAnswer SolveMlcpByAuto(const BoundedMlcp& problem, const MlcpAutoSettings& settings, const VecX* warm_start) {
  if (!Check(problem).empty()) return BadInputAnswer(problem.size(), "auto");
  const double tolerance = settings.tolerance;
  const Deadline deadline(settings.seconds);
  Ladder ladder(problem, tolerance, deadline);
  const auto pivoting = [&] {
    return SolveByBlockPivoting(problem, {.tolerance = tolerance, .seconds = deadline.SecondsLeft()}, warm_start);
  };
  const auto lemke = [&](int attempts, int pivots) {
    return SolveByLemke(
        problem,
        {.max_iterations = pivots, .tolerance = tolerance, .attempts = attempts, .seconds = deadline.SecondsLeft()});
  };
  const LemkeSettings usual;
  const bool small_enough = problem.size() <= settings.largest_for_lemke;
  // each rung only where those before it have failed
  const bool ended =
      ladder.Climb("block-pivoting", pivoting) ||
      (small_enough && ladder.Climb("lemke", [&] { return lemke(usual.attempts, usual.max_iterations); })) ||
      ladder.Climb("interior-points", [&] { return SolveByInteriorPoints(problem, tolerance, deadline); }) ||
      (small_enough && ladder.Climb("feasibility", [&] { return ProveInfeasible(problem, tolerance, deadline); })) ||
      (small_enough && ladder.Climb("lemke-covers", [&] { return lemke(kManyCovers, 5 * usual.max_iterations); }));
  if (!ended) {
    ladder.Climb("enumeration", [&] {
      return SolveByEnumeratingBases(problem, {tolerance, settings.most_bases, deadline.SecondsLeft()});
    });
  }
  return std::move(ladder).Answer();
}

}  // namespace slipstick::internal
