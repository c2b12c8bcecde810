#include "slipstick/solver/mlcp/mlcp_scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Largest scale_j |A_ij| or scale_j |A_ji| over j, for each row i.
VecX Couplings(const MatX& A, const VecX& scale) {
  VecX couplings = VecX::Zero(A.rows());
  for (int j = 0; j < A.cols(); ++j) {
    if (scale[j] == 0) continue;
    couplings = couplings.cwiseMax(scale[j] * A.col(j).cwiseAbs()).eval();
    couplings = couplings.cwiseMax(scale[j] * A.row(j).transpose().cwiseAbs()).eval();
  }
  return couplings;
}
VecX Couplings(const SparseMat& A, const VecX& scale) {
  VecX couplings = VecX::Zero(A.rows());
  for (int i = 0; i < A.outerSize(); ++i) {
    for (SparseMat::InnerIterator entry(A, i); entry; ++entry) {
      const auto j = entry.col();
      couplings[i] = std::max(couplings[i], scale[j] * std::abs(entry.value()));
      couplings[j] = std::max(couplings[j], scale[i] * std::abs(entry.value()));
    }
  }
  return couplings;
}

// Of the largest entry of the diagonal: one below this is the square of a row that is rounding alone. A direction in
// which a mechanism cannot move, found with cos 90° = 6e-17, has such a one.
constexpr double kNoDiagonal = 1e-24;

template <typename Matrix>
VecX Scales(const Matrix& A) {
  const VecX diagonal = A.diagonal();
  VecX scale = VecX::Zero(diagonal.size());
  const double least = diagonal.size() > 0 ? kNoDiagonal * std::max(diagonal.maxCoeff(), 0.0) : 0.0;
  for (int i = 0; i < scale.size(); ++i)
    if (diagonal[i] > least) scale[i] = 1 / std::sqrt(diagonal[i]);
  const VecX couplings = Couplings(A, scale);
  for (int i = 0; i < scale.size(); ++i) {
    // no diagonal to go by: the largest coupling with a row that has one becomes 1
    if (!(scale[i] > 0)) scale[i] = couplings[i] > 0 ? 1 / couplings[i] : 1.0;
    // Entries near the ends of the number range would overflow products; such rows are left as they are.
    if (!(scale[i] > 1e-100 && scale[i] < 1e100)) scale[i] = 1.0;
  }
  return scale;
}

template <typename Problem>
VecX NearestToZero(const Problem& problem) {
  return VecX::Zero(problem.size()).cwiseMax(problem.lower).cwiseMin(problem.upper);
}

}  // namespace

template <typename Problem>
ScaledMlcp<Problem>::ScaledMlcp(const Problem& original) : original_(original), scale_(Scales(original.A)) {
  scaled_.A = scale_.asDiagonal() * original.A * scale_.asDiagonal();
  scaled_.b = scale_.cwiseProduct(original.b);
  scaled_.lower = original.lower.cwiseQuotient(scale_);
  scaled_.upper = original.upper.cwiseQuotient(scale_);
}

template <typename Problem>
VecX ScaledMlcp<Problem>::ToOriginal(const VecX& y) const {
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

template <typename Problem>
BestPoint<Problem>::BestPoint(const Problem& original, const ScaledMlcp<Problem>& scaled, double tolerance)
    : original_(original),
      scaled_(scaled),
      tolerance_(tolerance),
      z_(NearestToZero(original)),
      residual_(NaturalResidual(original, z_)),
      limit_(tolerance * ResidualScale(original, z_)) {}

template <typename Problem>
bool BestPoint<Problem>::Offer(const VecX& y) {
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

template <typename Problem>
MlcpAnswer BestPoint<Problem>::Answer(SolveStatus status_if_unsolved, int iterations, const std::string& solver) const {
  MlcpAnswer answer;
  answer.z = z_;
  answer.w = original_.A * z_ + original_.b;
  answer.report.status = IsSolution() ? SolveStatus::kSolved : status_if_unsolved;
  answer.report.iterations = iterations;
  answer.report.residual = residual_;
  answer.report.solver = solver;
  return answer;
}

MlcpAnswer BadInputAnswer(int size, const std::string& solver) {
  MlcpAnswer answer;
  answer.z = VecX::Zero(size);
  answer.w = VecX::Zero(size);
  answer.report.status = SolveStatus::kBadInput;
  answer.report.residual = std::numeric_limits<double>::infinity();
  answer.report.solver = solver;
  return answer;
}

template class ScaledMlcp<BoundedMlcp>;
template class ScaledMlcp<SparseBoundedMlcp>;
template class BestPoint<BoundedMlcp>;
template class BestPoint<SparseBoundedMlcp>;

}  // namespace slipstick::internal
