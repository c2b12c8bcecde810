#include "slipstick/solver/lcp_reduction.h"

#include <Eigen/QR>
#include <cmath>

namespace slipstick {
namespace {

// As in free_block.cpp: of a matrix with entries of about one.
constexpr double kRank = 1e-12;
constexpr double kConsistent = 1e-9;

bool IsFree(const BoundedMlcp& problem, int i) { return std::isinf(problem.lower[i]) && std::isinf(problem.upper[i]); }

}  // namespace

std::optional<LcpReduction> LcpReduction::Make(const BoundedMlcp& problem) {
  LcpReduction result;
  const int n = problem.size();
  result.initial_ = PartitionAtBounds(problem);
  result.offset_ = VecX::Zero(n);
  std::vector<int> free;
  std::vector<double> spans;  // of the columns with two bounds, in order
  for (int i = 0; i < n; ++i) {
    if (IsFree(problem, i)) {
      free.push_back(i);
      continue;
    }
    const bool mirrored = std::isinf(problem.lower[i]);
    result.offset_[i] = mirrored ? problem.upper[i] : problem.lower[i];
    if (problem.lower[i] == problem.upper[i]) continue;
    int bound_row = -1;
    if (std::isfinite(problem.lower[i]) && std::isfinite(problem.upper[i])) {
      bound_row = static_cast<int>(spans.size());  // counted on from the columns below
      spans.push_back(problem.upper[i] - problem.lower[i]);
    }
    result.columns_.push_back({i, mirrored ? -1.0 : 1.0, bound_row});
  }

  const auto transform = [&result, n] {
    MatX T = MatX::Zero(n, result.columns_.size());
    for (std::size_t j = 0; j < result.columns_.size(); ++j) T(result.columns_[j].variable, j) = result.columns_[j].sign;
    return T;
  };
  result.transform_ = transform();
  if (!free.empty()) {
    const MatX A_F = problem.A(free, Eigen::all);
    const MatX block = A_F(Eigen::all, free);
    const MatX coupling = A_F * result.transform_;
    const VecX b_F = A_F * result.offset_ + problem.b(free);
    const double magnitude =
        (A_F.cwiseAbs() * result.offset_.cwiseAbs() + problem.b(free).cwiseAbs()).lpNorm<Eigen::Infinity>();
    Eigen::CompleteOrthogonalDecomposition<MatX> orthogonal;
    orthogonal.setThreshold(kRank);
    orthogonal.compute(block);
    MatX elimination = -orthogonal.solve(coupling);
    elimination -= orthogonal.solve(coupling + block * elimination);
    VecX constant = -orthogonal.solve(b_F);
    constant -= orthogonal.solve(b_F + block * constant);
    const bool couplings_fit =
        coupling.size() == 0 || (coupling + block * elimination).lpNorm<Eigen::Infinity>() <= kConsistent;
    if (couplings_fit) {
      if ((b_F + block * constant).lpNorm<Eigen::Infinity>() > kConsistent * magnitude) return std::nullopt;
      result.transform_(free, Eigen::all) = elimination;
      result.offset_(free) = constant;
    } else {
      for (const int i : free) {
        result.columns_.push_back({i, 1.0, -1});
        result.columns_.push_back({i, -1.0, -1});
      }
      result.transform_ = transform();
    }
  }

  const int column_count = static_cast<int>(result.columns_.size());
  const int m = column_count + static_cast<int>(spans.size());
  result.M_ = MatX::Zero(m, m);
  result.q_ = VecX::Zero(m);
  const MatX AT = problem.A * result.transform_;
  const VecX w = problem.A * result.offset_ + problem.b;
  for (int j = 0; j < column_count; ++j) {
    Column& column = result.columns_[j];
    result.M_.row(j).head(column_count) = column.sign * AT.row(column.variable);
    result.q_[j] = column.sign * w[column.variable];
    if (column.bound_row < 0) continue;
    const int row = column_count + column.bound_row;
    result.q_[row] = spans[column.bound_row];
    result.M_(j, row) = 1;
    result.M_(row, j) = -1;
    column.bound_row = row;
  }
  return result;
}

VecX LcpReduction::Recover(const VecX& x) const { return offset_ + transform_ * x.head(columns_.size()); }

Partition LcpReduction::RecoverPartition(const std::vector<bool>& x_is_basic) const {
  Partition partition = initial_;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Column& column = columns_[j];
    if (!x_is_basic[j]) continue;  // where it is counted from
    const bool at_second_bound = column.bound_row >= 0 && x_is_basic[column.bound_row];
    partition[column.variable] = at_second_bound ? Side::kUpper : Side::kFree;
  }
  return partition;
}

}  // namespace slipstick
