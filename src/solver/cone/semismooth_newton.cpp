#include "slipstick/solver/cone/semismooth_newton.h"

#include "slipstick/solver/cone/block_solutions.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/newton_system.h"

namespace slipstick::internal {

const SettingWords<ConeFormulation>& FormulationWords() {
  static const SettingWords<ConeFormulation> words = {{"alart-curnier", ConeFormulation::kAlartCurnier},
                                                      {"fischer-burmeister", ConeFormulation::kFischerBurmeister}};
  return words;
}

const SettingTable<SemismoothNewtonSettings>& SemismoothNewtonSettings::Table() {
  using S = SemismoothNewtonSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "Newton steps at most", Between(1, 1e9)},
      {&S::formulation, "formulation", "", "equations that Newton's method is applied to", FormulationWords()},
      {&S::sweeps, "sweeps", "", "sweeps of Gauss-Seidel before the first step", Between(0, 1e6)},
  };
  return table;
}

ConeAnswer SolveBySemismoothNewton(const ConeProgram& program, const SemismoothNewtonSettings& settings,
                                   const StopRule& stop, const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "semismooth-newton");
  ConeRun run(program, stop, warm_start, "semismooth-newton");
  const ScaledCone& scaled = run.scaled();
  VecX x = run.start();
  if (run.Judge(x)) return run.Solved(0);
  BlockSolutions solutions(scaled);
  for (int sweep = 1; sweep <= settings.sweeps; ++sweep) solutions.Sweep(sweep % 2 == 1, &x);
  NewtonSystem newton(scaled);
  const NewtonSystem::Target target{settings.formulation, 0, nullptr};
  for (int step = 1; step <= settings.max_iterations; ++step) {
    const NewtonSystem::Outcome outcome = newton.Solve(target, 1, 0, run, &x);
    if (run.Judge(x)) return run.Solved(step);
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, step);
    if (!outcome.advanced) return run.Finish(outcome.singular ? SolveStatus::kSingular : SolveStatus::kStalled, step);
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
