#include "slipstick/solver/cone/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/second_order_cone.h"
#include "slipstick/solver/cone/cone_run.h"
#include "slipstick/solver/cone/shifted_factorization.h"

namespace slipstick::internal {
namespace {

// A cone narrower than this has no interior to speak of; the answer is judged with the true coefficient.
constexpr double kNarrowest = 1e-9;
constexpr double kStepShare = 0.99;  // of the way to the border
constexpr double kShortStep = 0.1;
constexpr double kLeastStep = 1e-8;
constexpr double kGapShare = 1e-3;  // of the tolerance
constexpr double kLeastGap = 1e-14;
constexpr double kTikhonov = 1e-13;  // keeps free rows that are redundant from breaking the factorization
constexpr int kPatience = 40;        // iterations without a better answer

// y = G x + h ∈ the second-order cone: y_0 = slope · x_axis + offset, y_i = x_{first + i − 1}.
struct Constraint {
  int dimension = 1;
  int axis = -1;  // −1: y_0 is the offset alone
  double slope = 0, offset = 0;
  int first = 0;
  int block = 0;
  bool slips = false;  // a part of a contact's cone under the non-associated law

  Vec3 Linear(const VecX& x) const {
    Vec3 y = Vec3::Zero();
    if (axis >= 0) y[0] = slope * x[axis];
    for (int i = 1; i < dimension; ++i) y[i] = x[first + i - 1];
    return y;
  }
  Vec3 Image(const VecX& x) const { return Linear(x) + Vec3(offset, 0, 0); }
  // *out += Gᵀ z
  void AddTransposed(const Vec3& z, VecX* out) const {
    if (axis >= 0) (*out)[axis] += slope * z[0];
    for (int i = 1; i < dimension; ++i) (*out)[first + i - 1] += z[i];
  }
  // *block += Gᵀ D G, the block's rows counted from block_offset
  void AddSandwich(const Mat3& D, int block_offset, ContactMatrix* out) const {
    const int rows[3] = {axis - block_offset, first - block_offset, first - block_offset + 1};
    const double factors[3] = {slope, 1, 1};
    for (int i = axis >= 0 ? 0 : 1; i < dimension; ++i) {
      for (int j = axis >= 0 ? 0 : 1; j < dimension; ++j) (*out)(rows[i], rows[j]) += factors[i] * D(i, j) * factors[j];
    }
  }
};

std::vector<Constraint> ConstraintsOf(const ScaledCone& program) {
  std::vector<Constraint> constraints;
  for (int k = 0; k < static_cast<int>(program.blocks.size()); ++k) {
    const ConeBlock& block = program.blocks[k];
    switch (block.kind) {
      case BlockKind::kFree:
        break;
      case BlockKind::kInterval:
        if (std::isfinite(block.lower)) constraints.push_back({1, block.offset, 1, -block.lower, 0, k});
        if (std::isfinite(block.upper)) constraints.push_back({1, block.offset, -1, block.upper, 0, k});
        break;
      case BlockKind::kDisk:
        if (std::isfinite(block.radius)) {
          constraints.push_back({3, -1, 0, std::max(block.radius, kNarrowest), block.offset, k});
        }
        break;
      case BlockKind::kCone: {
        int first = block.offset + 1;
        for (int part = 0; part < block.cone.part_count; ++part) {
          const int rows = block.cone.parts[part].rows;
          const double slope = std::max(block.cone.parts[part].limit, kNarrowest);
          constraints.push_back({1 + rows, block.offset, slope, 0, first, k, program.non_associated});
          first += rows;
        }
        break;
      }
    }
  }
  return constraints;
}

class Iteration {
 public:
  Iteration(const ScaledCone& program, const VecX& start, double tolerance)
      : program_(program),
        factorization_(program.W, !program.non_associated),
        constraints_(ConstraintsOf(program)),
        x_(start),
        blocks_(program.blocks.size()) {
    const std::size_t count = constraints_.size();
    for (auto* vectors : {&y_, &z_, &slip_, &primal_, &right_, &dy_, &dz_, &shifted_}) vectors->resize(count);
    scalings_.resize(count);
    const double velocity = program.q.cwiseAbs().maxCoeff();
    least_gap_ = std::max(kGapShare * tolerance, kLeastGap) * velocity * velocity;
    for (std::size_t i = 0; i < count; ++i) {
      y_[i] = constraints_[i].Image(x_);
      y_[i][0] = std::max(y_[i][0], std::hypot(y_[i][1], y_[i][2]) + velocity);
      z_[i] = Vec3(velocity, 0, 0);
    }
  }

  // One step. False where the linear system has no finite solution.
  bool Step() {
    Linearize();
    if (!factorization_.Factorize(blocks_)) return false;
    double gap = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) gap += y_[i].dot(z_[i]);
    const double mean_gap = y_.empty() ? 0.0 : gap / static_cast<double>(y_.size());

    for (std::size_t i = 0; i < y_.size(); ++i) {
      right_[i] = -JordanProduct(scalings_[i].lambda, scalings_[i].lambda);
    }
    if (!Solve()) return false;
    const double affine = std::min(1.0, LongestStep());
    double gap_after = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) gap_after += (y_[i] + affine * dy_[i]).dot(z_[i] + affine * dz_[i]);
    const double ratio = gap > 0 ? std::clamp(gap_after / gap, 0.0, 1.0) : 0.0;

    // where the last step was stopped early the iterate hugs a border: back to the middle first
    const bool recentre = length_ < kShortStep;
    // and never closer to the borders than the answer needs: there y and z lose their digits before they are aligned
    const double target = std::max(recentre ? mean_gap : ratio * ratio * ratio * mean_gap, least_gap_);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (!recentre) right_[i] -= JordanProduct(scalings_[i].ApplyInverse(dy_[i]), scalings_[i].Apply(dz_[i]));
      right_[i][0] += target;
    }
    if (!Solve()) return false;
    length_ = std::min(1.0, kStepShare * LongestStep());
    x_ += length_ * dx_;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      y_[i] += length_ * dy_[i];
      z_[i] += length_ * dz_[i];
    }
    slip_share_ = length_ < kShortStep ? 0.5 * slip_share_ : std::min(1.0, 2 * slip_share_ + 0.01);
    return x_.allFinite();
  }

  const VecX& x() const { return x_; }
  double length() const { return length_; }
  // Where contacts are on the verge between two states, only smaller y ∘ z bring the answer nearer.
  void AimLower() { least_gap_ *= 0.03; }

 private:
  // Residuals, scalings, and the blocks Gᵀ V⁻² G that are added to W.
  void Linearize() {
    dual_.resize(x_.size());
    program_.W.Multiply(x_, dual_);
    dual_ += program_.q;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const int rows = program_.blocks[k].rows();
      blocks_[k].setIdentity(rows, rows);
      blocks_[k] *= kTikhonov;
    }
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const Constraint& constraint = constraints_[i];
      scalings_[i] = NesterovToddScaling::Of(y_[i], z_[i]);
      primal_[i] = constraint.Image(x_) - y_[i];
      constraint.AddTransposed(-z_[i], &dual_);
      slip_[i].setZero();
      if (constraint.slips) {
        const double speed = std::hypot(z_[i][1], z_[i][2]);
        dual_[constraint.axis] += constraint.slope * speed;
        if (speed > 0) slip_[i].tail<2>() = slip_share_ / speed * z_[i].tail<2>();
      }
      Mat3 D = scalings_[i].InverseSquare();
      D.row(0) -= slip_[i].transpose() * D;
      constraint.AddSandwich(D, program_.blocks[constraint.block].offset, &blocks_[constraint.block]);
    }
  }

  // W dx + ds − Gᵀ dz = −dual,  G dx − dy = −primal,  λ ∘ (V⁻¹ dy + V dz) = right,  ds = Σ slope · slipᵀ dz.
  bool Solve() {
    VecX vector = -dual_;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const NesterovToddScaling& scaling = scalings_[i];
      const Vec3 target = JordanQuotient(scaling.lambda, right_[i]);
      shifted_[i] = scaling.ApplyInverse(target - scaling.ApplyInverse(primal_[i]));
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
    return dx_.allFinite();
  }

  double LongestStep() const {
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < y_.size(); ++i) {
      step = std::min({step, StepToBorder(y_[i], dy_[i]), StepToBorder(z_[i], dz_[i])});
    }
    return step;
  }

  const ScaledCone& program_;
  ShiftedFactorization factorization_;
  std::vector<Constraint> constraints_;
  VecX x_, dx_, dual_;
  std::vector<Vec3> y_, z_, slip_, primal_, right_, dy_, dz_, shifted_;
  std::vector<NesterovToddScaling> scalings_;
  std::vector<ContactMatrix> blocks_;
  double length_ = 1;
  double least_gap_ = 0;   // y ∘ z aims at, once there
  double slip_share_ = 1;  // of the derivative of s
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
  Iteration iteration(scaled, run.start(), stop.tolerance);
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
