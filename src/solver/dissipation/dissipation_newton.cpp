#include "slipstick/solver/dissipation/dissipation_newton.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "slipstick/solver/dissipation/dissipation_scaling.h"

namespace slipstick::internal {
namespace {

constexpr int kMostHalvings = 12;
constexpr double kDescent = 1e-4;
constexpr double kRank = 1e-11;  // pivots below this share of the largest count as zero

// A derivative of ProjectOnLimits at z, of a contact with three rows.
Mat3 ProjectionDerivative(const DissipationContact& contact, const Vec3& z) {
  const double mu = contact.friction, c = contact.extra, size = std::hypot(z[1], z[2]);
  const bool outside = size > mu * z[0] + c;
  double normal = z[0];
  if (outside) normal = (z[0] + mu * (size - c)) / (1 + mu * mu);
  if (normal >= 0 && !outside) return Mat3::Identity();
  Mat3 derivative = Mat3::Zero();
  if (normal < 0) {
    if (size <= c) {
      derivative.bottomRightCorner<2, 2>().setIdentity();
    } else if (size > 0) {
      const Vec2 t = z.tail<2>() / size;
      derivative.bottomRightCorner<2, 2>() = c / size * (Mat2::Identity() - t * t.transpose());
    }
    return derivative;
  }
  // on the cone: (n, (μ n + c) t), n = (z_N + μ(|z_T| − c))/(1 + μ²), t = z_T/|z_T|
  const Vec2 t = z.tail<2>() / size;
  Vec3 slope;
  slope << 1, mu * t;
  slope /= 1 + mu * mu;
  derivative.row(0) = slope.transpose();
  derivative.bottomRows<2>() = mu * t * slope.transpose();
  derivative.bottomRightCorner<2, 2>() += (mu * normal + c) / size * (Mat2::Identity() - t * t.transpose());
  return derivative;
}

// Unknowns (x, y, τ) of a scaled program, where all natural maps have the weight 1.
class NewtonIteration {
 public:
  NewtonIteration(const ScaledDissipation& scaled, const VecX& x, const DissipationMultipliers& multipliers)
      : scaled_(scaled), n_(scaled.program.size()), count_(scaled.contacts()), point_(n_ + count_ + 1) {
    point_ << x, multipliers.push, multipliers.tax;
    value_ = Value(point_);
  }

  VecX x() const { return point_.head(n_); }
  DissipationMultipliers multipliers() const { return {point_.segment(n_, count_), point_[n_ + count_]}; }

  // False where the norm does not fall any more.
  bool Step() {
    const MatX derivative = Derivative(point_);
    VecX step = Eigen::PartialPivLU<MatX>(derivative).solve(-value_);
    const double norm = value_.norm();
    // a singular matrix shows in a step that does not solve, or is out of all proportion
    if (!step.allFinite() || (derivative * step + value_).norm() > 1e-8 * norm ||
        step.norm() > 1e3 * (1 + point_.norm())) {
      Eigen::CompleteOrthogonalDecomposition<MatX> decomposition;
      decomposition.setThreshold(kRank);
      decomposition.compute(derivative);
      step = decomposition.solve(-value_);
      if (!step.allFinite()) return false;
    }
    double length = 1;
    for (int k = 0; k < kMostHalvings; ++k, length *= 0.5) {
      const VecX next = point_ + length * step, value = Value(next);
      if (!(value.norm() <= (1 - kDescent * length) * norm)) continue;
      point_ = next;
      value_ = value;
      return true;
    }
    return false;
  }

 private:
  struct Parts {
    VecX u, g;  // A x + b, and the shadow velocity
    double room;
  };
  Parts PartsOf(const VecX& point) const {
    const DissipationProgram& program = scaled_.program;
    VecX moved = point.head(n_);
    Parts parts{program.A * moved + program.b, {}, program.normal_limit};
    for (int i = 0; i < count_; ++i) {
      const int row = program.contacts[i].row;
      parts.room -= scaled_.weight[i] * point[row];
      moved[row] -= point[n_ + i];
    }
    parts.g = program.A * moved + program.b;
    for (int i = 0; i < count_; ++i) parts.g[program.contacts[i].row] += point[n_ + count_] * scaled_.weight[i];
    return parts;
  }

  VecX Value(const VecX& point) const {
    const DissipationProgram& program = scaled_.program;
    const Parts parts = PartsOf(point);
    const VecX x = point.head(n_);
    VecX value(point.size());
    value.head(n_) = x - ProjectOnLimits(program, x - parts.g);
    for (int i = 0; i < count_; ++i) {
      const double y = point[n_ + i];
      value[n_ + i] = y - std::max(y - parts.u[program.contacts[i].row], 0.0);
    }
    const double tau = point[n_ + count_];
    value[n_ + count_] = tau - std::max(tau - parts.room, 0.0);
    return value;
  }

  MatX Derivative(const VecX& point) const {
    const DissipationProgram& program = scaled_.program;
    const Parts parts = PartsOf(point);
    const VecX z = point.head(n_) - parts.g;
    // of z = x − g by the unknowns
    MatX inner(n_, point.size());
    inner.leftCols(n_) = MatX::Identity(n_, n_) - program.A;
    inner.col(n_ + count_).setZero();
    for (int i = 0; i < count_; ++i) {
      const int row = program.contacts[i].row;
      inner.col(n_ + i) = program.A.col(row);
      inner(row, n_ + count_) = -scaled_.weight[i];
    }
    MatX derivative = MatX::Zero(point.size(), point.size());
    derivative.topLeftCorner(n_, n_).setIdentity();
    for (const DissipationContact& contact : program.contacts) {
      if (contact.rows == 1) {
        if (z[contact.row] > 0) derivative.row(contact.row) -= inner.row(contact.row);
        continue;
      }
      derivative.middleRows<3>(contact.row) -=
          ProjectionDerivative(contact, z.segment<3>(contact.row)) * inner.middleRows<3>(contact.row);
    }
    for (const DissipationInterval& interval : program.intervals) {
      const double value = z[interval.row];
      if (value > interval.lower && value < interval.upper) derivative.row(interval.row) -= inner.row(interval.row);
    }
    for (int i = 0; i < count_; ++i) {
      const int row = program.contacts[i].row;
      if (point[n_ + i] - parts.u[row] > 0) {
        derivative.row(n_ + i).head(n_) = program.A.row(row);
      } else {
        derivative(n_ + i, n_ + i) = 1;
      }
    }
    const int last = n_ + count_;
    if (point[last] - parts.room > 0) {
      for (int i = 0; i < count_; ++i) derivative(last, program.contacts[i].row) = -scaled_.weight[i];
    } else {
      derivative(last, last) = 1;
    }
    return derivative;
  }

  const ScaledDissipation& scaled_;
  int n_, count_;
  VecX point_, value_;
};

}  // namespace

DissipationAnswer SolveDissipationByNewton(const DissipationProgram& program, int max_iterations, double tolerance,
                                           const VecX& start, const DissipationMultipliers& multipliers) {
  constexpr const char* kName = "newton";
  DissipationRun run(program);
  if (run.Judge(start, multipliers, tolerance)) return run.Finish(SolveStatus::kSolved, 0, kName);
  const ScaledDissipation scaled(program);
  NewtonIteration iteration(scaled, scaled.ToScaled(start), scaled.ToScaled(multipliers));
  for (int count = 1; count <= max_iterations; ++count) {
    const bool moved = iteration.Step();
    if (run.Judge(scaled.ToOriginal(iteration.x()), scaled.ToOriginal(iteration.multipliers()), tolerance)) {
      return run.Finish(SolveStatus::kSolved, count, kName);
    }
    if (!moved) return run.Finish(SolveStatus::kStalled, count, kName);
  }
  return run.Finish(SolveStatus::kIterationLimit, max_iterations, kName);
}

}  // namespace slipstick::internal
