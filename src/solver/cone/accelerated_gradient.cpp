#include "slipstick/solver/cone/accelerated_gradient.h"

#include <algorithm>
#include <cmath>

#include "slipstick/solver/cone/cone_run.h"

namespace slipstick::internal {

const SettingTable<AcceleratedGradientSettings>& AcceleratedGradientSettings::Table() {
  using S = AcceleratedGradientSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "iterations at most", Between(1, 1e9)},
  };
  return table;
}

ConeAnswer SolveByAcceleratedGradient(const ConeProgram& program, const AcceleratedGradientSettings& settings,
                                      const StopRule& stop, const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "accelerated-gradient");
  ConeRun run(program, stop, warm_start, "accelerated-gradient");
  const ScaledCone& scaled = run.scaled();
  VecX x = run.start(), next, gradient(x.size()), change, image(x.size());
  VecX ahead = x, s = VecX::Zero(x.size());
  if (run.Judge(x)) return run.Solved(0);
  double momentum = 1, lipschitz = 1;
  for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
    if (scaled.non_associated) SetSlipTerms(scaled.blocks, run.velocity(), &s);
    scaled.W.Multiply(ahead, gradient);
    gradient += scaled.q + s;
    // ½ dᵀWd ≤ ½ L |d|² makes the step safe
    for (;;) {
      next = ProjectOnSets(scaled.blocks, ahead - gradient / lipschitz);
      change = next - ahead;
      scaled.W.Multiply(change, image);
      if (!(change.dot(image) > lipschitz * change.squaredNorm() * (1 + 1e-12))) break;
      lipschitz *= 2;
    }
    if (gradient.dot(next - x) > 0) {
      momentum = 1;
      ahead = next;
    } else {
      const double following = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
      ahead = next + (momentum - 1) / following * (next - x);
      momentum = following;
    }
    x = next;
    lipschitz *= 0.97;  // so that a step too short for here does not stay
    if (run.Judge(x)) return run.Solved(iteration);
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, iteration);
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
