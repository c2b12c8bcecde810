#include "slipstick/solver/mlcp/lcp_reduction.h"

#include <Eigen/QR>
#include <cmath>

namespace slipstick::internal {
namespace {

// As in free_block.cpp: of a matrix with entries of about one.
constexpr double kRank = 1e-12;
constexpr double kConsistent = 1e-9;
// Where independent columns are looked for in a remainder, which holds the rounding errors of what was subtracted.
constexpr double kRemainderRank = 1e-8;

double Largest(const MatX& matrix) { return matrix.size() == 0 ? 0.0 : matrix.lpNorm<Eigen::Infinity>(); }

// X of least norm with B X = R, or nearest to it.
class LeastNorm {
 public:
  explicit LeastNorm(const MatX& B) : B_(B) {
    if (B.size() == 0) return;  // Eigen does not factorize nothing
    factors_.setThreshold(kRank);
    factors_.compute(B);
  }
  MatX Solve(const MatX& R) const {
    if (B_.size() == 0 || R.size() == 0) return MatX::Zero(B_.cols(), R.cols());
    MatX X = factors_.solve(R);
    X += factors_.solve(R - B_ * X);
    return X;
  }
  MatX Remainder(const MatX& R) const { return R - B_ * Solve(R); }
  // The part of R's rows that sees directions X with B X = 0.
  MatX SeenByRows(const MatX& R) const {
    if (B_.size() == 0 || R.size() == 0 || factors_.rank() == B_.cols()) return MatX::Zero(R.rows(), B_.cols());
    return R - R * Solve(B_);
  }

 private:
  const MatX& B_;
  Eigen::CompleteOrthogonalDecomposition<MatX> factors_;
};

// Indices of columns that span the matrix.
std::vector<int> IndependentColumns(const MatX& matrix) {
  if (matrix.size() == 0) return {};
  Eigen::ColPivHouseholderQR<MatX> factors;
  factors.setThreshold(kRemainderRank);
  factors.compute(matrix);
  std::vector<int> columns(factors.rank());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = factors.colsPermutation().indices()[i];
  return columns;
}

}  // namespace

LcpReduction::LcpReduction(const BoundedMlcp& problem, bool split_free)
    : initial_(PartitionAtBounds(problem)), offset_(VecX::Zero(problem.size())) {
  int second_bounds = 0;
  for (int i = 0; i < problem.size(); ++i) {
    const bool no_lower = std::isinf(problem.lower[i]), no_upper = std::isinf(problem.upper[i]);
    if (no_lower && no_upper) {
      if (split_free)
        columns_.insert(columns_.end(), {{i, 1.0, -1}, {i, -1.0, -1}});
      else
        free_.push_back(i);
      continue;
    }
    offset_[i] = no_lower ? problem.upper[i] : problem.lower[i];
    if (problem.lower[i] == problem.upper[i]) continue;
    columns_.push_back({i, no_lower ? -1.0 : 1.0, -1});
    if (no_lower || no_upper) continue;
    columns_.back().bound_row = second_bounds++;
  }

  const int p = static_cast<int>(free_.size()), c = static_cast<int>(columns_.size());
  const int size = p + c + second_bounds;
  MatX selection = MatX::Zero(problem.size(), p + c);  // ∂z/∂(z_F, x); its transpose takes the rows
  for (int i = 0; i < p; ++i) selection(free_[i], i) = 1;
  for (int j = 0; j < c; ++j) selection(columns_[j].variable, p + j) = columns_[j].sign;
  K_ = MatX::Zero(size, size);
  k_ = VecX::Zero(size);
  K_.topLeftCorner(p + c, p + c) = selection.transpose() * problem.A * selection;
  k_.head(p + c) = selection.transpose() * (problem.A * offset_ + problem.b);
  for (int j = 0; j < c; ++j) {
    if (columns_[j].bound_row < 0) continue;
    columns_[j].bound_row += c;
    const int row = p + columns_[j].bound_row;
    k_[row] = problem.upper[columns_[j].variable] - problem.lower[columns_[j].variable];
    K_(p + j, row) = 1;
    K_(row, p + j) = -1;
  }
}

LcpReduction::Elimination LcpReduction::EliminateFree() {
  const auto p = static_cast<Eigen::Index>(free_.size()), m = k_.size() - p;
  const Elimination direct = Eliminate({});
  if (direct != Elimination::kNotPossible) return direct;
  // what the rows of F say of x alone, and what z_F does that the rows of F do not see
  const MatX K_FF = K_.topLeftCorner(p, p), K_FF_transposed = K_FF.transpose();
  const MatX by_rows = LeastNorm(K_FF).Remainder(K_.topRightCorner(p, m));
  const Elimination with_rows = Eliminate(IndependentColumns(by_rows));
  if (with_rows != Elimination::kNotPossible) return with_rows;
  const MatX by_columns = LeastNorm(K_FF_transposed).Remainder(K_.bottomLeftCorner(m, p).transpose());
  return Eliminate(IndependentColumns(by_columns));
}

LcpReduction::Elimination LcpReduction::Eliminate(const std::vector<int>& swapped) {
  const int p = static_cast<int>(free_.size()), m = static_cast<int>(k_.size()) - p;
  std::vector<bool> is_swapped(m, false);
  std::vector<int> pivots(p);
  for (int i = 0; i < p; ++i) pivots[i] = i;
  for (const int j : swapped) {
    is_swapped[j] = true;
    pivots.push_back(p + j);
  }
  // K_B· v = −k_B + (0, w_J): as a function of t, which holds w_J and the x that are not in J
  MatX rhs = MatX::Zero(pivots.size(), m);
  for (int j = 0; j < m; ++j)
    if (!is_swapped[j]) rhs.col(j) = -K_.col(p + j)(pivots);
  for (std::size_t i = 0; i < swapped.size(); ++i) rhs(p + i, swapped[i]) = 1;
  const MatX block = K_(pivots, pivots);
  const LeastNorm least_norm(block);
  const MatX slope = least_norm.Solve(rhs);
  if (!slope.allFinite() || Largest(rhs - block * slope) > kConsistent) return Elimination::kNotPossible;
  // where the block leaves directions open, no other row may depend on them: the choice would lose solutions
  std::vector<int> others;
  for (int j = 0; j < m; ++j)
    if (!is_swapped[j]) others.push_back(p + j);
  if (Largest(least_norm.SeenByRows(K_(others, pivots))) > kConsistent) return Elimination::kNotPossible;
  const VecX k_B = k_(pivots);
  const VecX start = least_norm.Solve(-k_B);
  if (Largest(block * start + k_B) > kConsistent * Largest(k_)) return Elimination::kInconsistent;

  swapped_ = swapped;
  transform_ = MatX::Zero(p + m, m);
  constant_ = VecX::Zero(p + m);
  for (int j = 0; j < m; ++j)
    if (!is_swapped[j]) transform_(p + j, j) = 1;
  transform_(pivots, Eigen::all) = slope;
  constant_(pivots) = start;
  M_ = (K_ * transform_).bottomRows(m);
  q_ = (K_ * constant_ + k_).tail(m);
  for (const int j : swapped) {
    M_.row(j) = transform_.row(p + j);
    q_[j] = constant_[p + j];
  }
  return Elimination::kDone;
}

std::optional<LcpReduction> LcpReduction::Make(const BoundedMlcp& problem) {
  LcpReduction result(problem, false);
  Elimination end = result.EliminateFree();
  if (end == Elimination::kNotPossible) {
    result = LcpReduction(problem, true);
    end = result.Eliminate({});  // nothing is free now
  }
  if (end == Elimination::kInconsistent) return std::nullopt;
  return result;
}

VecX LcpReduction::Recover(const VecX& t) const {
  const VecX v = transform_ * t + constant_;
  const auto p = free_.size();
  VecX z = offset_;
  for (std::size_t i = 0; i < p; ++i) z[free_[i]] = v[i];
  for (std::size_t j = 0; j < columns_.size(); ++j) z[columns_[j].variable] += columns_[j].sign * v[p + j];
  return z;
}

Partition LcpReduction::RecoverPartition(const std::vector<bool>& t_is_basic) const {
  std::vector<bool> x_is_basic = t_is_basic;
  for (const int j : swapped_) x_is_basic[j] = !t_is_basic[j];
  Partition partition = initial_;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Column& column = columns_[j];
    if (!x_is_basic[j]) continue;  // where it is counted from
    const bool at_second_bound = column.bound_row >= 0 && x_is_basic[column.bound_row];
    partition[column.variable] = at_second_bound ? Side::kUpper : Side::kFree;
  }
  return partition;
}

}  // namespace slipstick::internal
