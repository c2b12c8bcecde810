#include "slipstick/solver/cone/gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "slipstick/solver/cone/block_solutions.h"
#include "slipstick/solver/cone/cone_run.h"

namespace slipstick::internal {
namespace {

constexpr int kStallWindow = 50;

}  // namespace

const SettingTable<GaussSeidelSettings>& GaussSeidelSettings::Table() {
  using S = GaussSeidelSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "sweeps over all contacts at most", Between(1, 1e9)},
      {&S::relaxation, "relaxation", "", "share of each contact's exact solution that is taken, up to 2",
       Between(0, 2)},
      {&S::stall_factor, "stall_factor", "",
       "given up where 50 sweeps leave more than this part of the error; 1: never", Between(0, 1)},
  };
  return table;
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
