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

constexpr double kTikhonov = 1e-13;  // keeps free rows that are redundant from breaking the factorization

// W as it is, dense or sparse.
class DelassusIteration : public InteriorIteration {
 public:
  DelassusIteration(const ScaledCone& program, const VecX& start, double tolerance)
      : InteriorIteration(program.blocks, program.non_associated, program.q, start, tolerance),
        program_(program),
        factorization_(program.W, !program.non_associated),
        shifts_(program.blocks.size()),
        shifted_(constraints_.size()) {}

 private:
  void Multiply(const VecX& x, VecX* out) const override { program_.W.Multiply(x, *out); }

  // W + Gᵀ V⁻² G
  bool Factorize() override {
    for (std::size_t k = 0; k < shifts_.size(); ++k) {
      const int rows = blocks_[k].rows();
      shifts_[k].setIdentity(rows, rows);
      shifts_[k] *= kTikhonov;
    }
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      Mat3 D = scalings_[i].InverseSquare();
      D.row(0) -= slip_[i].transpose() * D;
      const int block = constraints_[i].block;
      constraints_[i].AddSandwich(D, blocks_[block].offset, &shifts_[block]);
    }
    return factorization_.Factorize(shifts_);
  }

  void Solve() override {
    VecX vector = -dual_;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const NesterovToddScaling& scaling = scalings_[i];
      shifted_[i] = scaling.ApplyInverse(target_[i] - scaling.ApplyInverse(primal_[i]));
      Vec3 seen = shifted_[i];
      seen[0] -= slip_[i].dot(shifted_[i]);
      constraints_[i].AddTransposed(seen, &vector);
    }
    dx_ = factorization_.Solve(vector);
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const Vec3 moved = constraints_[i].Linear(dx_);
      dy_[i] = moved + primal_[i];
      dz_[i] = shifted_[i] - scalings_[i].ApplyInverse(scalings_[i].ApplyInverse(moved));
    }
  }

  const ScaledCone& program_;
  ShiftedFactorization factorization_;
  std::vector<ContactMatrix> shifts_;
  std::vector<Vec3> shifted_;
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
  DelassusIteration iteration(scaled, run.start(), stop.tolerance);
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
