#include "slipstick/solver/cone/proximal_newton.h"

#include <algorithm>
#include <cmath>

#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/newton_system.h"
#include "slipstick/solver/cone/semismooth_newton.h"

namespace slipstick::internal {
namespace {

constexpr int kStepsPerSubproblem = 20;
constexpr int kEasy = 8, kHard = 14;  // Newton steps after which ε falls, rises
constexpr int kMaxFailures = 8;       // in a row, each with a larger ε
constexpr double kSubproblemTolerance = 1e-13;

}  // namespace

const SettingTable<ProximalNewtonSettings>& ProximalNewtonSettings::Table() {
  using S = ProximalNewtonSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "Newton steps of all subproblems together at most", Between(1, 1e9)},
      {&S::shift, "shift", "", "added to W in the first subproblem, relative to the contacts' own inverse masses",
       Above(0)},
      {&S::least_shift, "least_shift", "", "least of what is added to W", Above(0)},
      {&S::formulation, "formulation", "", "equations that Newton's method is applied to", FormulationWords()},
  };
  return table;
}

ConeAnswer SolveByProximalNewton(const ConeProgram& program, const ProximalNewtonSettings& settings,
                                 const StopRule& stop, const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "proximal-newton");
  ConeRun run(program, stop, warm_start, "proximal-newton");
  const ScaledCone& scaled = run.scaled();
  VecX centre = run.start();
  if (run.Judge(centre)) return run.Solved(0);
  NewtonSystem newton(scaled);
  const double goal = kSubproblemTolerance * scaled.q.cwiseAbs().maxCoeff();
  double shift = settings.shift;
  int iterations = 0, failures = 0;
  while (iterations < settings.max_iterations) {
    VecX x = centre;
    const int most = std::min(kStepsPerSubproblem, settings.max_iterations - iterations);
    const NewtonSystem::Outcome outcome = newton.Solve({settings.formulation, shift, &centre}, most, goal, run, &x);
    iterations += std::max(outcome.steps, 1);
    if (run.Judge(x)) break;
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, iterations);
    if (outcome.reached) {
      centre = x;
      failures = 0;
      if (outcome.steps <= kEasy) shift = std::max(settings.least_shift, 0.2 * shift);
      if (outcome.steps > kHard) shift *= 2;
    } else {
      if (++failures > kMaxFailures) return run.Finish(SolveStatus::kStalled, iterations);
      shift *= 4;
    }
  }
  return run.Finish(SolveStatus::kIterationLimit, iterations);
}

}  // namespace slipstick::internal
