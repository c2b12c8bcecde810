#include "slipstick/solve/hyperstaticity.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/problem/cone_form.h"
#include "slipstick/solve/impulse_faces.h"

namespace slipstick::internal {
namespace {

// f_i = √(rows_i / trace W_ii) of each contact and bilateral row, 1 where it moves nothing: in x = r/f every row has
// the size 1, whatever the masses and units.
VecX RowScales(const LocalProblem& problem, const MatX& W) {
  VecX scales = VecX::Ones(W.rows());
  const int dimension = problem.contacts.dimension, rows = problem.contacts.rows();
  const auto set = [&](int first, int count) {
    const double trace = W.diagonal().segment(first, count).sum();
    if (trace > 0) scales.segment(first, count).setConstant(std::sqrt(count / trace));
  };
  for (int first = 0; first < rows; first += dimension) set(first, dimension);
  for (int row = rows; row < W.rows(); ++row) set(row, 1);
  return scales;
}

// Orthonormal columns that span the null space of a symmetric positive semidefinite matrix.
MatX NullSpace(const MatX& matrix, double largest, double tolerance, int* rank) {
  *rank = 0;
  if (matrix.rows() == 0) return MatX(0, 0);
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(matrix);
  const VecX& values = eigen.eigenvalues();  // rising
  int nullity = 0;
  while (nullity < values.size() && values[nullity] <= tolerance * largest) ++nullity;
  *rank = static_cast<int>(values.size()) - nullity;
  return eigen.eigenvectors().leftCols(nullity);
}

// The point of least norm of {start + Z y} ∩ K, Z with orthonormal columns, by the alternating direction method of
// multipliers for min ½|x|² over the plane with a copy of x in K (Boyd et al., "Distributed Optimization and
// Statistical Learning via ADMM", 2011, §5), step 1 and over-relaxed. `start` is in K.
VecX LeastNorm(const PreparedProblem& problem, const VecX& start, const MatX& Z, int iterations) {
  constexpr double kOverRelaxation = 1.6, kEnough = 1e-13;
  const double scale = start.norm();
  VecX copy = start, dual = VecX::Zero(start.size()), plane = start;
  for (int i = 0; i < iterations; ++i) {
    // argmin ½|x|² + ½|x − (copy − dual)|² over the plane
    plane = start + Z * (Z.transpose() * (0.5 * (copy - dual) - start));
    const VecX relaxed = kOverRelaxation * plane + (1 - kOverRelaxation) * copy;
    const VecX next = NearestImpulses(problem, relaxed + dual);
    const double change = (next - copy).norm();
    dual += relaxed - next;
    copy = next;
    if (change <= kEnough * scale && (plane - copy).norm() <= kEnough * scale) break;
  }
  return copy;
}

}  // namespace

Hyperstaticity AnalyzeHyperstaticity(const PreparedProblem& problem, const ProblemSolution& solution,
                                     const SolveSettings& solved_with, const HyperstaticitySettings& settings) {
  SLIPSTICK_CHECK(problem.is_friction(), "hyperstaticity is of friction problems");
  const LocalProblem& local = *problem.local;
  const int dimension = local.contacts.dimension, contact_rows = local.contacts.rows();
  const MatX W = ToConeProgram(local, false).W;
  const VecX scales = RowScales(local, W);
  // the symmetric part decides: files of others are symmetric to a few digits
  const MatX scaled = scales.asDiagonal() * (0.5 * (W + W.transpose())) * scales.asDiagonal();

  Hyperstaticity result;
  result.rows = static_cast<int>(W.rows());
  double largest = 0;
  if (result.rows > 0) {
    const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
    largest = values.maxCoeff();
    result.rank = static_cast<int>((values.array() > settings.rank_tolerance * largest).count());
  }
  result.degree = result.rows - result.rank;

  const ImpulseFaces faces = FindImpulseFaces(problem, solution, solved_with.convex);
  result.mode = faces.mode;
  const MatX span = faces.span;
  int face_rank = 0;
  const MatX directions = NullSpace(span.transpose() * scaled * span, largest, settings.rank_tolerance, &face_rank);
  result.freedom = static_cast<int>(directions.cols());
  const MatX null_scaled = span * directions;
  const auto is_unique = [&](int first, int count) {
    // the share is that of the null space as a whole: the length of the longest projection on these rows
    return null_scaled.middleRows(first, count).norm() <= settings.share_tolerance;
  };
  for (int first = 0; first < contact_rows; first += dimension) result.is_unique.push_back(is_unique(first, dimension));
  for (int row = contact_rows; row < result.rows; ++row) result.is_unique_row.push_back(is_unique(row, 1));

  VecX impulses(result.rows);
  impulses << solution.r, solution.lambda;
  if (result.freedom > 0) {
    const MatX physical = scales.asDiagonal() * null_scaled;
    const Eigen::HouseholderQR<MatX> qr(physical);
    const MatX Z = qr.householderQ() * MatX::Identity(result.rows, result.freedom);
    impulses = LeastNorm(problem, impulses, Z, settings.iterations);
  }
  result.least_r = impulses.head(contact_rows);
  result.least_lambda = impulses.tail(result.rows - contact_rows);
  result.least_norm = impulses.norm();
  const MultiplierBounds* bounds = problem.bounds ? &*problem.bounds : nullptr;
  result.least_residual =
      problem.global
          ? ResidualOf(*problem.global, result.least_r, result.least_lambda, nullptr, !solved_with.convex, bounds)
          : ResidualOf(local, result.least_r, result.least_lambda, !solved_with.convex, bounds);
  result.least_is_solved = result.least_residual.relative <= std::max(solved_with.tolerance, solution.residual);
  return result;
}

}  // namespace slipstick::internal
