#include "slipstick/solver/mlcp/mlcp_updated_cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace slipstick::internal {

bool UpdatedCholesky::Update(const std::vector<int>& free) {
  if (order_.empty()) return false;
  std::vector<bool> is_free(A_.rows(), false), is_kept(A_.rows(), false);
  for (const int row : free) is_free[row] = true;
  std::vector<int> removed;
  double removal_work = 0;
  for (int k = 0; k < size(); ++k) {
    if (is_free[order_[k]]) {
      is_kept[order_[k]] = true;
      continue;
    }
    removed.push_back(k);
    // four operations for each entry behind it, a rotation at a time: some three times slower than in blocks
    removal_work += 6.0 * (size() - k) * (size() - k);
  }
  std::vector<int> added;
  for (const int row : free)
    if (!is_kept[row]) added.push_back(row);
  const auto n = static_cast<double>(free.size()), kept = static_cast<double>(size() - removed.size()),
             a = static_cast<double>(added.size());
  if (removal_work + a * kept * kept + a * a * kept + a * a * a / 3 > 0.8 * n * n * n / 3) return false;
  for (auto k = removed.rbegin(); k != removed.rend(); ++k) Remove(*k);
  if (!Append(added)) {
    Clear();
    return false;
  }
  Locate(free);
  return true;
}

bool UpdatedCholesky::Compute(const std::vector<int>& free) {
  Clear();
  if (!Append(free)) {
    Clear();
    return false;
  }
  Locate(free);
  return true;
}

void UpdatedCholesky::Remove(int place) {
  const int behind = size() - place - 1;
  VecX l = L_.col(place).segment(place + 1, behind);
  // rows and columns behind it move up by one
  for (int j = 0; j < place; ++j) {
    double* column = L_.col(j).data();
    std::copy(column + place + 1, column + size(), column + place);
  }
  for (int j = place; j + 1 < size(); ++j) {
    const double* from = L_.col(j + 1).data();
    std::copy(from + j + 1, from + size(), L_.col(j).data() + j);
  }
  order_.erase(order_.begin() + place);
  for (int k = 0; k < behind; ++k) {
    const int at = place + k, rest = behind - k - 1;
    const double pivot = L_(at, at), radius = std::hypot(pivot, l[k]);
    const double cosine = pivot / radius, sine = l[k] / radius;
    L_(at, at) = radius;
    auto column = L_.col(at).segment(at + 1, rest);
    auto tail = l.tail(rest);
    for (int i = 0; i < rest; ++i) {
      const double entry = column[i];
      column[i] = cosine * entry + sine * tail[i];
      tail[i] = cosine * tail[i] - sine * entry;
    }
  }
}

bool UpdatedCholesky::Append(const std::vector<int>& rows) {
  const int before = size(), added = static_cast<int>(rows.size());
  if (added == 0) return true;
  if (before + added > L_.rows()) {
    const int room = std::min(static_cast<int>(A_.rows()), before + added + before / 2);
    L_.conservativeResize(room, room);
  }
  MatX corner = A_(rows, rows);
  if (before > 0) {
    MatX X = A_(order_, rows);
    L().triangularView<Eigen::Lower>().solveInPlace(X);
    corner.selfadjointView<Eigen::Lower>().rankUpdate(X.transpose(), -1);
    L_.block(before, 0, added, before) = X.transpose();
  }
  const Eigen::LLT<Eigen::Ref<MatX>> cholesky(corner);
  if (cholesky.info() != Eigen::Success || !(corner.diagonal().cwiseAbs2().minCoeff() > least_pivot_)) return false;
  L_.block(before, before, added, added).triangularView<Eigen::Lower>() = corner;
  order_.insert(order_.end(), rows.begin(), rows.end());
  return true;
}

void UpdatedCholesky::Locate(const std::vector<int>& free) {
  std::vector<int> place(A_.rows(), -1);
  for (int k = 0; k < size(); ++k) place[order_[k]] = k;
  places_.resize(free.size());
  for (std::size_t i = 0; i < free.size(); ++i) places_[i] = place[free[i]];
}

VecX UpdatedCholesky::Solve(const VecX& rhs) const {
  VecX x(rhs.size());
  x(places_) = rhs;
  L().triangularView<Eigen::Lower>().solveInPlace(x);
  L().transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x(places_);
}

}  // namespace slipstick::internal
