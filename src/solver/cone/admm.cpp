#include "slipstick/solver/cone/admm.h"

#include <algorithm>
#include <cmath>

#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/shifted_factorization.h"

namespace slipstick::internal {
namespace {

constexpr int kJudgeInterval = 5;
constexpr int kBalanceInterval = 20;
constexpr double kImbalance = 5;  // of the two residuals, before ρ is changed

}  // namespace

const SettingTable<AdmmSettings>& AdmmSettings::Table() {
  using S = AdmmSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "iterations at most", Between(1, 1e9)},
      {&S::penalty, "penalty", "", "penalty at the start, relative to the contacts' own inverse masses", Above(0)},
      {&S::relaxation, "relaxation", "", "over-relaxation, below 2", AboveUpTo(0, 2)},
  };
  return table;
}

ConeAnswer SolveByAdmm(const ConeProgram& program, const AdmmSettings& settings, const StopRule& stop,
                       const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "admm");
  ConeRun run(program, stop, warm_start, "admm");
  const ScaledCone& scaled = run.scaled();
  const int n = scaled.size();
  VecX z = run.start(), x(n), s = VecX::Zero(n), before(n), mixed(n);
  if (run.Judge(z)) return run.Solved(0);
  // the multiplier of z ∈ K: −(u + s) at a solution
  if (scaled.non_associated) SetSlipTerms(scaled.blocks, run.velocity(), &s);
  VecX w = -(run.velocity() + s);
  ShiftedFactorization factorization(scaled.W);
  double rho = settings.penalty;
  if (!factorization.Factorize(rho)) return run.Finish(SolveStatus::kSingular, 0);
  for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
    // from w, whose tangential part is −u_T and settles sooner than W z + q
    if (scaled.non_associated) SetSlipTerms(scaled.blocks, w, &s);
    x = factorization.Solve(rho * z - w - scaled.q - s);
    before = z;
    mixed = settings.relaxation * x + (1 - settings.relaxation) * z;
    z = ProjectOnSets(scaled.blocks, mixed + w / rho);
    w += rho * (mixed - z);
    // judging costs half as much as an iteration
    if (iteration % kJudgeInterval == 0) {
      if (run.Judge(z)) return run.Solved(iteration);
      if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, iteration);
    }
    if (iteration % kBalanceInterval != 0) continue;
    const double primal = (x - z).norm() / std::max(x.norm(), z.norm());
    const double dual = rho * (z - before).norm() / w.norm();
    const double ratio = std::sqrt(primal / dual);
    if (std::isfinite(ratio) && (ratio > kImbalance || ratio < 1 / kImbalance)) {
      rho = std::clamp(rho * ratio, 1e-8, 1e8);
      if (!factorization.Factorize(rho)) return run.Finish(SolveStatus::kSingular, iteration);
    }
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
