#include "slipstick/math/tree_cholesky.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {
namespace {

constexpr double kRounding = 1e-14;  // of a pivot, relative to its own entry and for each row
// From so many columns and rows on a factor without zeros is solved with by panels, which read it less often.
constexpr int kManyColumns = 4, kManyRows = 16;

}  // namespace

bool TreeCholesky::Factorize(const double* matrix, int n) {
  if (n != n_) {
    n_ = n;
    for (std::vector<int>* list : {&parent_, &children_, &top_, &run_of_}) list->resize(n);
    factor_.resize(static_cast<std::size_t>(n) * n);
    inverse_.resize(n);
    runs_.reserve(n);
    path_.reserve(n);
  }
  const auto size = static_cast<std::ptrdiff_t>(n);
  FindParents(matrix);
  FindRuns();
  for (int k = 0; k < n; ++k) std::copy_n(matrix + k * size, k + 1, factor_.data() + k * size);
  const double rounding = kRounding * n;
  // scales a column by its pivot
  const auto divide = [&](int k) {
    double* const column = factor_.data() + k * size;
    const double pivot = column[k];
    if (!(pivot > rounding * matrix[k * size + k]) || !std::isfinite(pivot)) return false;
    column[k] = std::sqrt(pivot);
    inverse_[k] = 1 / column[k];
    const double inverse = inverse_[k];
    for (const int r : path_) {
      for (int j = runs_[r].first, end = std::min(runs_[r].last, k); j < end; ++j) column[j] *= inverse;
    }
    return true;
  };
  for (int r = static_cast<int>(runs_.size()) - 1; r >= 0; --r) {
    Climb(r);
    // two at once, so that columns are read and written half as often
    for (int k = runs_[r].last - 1; k >= runs_[r].first; k -= 2) {
      double* const column = factor_.data() + k * size;
      if (!divide(k)) return false;
      if (k == runs_[r].first) {
        Eliminate(column, nullptr, k);
        break;
      }
      double* const next = column - size;
      const double share = column[k - 1];
      for (const int above : path_) {
        for (int j = runs_[above].first, end = std::min(runs_[above].last, k); j < end; ++j)
          next[j] -= share * column[j];
      }
      if (!divide(k - 1)) return false;
      Eliminate(column, next, k - 1);
    }
  }
  return true;
}

void TreeCholesky::Eliminate(const double* first, const double* second, int below) {
  const auto size = static_cast<std::ptrdiff_t>(n_);
  for (const int own : path_) {
    for (int i = runs_[own].first, end = std::min(runs_[own].last, below); i < end; ++i) {
      double* __restrict const target = factor_.data() + i * size;
      const double a = first[i], b = second != nullptr ? second[i] : 0.0;
      for (const int r : path_) {
        if (runs_[r].first > i) break;
        const int last = std::min(runs_[r].last, i + 1);
        if (second == nullptr) {
          for (int j = runs_[r].first; j < last; ++j) target[j] -= a * first[j];
        } else {
          for (int j = runs_[r].first; j < last; ++j) target[j] -= a * first[j] + b * second[j];
        }
      }
    }
  }
}

// Row j is the parent of the rows, or of the topmost ones above them found so far, that have an entry with it: the
// elimination tree (Liu 1986), from the last row up.
void TreeCholesky::FindParents(const double* matrix) {
  const auto size = static_cast<std::ptrdiff_t>(n_);
  parent_[0] = -1;
  int k = 1;
  while (k < n_ && matrix[k * size + k - 1] != 0) parent_[k] = k - 1, ++k;
  if (k == n_) return;
  std::fill(parent_.begin(), parent_.end(), -1);
  std::fill(top_.begin(), top_.end(), -1);
  for (int j = n_ - 2; j >= 0; --j) {
    for (int i = j + 1; i < n_; ++i) {
      if (matrix[i * size + j] == 0) continue;
      int row = i;
      while (top_[row] >= 0 && top_[row] != j) row = std::exchange(top_[row], j);
      if (top_[row] < 0) top_[row] = parent_[row] = j;
    }
  }
}

void TreeCholesky::FindRuns() {
  std::fill(children_.begin(), children_.end(), 0);
  for (int k = 0; k < n_; ++k) {
    if (parent_[k] >= 0) ++children_[parent_[k]];
  }
  runs_.clear();
  for (int k = 0; k < n_; ++k) {
    if (k > 0 && parent_[k] == k - 1 && children_[k - 1] == 1) {
      ++runs_.back().last;
    } else {
      runs_.push_back({k, k + 1, parent_[k] < 0 ? -1 : run_of_[parent_[k]]});
    }
    run_of_[k] = static_cast<int>(runs_.size()) - 1;
  }
}

void TreeCholesky::Climb(int run) {
  path_.clear();
  for (; run >= 0; run = runs_[run].above) path_.push_back(run);
  std::reverse(path_.begin(), path_.end());
}

void TreeCholesky::SolveColumn(double* x) const {
  const auto size = static_cast<std::ptrdiff_t>(n_);
  for (int k = n_ - 1; k >= 0; --k) {
    if (x[k] == 0) continue;  // as in a unit vector
    const double* __restrict const column = factor_.data() + k * size;
    const double value = x[k] *= inverse_[k];
    int last = k;
    for (int r = run_of_[k]; r >= 0; r = runs_[r].above) {
      for (int j = runs_[r].first; j < last; ++j) x[j] -= value * column[j];
      if (runs_[r].above >= 0) last = runs_[runs_[r].above].last;
    }
  }
  for (int k = 0; k < n_; ++k) {
    const double* const column = factor_.data() + k * size;
    double value = x[k];
    int last = k;
    for (int r = run_of_[k]; r >= 0; r = runs_[r].above) {
      const int first = runs_[r].first, count = last - first;
      value -= Eigen::Map<const VecX>(column + first, count).dot(Eigen::Map<const VecX>(x + first, count));
      if (runs_[r].above >= 0) last = runs_[runs_[r].above].last;
    }
    x[k] = value * inverse_[k];
  }
}

void TreeCholesky::Solve(double* x, int columns) const {
  if (columns >= kManyColumns && n_ >= kManyRows && runs_.size() == 1) {
    const Eigen::Map<const MatX> upper(factor_.data(), n_, n_);
    Eigen::Map<MatX> all(x, n_, columns);
    upper.triangularView<Eigen::Upper>().solveInPlace(all);
    upper.transpose().triangularView<Eigen::Lower>().solveInPlace(all);
    return;
  }
  for (int c = 0; c < columns; ++c) SolveColumn(x + static_cast<std::ptrdiff_t>(c) * n_);
}

}  // namespace slipstick::internal
