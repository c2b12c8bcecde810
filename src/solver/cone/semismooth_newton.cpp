#include "slipstick/solver/cone/semismooth_newton.h"

#include "slipstick/base/solver_setting_specs.h"
#include "slipstick/solver/cone/block_solutions.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/newton_system.h"

namespace slipstick::internal {

SettingSpec FormulationSpec(ConeFormulation standard) {
  return {
      .name = "formulation",
      .default_value = std::string(standard == ConeFormulation::kAlartCurnier ? "alart-curnier" : "fischer-burmeister"),
      .unit = "",
      .meaning = "equations that Newton's method is applied to",
      .choices = {"alart-curnier", "fischer-burmeister"}};
}

ConeFormulation FormulationNamed(const std::string& name) {
  return name == "fischer-burmeister" ? ConeFormulation::kFischerBurmeister : ConeFormulation::kAlartCurnier;
}

std::vector<SettingSpec> SemismoothNewtonSettings::Specs() {
  const SemismoothNewtonSettings d;
  return {IterationLimitSpec(d.max_iterations, "Newton steps at most"), FormulationSpec(d.formulation),
          SettingSpec{.name = "sweeps",
                      .default_value = static_cast<double>(d.sweeps),
                      .unit = "",
                      .meaning = "sweeps of Gauss-Seidel before the first step",
                      .least = 0,
                      .most = 1e6,
                      .integer = true}};
}

SemismoothNewtonSettings SemismoothNewtonSettings::From(const Settings& settings) {
  return {settings.Integer("max_iterations"), FormulationNamed(settings.Text("formulation")),
          settings.Integer("sweeps")};
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
