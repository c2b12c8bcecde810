#include "slipstick/solver/dissipation/dissipation_interior_point.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/math/second_order_cone.h"
#include "slipstick/solver/dissipation/dissipation_newton.h"
#include "slipstick/solver/dissipation/dissipation_scaling.h"
#include "slipstick/solver/dissipation/dissipation_sweep.h"

namespace slipstick::internal {
namespace {

constexpr double kStepShare = 0.99;                        // of the way to the border
constexpr double kProximal = 1e-7;                         // of y and τ
constexpr double kTikhonov = 1e-14, kMostTikhonov = 1e-6;  // against rounding in the factorization
constexpr double kLeastStep = 1e-9;
constexpr double kLeastGap = 1e-22;
constexpr int kManyRows = 600;   // beyond which sweeps are faster
constexpr int kMostRows = 2000;  // of a matrix that is formed where they fail
constexpr int kPatience = 15;    // iterations without a better answer

// A linear inequality of one row: sign · x_row + offset = slack ≥ 0.
struct Side {
  int row;
  double sign, offset;
  double slack = 0, multiplier = 0;
  double right = 0, slack_step = 0, multiplier_step = 0;
};

// A quadratic cone: (μ x_N + c, x_T) = y.
struct Quadric {
  int row;
  double slope, offset;
  Vec3 y, z;
  NesterovToddScaling scaling;
  Vec3 residual, right, shifted, dy, dz;

  Vec3 Linear(const VecX& x) const { return {slope * x[row], x[row + 1], x[row + 2]}; }
  Vec3 Image(const VecX& x) const { return Linear(x) + Vec3(offset, 0, 0); }
  Vec3 Transposed(const Vec3& v) const { return {slope * v[0], v[1], v[2]}; }
};

// A linear inequality that joins rows, a · x + offset = slack ≥ 0.
struct Joint {
  double slack = 1, multiplier = 1;
  double residual = 0, right = 0, slack_step = 0, multiplier_step = 0;

  double Weight() const { return multiplier / (slack + kProximal * multiplier); }
};

class InteriorIteration {
 public:
  InteriorIteration(const ScaledDissipation& scaled, const VecX& start, double slack)
      : scaled_(scaled), n_(scaled.program.size()), count_(scaled.contacts()), x_(start), joints_(count_ + 1) {
    const DissipationProgram& program = scaled.program;
    // constraint rows: non-penetration of each contact, and κ
    rows_.resize(count_ + 1, n_);
    offsets_.resize(count_ + 1);
    for (int i = 0; i < count_; ++i) {
      rows_.row(i) = program.A.row(program.contacts[i].row);
      offsets_[i] = program.b[program.contacts[i].row];
    }
    rows_.row(count_).setZero();
    for (int i = 0; i < count_; ++i) rows_(count_, program.contacts[i].row) = -scaled.weight[i];
    offsets_[count_] = program.normal_limit;
    for (const DissipationContact& contact : program.contacts) {
      const bool has_friction = contact.rows == 3;
      if (has_friction)
        quadrics_.push_back({contact.row, contact.friction, contact.extra, {}, {}, {}, {}, {}, {}, {}, {}});
      // the cone says it already where its tip is at zero
      if (!has_friction || contact.extra > 0 || contact.friction == 0) sides_.push_back({contact.row, 1, 0});
    }
    for (const DissipationInterval& interval : program.intervals) {
      // stops push without limit one way, motors of any effort both ways
      if (std::isfinite(interval.lower)) sides_.push_back({interval.row, 1, -interval.lower});
      if (std::isfinite(interval.upper)) sides_.push_back({interval.row, -1, interval.upper});
    }
    for (Quadric& quadric : quadrics_) {
      quadric.y = quadric.Image(x_);
      quadric.y[0] = std::max(quadric.y[0], std::hypot(quadric.y[1], quadric.y[2]) + slack);
      quadric.z = Vec3(1, 0, 0);
    }
    for (Side& side : sides_) {
      side.slack = std::max(side.sign * x_[side.row] + side.offset, slack);
      side.multiplier = 1;
    }
    const VecX values = rows_ * x_ + offsets_;
    for (int i = 0; i <= count_; ++i) {
      joints_[i].slack = std::max(values[i], slack);
      joints_[i].multiplier = slack;
    }
  }

  const VecX& x() const { return x_; }
  DissipationMultipliers multipliers() const {
    DissipationMultipliers result{VecX(count_), joints_[count_].multiplier};
    for (int i = 0; i < count_; ++i) result.push[i] = joints_[i].multiplier;
    return result;
  }
  double length() const { return length_; }

  // False where the linear system has no finite solution.
  bool Step() {
    Linearize();
    if (!Factorize()) return false;
    const double gap = Gap(0), mean = gap / Degree();
    for (Quadric& q : quadrics_) q.right = -JordanProduct(q.scaling.lambda, q.scaling.lambda);
    for (Side& s : sides_) s.right = -s.slack * s.multiplier;
    for (Joint& j : joints_) j.right = -j.slack * j.multiplier;
    if (!Solve()) return false;
    const double ratio = gap > 0 ? std::clamp(Gap(std::min(1.0, LongestStep())) / gap, 0.0, 1.0) : 0.0;
    const bool recentre = length_ < 0.1;
    const double target = std::max(recentre ? 0.5 * mean : ratio * ratio * ratio * mean, kLeastGap);
    const double correct = recentre ? 0.0 : 1.0;
    for (Quadric& q : quadrics_) {
      if (!recentre) q.right -= JordanProduct(q.scaling.ApplyInverse(q.dy), q.scaling.Apply(q.dz));
      q.right[0] += target;
    }
    for (Side& s : sides_) s.right += target - correct * s.slack_step * s.multiplier_step;
    for (Joint& j : joints_) j.right += target - correct * j.slack_step * j.multiplier_step;
    if (!Solve()) return false;
    length_ = std::min(1.0, kStepShare * LongestStep());
    x_ += length_ * dx_;
    for (Quadric& q : quadrics_) {
      q.y += length_ * q.dy;
      q.z += length_ * q.dz;
    }
    for (Side& s : sides_) {
      s.slack += length_ * s.slack_step;
      s.multiplier += length_ * s.multiplier_step;
    }
    for (Joint& j : joints_) {
      j.slack += length_ * j.slack_step;
      j.multiplier += length_ * j.multiplier_step;
    }
    return x_.allFinite();
  }

 private:
  double Degree() const { return static_cast<double>(quadrics_.size() + sides_.size() + joints_.size()); }

  double Gap(double step) const {
    double gap = 0;
    for (const Quadric& q : quadrics_) gap += (q.y + step * q.dy).dot(q.z + step * q.dz);
    for (const Side& s : sides_) gap += (s.slack + step * s.slack_step) * (s.multiplier + step * s.multiplier_step);
    for (const Joint& j : joints_) gap += (j.slack + step * j.slack_step) * (j.multiplier + step * j.multiplier_step);
    return gap;
  }

  void Linearize() {
    dual_ = scaled_.program.A * x_ + scaled_.program.b;
    const VecX values = rows_ * x_ + offsets_;
    for (int i = 0; i <= count_; ++i) joints_[i].residual = values[i] - joints_[i].slack;
    VecX multipliers(count_ + 1);
    for (int i = 0; i <= count_; ++i) multipliers[i] = joints_[i].multiplier;
    dual_ -= rows_.transpose() * multipliers;
    for (Quadric& q : quadrics_) {
      q.scaling = NesterovToddScaling::Of(q.y, q.z);
      q.residual = q.Image(x_) - q.y;
      q.dy = q.dz = Vec3::Zero();
      dual_.segment<3>(q.row) -= q.Transposed(q.z);
    }
    for (Side& s : sides_) {
      dual_[s.row] -= s.sign * s.multiplier;
      s.slack_step = s.multiplier_step = 0;
    }
    for (Joint& j : joints_) j.slack_step = j.multiplier_step = 0;
  }

  bool Factorize() {
    matrix_ = scaled_.program.A;
    VecX weights(count_ + 1);
    for (int i = 0; i <= count_; ++i) weights[i] = joints_[i].Weight();
    matrix_.noalias() += rows_.transpose() * weights.asDiagonal() * rows_;
    for (const Quadric& q : quadrics_) {
      const Vec3 factors(q.slope, 1, 1);
      matrix_.block<3, 3>(q.row, q.row) += factors.asDiagonal() * q.scaling.InverseSquare() * factors.asDiagonal();
    }
    for (const Side& s : sides_) matrix_(s.row, s.row) += s.multiplier / s.slack;
    if (!matrix_.allFinite()) return false;
    for (double shift = kTikhonov; shift < kMostTikhonov; shift *= 100) {
      matrix_.diagonal().array() += shift;
      factorization_.compute(matrix_);
      if (factorization_.info() == Eigen::Success) return true;
    }
    return false;
  }

  bool Solve() {
    VecX right = -dual_;
    for (Quadric& q : quadrics_) {
      const Vec3 target = JordanQuotient(q.scaling.lambda, q.right);
      q.shifted = q.scaling.ApplyInverse(target - q.scaling.ApplyInverse(q.residual));
      right.segment<3>(q.row) += q.Transposed(q.shifted);
    }
    for (const Side& s : sides_) {
      const double residual = s.sign * x_[s.row] + s.offset - s.slack;
      right[s.row] += s.sign * (s.right - s.multiplier * residual) / s.slack;
    }
    VecX pulls(count_ + 1);
    for (int i = 0; i <= count_; ++i) {
      const Joint& j = joints_[i];
      pulls[i] = (j.right - j.multiplier * j.residual) / (j.slack + kProximal * j.multiplier);
    }
    right += rows_.transpose() * pulls;
    dx_ = factorization_.solve(right);
    // one refinement: the matrix has entries of all sizes
    dx_ += factorization_.solve(right - matrix_ * dx_);
    if (!dx_.allFinite()) return false;
    for (Quadric& q : quadrics_) {
      const Vec3 moved = q.Linear(dx_);
      q.dy = moved + q.residual;
      q.dz = q.shifted - q.scaling.ApplyInverse(q.scaling.ApplyInverse(moved));
    }
    for (Side& s : sides_) {
      const double residual = s.sign * x_[s.row] + s.offset - s.slack;
      s.slack_step = s.sign * dx_[s.row] + residual;
      s.multiplier_step = (s.right - s.multiplier * s.slack_step) / s.slack;
    }
    const VecX moved = rows_ * dx_;
    for (int i = 0; i <= count_; ++i) {
      Joint& j = joints_[i];
      j.multiplier_step = pulls[i] - j.Weight() * moved[i];
      j.slack_step = moved[i] + j.residual + kProximal * j.multiplier_step;
    }
    return true;
  }

  double LongestStep() const {
    double step = std::numeric_limits<double>::infinity();
    const auto keep = [&](double value, double change) {
      if (change < 0) step = std::min(step, -value / change);
    };
    for (const Quadric& q : quadrics_) step = std::min({step, StepToBorder(q.y, q.dy), StepToBorder(q.z, q.dz)});
    for (const Side& s : sides_) {
      keep(s.slack, s.slack_step);
      keep(s.multiplier, s.multiplier_step);
    }
    for (const Joint& j : joints_) {
      keep(j.slack, j.slack_step);
      keep(j.multiplier, j.multiplier_step);
    }
    return step;
  }

  const ScaledDissipation& scaled_;
  int n_, count_;
  VecX x_, dx_, dual_, offsets_;
  MatX rows_, matrix_;
  std::vector<Quadric> quadrics_;
  std::vector<Side> sides_;
  std::vector<Joint> joints_;  // non-penetration, and κ last
  Eigen::LLT<MatX> factorization_;
  double length_ = 1;
};

DissipationAnswer Refused(const DissipationProgram& program) {
  DissipationAnswer answer;
  answer.x = VecX::Zero(program.size());
  answer.multipliers.push = VecX::Zero(static_cast<Eigen::Index>(program.contacts.size()));
  answer.report.status = SolveStatus::kBadInput;
  return answer;
}

VecX StartOf(const DissipationProgram& program, const VecX* warm_start) {
  const bool fits = warm_start != nullptr && warm_start->size() == program.size() && warm_start->allFinite();
  return ProjectOnLimits(program, fits ? *warm_start : VecX::Zero(program.size()));
}

}  // namespace

DissipationAnswer SolveDissipationByInteriorPoint(const DissipationProgram& program,
                                                  const DissipationSolverSettings& settings, const VecX* warm_start) {
  constexpr const char* kName = "interior-point";
  if (!Check(program).empty()) return Refused(program);
  if (program.is_factored()) return SolveDissipationByInteriorPoint(WithMatrix(program), settings, warm_start);
  const VecX start = StartOf(program, warm_start);
  DissipationRun run(program);
  const DissipationMultipliers none{VecX::Zero(static_cast<Eigen::Index>(program.contacts.size())), 0};
  if (run.Judge(start, none, settings.tolerance)) return run.Finish(SolveStatus::kSolved, 0, kName);
  const ScaledDissipation scaled(program);
  InteriorIteration iteration(scaled, scaled.ToScaled(start), settings.start_slack);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  for (int count = 1; count <= settings.max_iterations; ++count) {
    if (!iteration.Step()) return run.Finish(SolveStatus::kStalled, count, kName);
    if (run.Judge(scaled.ToOriginal(iteration.x()), scaled.ToOriginal(iteration.multipliers()), settings.tolerance)) {
      return run.Finish(SolveStatus::kSolved, count, kName);
    }
    since_best = run.best_error() < 0.9 * best ? 0 : since_best + 1;
    best = std::min(best, run.best_error());
    if (iteration.length() < kLeastStep || since_best >= kPatience) {
      return run.Finish(SolveStatus::kStalled, count, kName);
    }
  }
  return run.Finish(SolveStatus::kIterationLimit, settings.max_iterations, kName);
}

DissipationAnswer SolveDissipation(const DissipationProgram& program, const VecX* warm_start) {
  constexpr double kFine = 1e-13, kEnough = 1e-9;
  constexpr int kDense = 900, kQuick = 120;  // unknowns up to which Newton's method is tried at the end, and at first
  if (!Check(program).empty()) return Refused(program);
  if (program.is_factored()) {
    if (program.size() <= kManyRows) return SolveDissipation(WithMatrix(program), warm_start);
    const DissipationAnswer swept = SolveDissipationBySweeps(program, {}, warm_start);
    if (swept.report.status == SolveStatus::kSolved || program.size() > kMostRows) return swept;
    DissipationAnswer other = SolveDissipation(WithMatrix(program), warm_start);
    return other.report.residual < swept.report.residual ? other : swept;
  }
  const VecX start = StartOf(program, warm_start);
  const auto count = static_cast<Eigen::Index>(program.contacts.size());
  const int unknowns = program.size() + static_cast<int>(count);
  const DissipationMultipliers none{VecX::Zero(count), 0};
  std::vector<SolveAttempt> tried;
  DissipationAnswer best;
  best.report.residual = std::numeric_limits<double>::infinity();
  const auto take = [&](DissipationAnswer answer) {
    tried.push_back({answer.report.solver, answer.report.status, answer.report.iterations, answer.report.residual, 0});
    if (answer.report.residual < best.report.residual) best = std::move(answer);
    return best.report.residual;
  };
  const auto finish = [&] {
    best.report.tried = tried;
    best.report.status = best.report.residual <= kEnough ? SolveStatus::kSolved : SolveStatus::kStalled;
    best.report.iterations = 0;
    for (const SolveAttempt& attempt : tried) best.report.iterations += attempt.iterations;
    return best;
  };
  const auto polish = [&] {
    if (unknowns > kDense || best.report.residual <= kFine) return;
    take(SolveDissipationByNewton(program, 30, kFine, VecX(best.x), DissipationMultipliers(best.multipliers)));
  };
  if (unknowns <= kQuick && take(SolveDissipationByNewton(program, 12, kFine, start, none)) <= kFine) return finish();
  // friction that was remembered may lie on the border of its cone, which is no place to start from
  VecX cold = start;
  for (const DissipationContact& contact : program.contacts) cold.segment(contact.row + 1, contact.rows - 1).setZero();
  for (const double slack : {0.1, 1.0, 0.01}) {
    take(SolveDissipationByInteriorPoint(program, {.start_slack = slack}, &cold));
    polish();
    if (best.report.residual <= kEnough) break;
  }
  return finish();
}

}  // namespace slipstick::internal
