#include "slipstick/solver/cone/gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/solver_setting_specs.h"
#include "slipstick/solver/cone/block_solutions.h"
#include "slipstick/solver/cone/cone_run.h"

namespace slipstick::internal {
namespace {

constexpr int kStallWindow = 50;

}  // namespace

std::vector<SettingSpec> GaussSeidelSettings::Specs() {
  const GaussSeidelSettings d;
  return {IterationLimitSpec(d.max_iterations, "sweeps over all contacts at most"),
          {.name = "relaxation",
           .default_value = d.relaxation,
           .unit = "",
           .meaning = "share of each contact's exact solution that is taken, up to 2",
           .least = 0,
           .most = 2},
          {.name = "stall_factor",
           .default_value = d.stall_factor,
           .unit = "",
           .meaning = "given up where 50 sweeps leave more than this part of the error; 1: never",
           .least = 0,
           .most = 1}};
}

GaussSeidelSettings GaussSeidelSettings::From(const Settings& settings) {
  return {settings.Integer("max_iterations"), settings.Number("relaxation"), settings.Number("stall_factor")};
}

ConeAnswer SolveByGaussSeidel(const ConeProgram& program, const GaussSeidelSettings& settings, const StopRule& stop,
                              const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "gauss-seidel");
  ConeRun run(program, stop, warm_start, "gauss-seidel");
  BlockSolutions solutions(run.scaled());
  VecX r = run.start();
  if (run.Judge(r)) return run.Solved(0);
  double error_at_window = run.best_error();
  int next_check = 1;
  for (int sweep = 1; sweep <= settings.max_iterations; ++sweep) {
    solutions.Sweep(sweep % 2 == 1, &r, settings.relaxation);
    // judging costs as much as a sweep: seldom while the goal is far
    if (sweep < next_check && sweep < settings.max_iterations) continue;
    if (run.Judge(r)) return run.Solved(sweep);
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, sweep);
    next_check = sweep + std::clamp(sweep / 10, 1, 10);
    if (sweep % kStallWindow < next_check - sweep && sweep >= kStallWindow) {
      if (run.best_error() > settings.stall_factor * error_at_window) return run.Finish(SolveStatus::kStalled, sweep);
      error_at_window = run.best_error();
    }
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
