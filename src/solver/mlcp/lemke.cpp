#include "slipstick/solver/mlcp/lemke.h"

#include <cmath>
#include <memory>
#include <optional>

#include "slipstick/solver/mlcp/lcp_reduction.h"
#include "slipstick/solver/mlcp/lemke_tableau.h"
#include "slipstick/solver/mlcp/mlcp_partition.h"
#include "slipstick/solver/mlcp/mlcp_scaling.h"

namespace slipstick::internal {
namespace {

const char kSolverName[] = "lemke";

// Ones at first; then, in later attempts, numbers between 1 and 2 that follow no pattern of the problem.
VecX CoveringVector(int size, int attempt) {
  VecX cover = VecX::Ones(size);
  if (attempt == 0) return cover;
  for (int i = 0; i < size; ++i) {
    double whole;
    cover[i] += std::modf((i + 1) * 0.6180339887498949 * attempt, &whole);  // golden ratio: spreads evenly
  }
  return cover;
}

// v ≥ 0, Mᵀv ≤ 0, qᵀv < 0: then 0 ≤ vᵀ(M x + q) ≤ qᵀv < 0 for every feasible x, so there is none. Allowing for
// rounding, what is excluded are x below some 1e8 times the size of q.
bool ProvesInfeasible(const MatX& M, const VecX& q, const VecX& ray) {
  const double length = ray.lpNorm<1>();
  if (!(length > 0)) return false;
  const VecX v = ray / length;
  return (M.transpose() * v).maxCoeff() <= 1e-12 && q.dot(v) <= -1e-4 * q.cwiseAbs().dot(v);
}

}  // namespace

const SettingTable<LemkeSettings>& LemkeSettings::Table() {
  using S = LemkeSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "pivots before the best point is returned", AtLeast(1)},
      {&S::tolerance, "tolerance", "", "natural residual of a solution, relative to the numbers that cancel in it",
       AboveUpTo(0, 1)},
      {&S::attempts, "attempts", "", "covering vectors to try, one after the other", AtLeast(1)},
  };
  return table;
}

MlcpAnswer SolveByLemke(const BoundedMlcp& problem, const LemkeSettings& settings) {
  const Deadline deadline(settings.seconds);
  if (!Check(problem).empty()) return BadInputAnswer(problem.size(), kSolverName);
  const ScaledMlcp<BoundedMlcp> scaled(problem);
  BestPoint<BoundedMlcp> best(problem, scaled, settings.tolerance);
  const std::optional<LcpReduction> lcp = LcpReduction::Make(scaled.problem());
  if (!lcp) return best.Answer(SolveStatus::kNoSolution, 0, kSolverName);

  const std::unique_ptr<FreeBlock> block = MakeFreeBlock(scaled.problem().A, FactorUse::kFresh);
  const double size = lcp->size() > 0 ? lcp->q().lpNorm<Eigen::Infinity>() : 0;
  const double unit = size > 0 ? size : 1.0;  // the path scales with q
  const VecX q = lcp->q() / unit;
  SolveStatus status = SolveStatus::kStalled;
  int iterations = 0;
  for (int attempt = 0; attempt < settings.attempts && iterations < settings.max_iterations; ++attempt) {
    if (deadline.HasPassed()) break;
    const VecX cover = CoveringVector(lcp->size(), attempt);
    const LemkeResult path = FollowLemkePath(lcp->M(), q, cover, settings.max_iterations - iterations, deadline);
    iterations += path.iterations;
    best.Offer(lcp->Recover(unit * path.x));
    switch (path.end) {
      case LemkeEnd::kSolution:
        best.Offer(SolvePartition(scaled.problem(), lcp->RecoverPartition(path.x_is_basic), block.get()).z);
        status = SolveStatus::kStalled;
        break;
      case LemkeEnd::kRay:
        if (ProvesInfeasible(lcp->M(), q, path.ray))
          return best.Answer(SolveStatus::kNoSolution, iterations, kSolverName);
        status = SolveStatus::kRay;
        break;
      case LemkeEnd::kIterationLimit:
        status = SolveStatus::kIterationLimit;
        break;
      case LemkeEnd::kNumerical:
        status = SolveStatus::kStalled;
        break;
    }
    if (best.IsSolution()) break;
  }
  return best.Answer(deadline.HasPassed() ? SolveStatus::kTimeLimit : status, iterations, kSolverName);
}

}  // namespace slipstick::internal
