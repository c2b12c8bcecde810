#include "slipstick/solver/cone/extragradient.h"

#include <algorithm>
#include <cmath>

#include "slipstick/solver/cone/cone_run.h"

namespace slipstick::internal {
namespace {

constexpr double kAccepted = 0.9;  // of τ |F(x) − F(y)| / |x − y|: the step is short enough
constexpr double kTooShort = 0.3;  // below it the step may grow

}  // namespace

const SettingTable<ExtragradientSettings>& ExtragradientSettings::Table() {
  using S = ExtragradientSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "iterations at most", Between(1, 1e9)},
  };
  return table;
}

ConeAnswer SolveByExtragradient(const ConeProgram& program, const ExtragradientSettings& settings, const StopRule& stop,
                                const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "extragradient");
  ConeRun run(program, stop, warm_start, "extragradient");
  const ScaledCone& scaled = run.scaled();
  VecX x = run.start(), halfway, u(x.size()), s = VecX::Zero(x.size()), force, force_halfway;
  const auto force_of = [&](const VecX& velocity) {
    if (!scaled.non_associated) return velocity;
    SetSlipTerms(scaled.blocks, velocity, &s);
    return VecX(velocity + s);
  };
  double step = 1;
  if (run.Judge(x)) return run.Solved(0);
  for (int iteration = 1; iteration <= settings.max_iterations; ++iteration) {
    force = force_of(run.velocity());
    double ratio = 0;
    for (int trial = 0; trial < 60; ++trial) {
      halfway = ProjectOnSets(scaled.blocks, x - step * force);
      scaled.W.Multiply(halfway, u);
      u += scaled.q;
      force_halfway = force_of(u);
      const double distance = (x - halfway).norm();
      ratio = distance > 0 ? step * (force - force_halfway).norm() / distance : 0.0;
      if (ratio <= kAccepted) break;
      step *= 2.0 / 3.0 * std::min(1.0, 1 / ratio);
    }
    x = ProjectOnSets(scaled.blocks, x - step * force_halfway);
    if (ratio < kTooShort) step *= 1.5;
    if (run.Judge(x)) return run.Solved(iteration);
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, iteration);
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
