#include "slipstick/solver/mlcp_scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

VecX Scales(const MatX& A) {
  const int n = static_cast<int>(A.rows());
  VecX scale = VecX::Zero(n);
  for (int i = 0; i < n; ++i)
    if (A(i, i) > 0) scale[i] = 1 / std::sqrt(A(i, i));
  VecX filled = scale;
  for (int i = 0; i < n; ++i) {
    if (scale[i] > 0) continue;
    // no diagonal to go by: the largest coupling with a row that has one becomes 1
    double coupling = 0;
    for (int j = 0; j < n; ++j)
      coupling = std::max(coupling, scale[j] * std::max(std::abs(A(i, j)), std::abs(A(j, i))));
    filled[i] = coupling > 0 ? 1 / coupling : 1.0;
  }
  // Entries near the ends of the number range would overflow products; such rows are left as they are.
  for (int i = 0; i < n; ++i)
    if (!(filled[i] > 1e-100 && filled[i] < 1e100)) filled[i] = 1.0;
  return filled;
}

VecX NearestToZero(const BoundedMlcp& problem) {
  return VecX::Zero(problem.size()).cwiseMax(problem.lower).cwiseMin(problem.upper);
}

}  // namespace

ScaledMlcp::ScaledMlcp(const BoundedMlcp& original) : original_(original), scale_(Scales(original.A)) {
  scaled_.A = scale_.asDiagonal() * original.A * scale_.asDiagonal();
  scaled_.b = scale_.cwiseProduct(original.b);
  scaled_.lower = original.lower.cwiseQuotient(scale_);
  scaled_.upper = original.upper.cwiseQuotient(scale_);
}

VecX ScaledMlcp::ToOriginal(const VecX& y) const {
  VecX z(y.size());
  for (int i = 0; i < y.size(); ++i) {
    if (y[i] <= scaled_.lower[i])
      z[i] = original_.lower[i];
    else if (y[i] >= scaled_.upper[i])
      z[i] = original_.upper[i];
    else
      z[i] = std::clamp(scale_[i] * y[i], original_.lower[i], original_.upper[i]);
  }
  return z;
}

BestPoint::BestPoint(const BoundedMlcp& original, const ScaledMlcp& scaled, double tolerance)
    : original_(original),
      scaled_(scaled),
      tolerance_(tolerance),
      z_(NearestToZero(original)),
      residual_(NaturalResidual(original, z_)),
      limit_(tolerance * ResidualScale(original, z_)) {}

bool BestPoint::Offer(const VecX& y) {
  if (!y.allFinite()) return false;
  const VecX z = scaled_.ToOriginal(y);
  const double residual = NaturalResidual(original_, z);
  if (!std::isfinite(residual)) return false;
  const double limit = tolerance_ * ResidualScale(original_, z);
  // A solution is never given up for a point with a smaller residual that is none.
  const bool solves = residual <= limit;
  if (solves == IsSolution() ? residual < residual_ : solves) {
    z_ = z;
    residual_ = residual;
    limit_ = limit;
  }
  return solves;
}

MlcpAnswer BestPoint::Answer(SolveStatus status_if_unsolved, int iterations, const std::string& solver) const {
  MlcpAnswer answer;
  answer.z = z_;
  answer.w = original_.A * z_ + original_.b;
  answer.report.status = IsSolution() ? SolveStatus::kSolved : status_if_unsolved;
  answer.report.iterations = iterations;
  answer.report.residual = residual_;
  answer.report.solver = solver;
  return answer;
}

MlcpAnswer BadInputAnswer(const BoundedMlcp& problem, const std::string& solver) {
  MlcpAnswer answer;
  answer.z = VecX::Zero(problem.size());
  answer.w = VecX::Zero(problem.size());
  answer.report = {SolveStatus::kBadInput, 0, std::numeric_limits<double>::infinity(), solver};
  return answer;
}

}  // namespace slipstick
