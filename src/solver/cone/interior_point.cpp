#include "slipstick/solver/cone/interior_point.h"

#include <algorithm>
#include <limits>

#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/interior_iteration.h"
#include "slipstick/solver/cone/shifted_factorization.h"

namespace slipstick::internal {
namespace {

constexpr double kLeastStep = 1e-8;
constexpr int kPatience = 40;  // iterations without a better answer

// W as it is, dense or sparse.
class DelassusOperator : public ShiftedOperator {
 public:
  explicit DelassusOperator(const ScaledCone& program)
      : program_(program), factorization_(program.W, !program.non_associated) {}

  void Multiply(const VecX& x, VecX* out) const override { program_.W.Multiply(x, *out); }
  bool Factorize(const std::vector<ContactMatrix>& blocks) override { return factorization_.Factorize(blocks); }
  void Solve(const VecX& right, VecX* x) const override { *x = factorization_.Solve(right); }

 private:
  const ScaledCone& program_;
  ShiftedFactorization factorization_;
};

}  // namespace

const SettingTable<InteriorPointSettings>& InteriorPointSettings::Table() {
  using S = InteriorPointSettings;
  static const SettingTable<S> table = {
      {&S::max_iterations, "max_iterations", "", "iterations at most", Between(1, 1e9)},
  };
  return table;
}

ConeAnswer SolveByInteriorPoint(const ConeProgram& program, const InteriorPointSettings& settings, const StopRule& stop,
                                const VecX* warm_start) {
  if (!Check(program).empty()) return RefusedProgram(program, "interior-point");
  ConeRun run(program, stop, warm_start, "interior-point");
  const ScaledCone& scaled = run.scaled();
  if (run.Judge(run.start())) return run.Solved(0);
  DelassusOperator matrix(scaled);
  InteriorIteration iteration(scaled.blocks, scaled.non_associated, scaled.q, run.start(), stop.tolerance, &matrix);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int count = 1; count <= settings.max_iterations; ++count) {
    // not finite: y or z have reached the border within rounding
    if (!iteration.Step()) return run.Finish(SolveStatus::kStalled, count);
    if (run.Judge(ProjectOnSets(scaled.blocks, iteration.x()))) return run.Solved(count);
    if (run.TimeIsUp()) return run.Finish(SolveStatus::kTimeLimit, count);
    if (run.error() > 0.7 * best) iteration.AimLower();
    since_best = run.error() < 0.8 * best ? 0 : since_best + 1;
    best = std::min(best, run.error());
    if (iteration.length() < kLeastStep || since_best >= kPatience) return run.Finish(SolveStatus::kStalled, count);
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations);
}

}  // namespace slipstick::internal
