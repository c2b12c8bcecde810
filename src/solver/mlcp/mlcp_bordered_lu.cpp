#include "slipstick/solver/mlcp/mlcp_bordered_lu.h"

namespace slipstick::internal {
namespace {

// Columns that are kept, in parts of the base: beyond that new factors cost less.
constexpr double kMostColumns = 0.2;
constexpr double kLeastSchurCondition = 1e-12;
// Of entries of about one. The estimate of the condition does not see a pivot that is exactly zero.
constexpr double kLeastPivot = 1e-15;

}  // namespace

void BorderedLu::Clear() {
  base_.clear();
  columns_used_ = 0;
}

bool BorderedLu::Compute(const std::vector<int>& free) {
  Clear();
  entered_.clear();
  left_.clear();
  lu_.compute(A_(free, free));
  const double least_pivot = lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
  if (!(least_pivot > kLeastPivot && lu_.rcond() > least_condition_)) return false;
  base_ = free_ = free;
  place_in_base_.assign(A_.rows(), -1);
  for (std::size_t k = 0; k < base_.size(); ++k) place_in_base_[base_[k]] = static_cast<int>(k);
  column_of_.assign(A_.rows(), -1);
  return true;
}

bool BorderedLu::Update(const std::vector<int>& free) {
  if (base_.empty()) return false;
  const auto n = static_cast<Eigen::Index>(base_.size());
  std::vector<bool> is_free(A_.rows(), false);
  for (const int row : free) is_free[row] = true;
  entered_.clear();
  left_.clear();
  std::vector<int> without_column;
  const auto note = [&](int row, std::vector<Change>* list) {
    if (column_of_[row] < 0) without_column.push_back(row);
    list->push_back({row, column_of_[row]});
  };
  for (const int row : free)
    if (place_in_base_[row] < 0) note(row, &entered_);
  for (const int row : base_)
    if (!is_free[row]) note(row, &left_);

  const auto made = static_cast<Eigen::Index>(without_column.size());
  const auto room = static_cast<Eigen::Index>(kMostColumns * static_cast<double>(n));
  if (columns_used_ + made > room) return false;
  if (columns_.rows() != n || columns_.cols() < room) columns_.resize(n, room);  // only just after Compute()
  if (made > 0) {
    MatX sides = MatX::Zero(n, made);
    for (Eigen::Index j = 0; j < made; ++j) {
      const int row = without_column[j], place = place_in_base_[row];
      if (place < 0)
        sides.col(j) = A_.col(row)(base_);
      else
        sides(place, j) = 1;
      column_of_[row] = columns_used_ + static_cast<int>(j);
    }
    columns_.middleCols(columns_used_, made) = lu_.solve(sides);
    columns_used_ += static_cast<int>(made);
    for (Change& change : entered_) change.column = column_of_[change.row];
    for (Change& change : left_) change.column = column_of_[change.row];
  }

  const auto in = static_cast<Eigen::Index>(entered_.size()), out = static_cast<Eigen::Index>(left_.size());
  free_ = free;
  if (in + out == 0) return true;
  std::vector<int> rows_in(in);
  border_.resize(n, in + out);
  for (Eigen::Index k = 0; k < in; ++k) {
    rows_in[k] = entered_[k].row;
    border_.col(k) = columns_.col(entered_[k].column);
  }
  for (Eigen::Index k = 0; k < out; ++k) border_.col(in + k) = columns_.col(left_[k].column);
  A_NB_ = A_(rows_in, base_);
  MatX schur(in + out, in + out);
  schur.topRows(in) = -A_NB_ * border_;
  schur.topLeftCorner(in, in) += A_(rows_in, rows_in);
  for (Eigen::Index k = 0; k < out; ++k) schur.row(in + k) = -border_.row(place_in_base_[left_[k].row]);
  schur_.compute(schur);
  return schur_.rcond() > kLeastSchurCondition;
}

VecX BorderedLu::Solve(const VecX& rhs) const {
  const auto in = static_cast<Eigen::Index>(entered_.size()), out = static_cast<Eigen::Index>(left_.size());
  VecX rhs_B = VecX::Zero(static_cast<Eigen::Index>(base_.size())), rhs_N(in);
  Eigen::Index k = 0;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const int place = place_in_base_[free_[i]];
    if (place >= 0)
      rhs_B[place] = rhs[static_cast<Eigen::Index>(i)];
    else
      rhs_N[k++] = rhs[static_cast<Eigen::Index>(i)];
  }
  VecX x_B = lu_.solve(rhs_B);
  VecX of_border;
  if (in + out > 0) {
    VecX short_of(in + out);
    short_of.head(in) = rhs_N - A_NB_ * x_B;
    for (Eigen::Index j = 0; j < out; ++j) short_of[in + j] = -x_B[place_in_base_[left_[j].row]];
    of_border = schur_.solve(short_of);
    x_B -= border_ * of_border;
  }
  VecX x(rhs.size());
  k = 0;
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const int place = place_in_base_[free_[i]];
    x[static_cast<Eigen::Index>(i)] = place >= 0 ? x_B[place] : of_border[k++];
  }
  return x;
}

}  // namespace slipstick::internal
