#include "slipstick/math/block_sparse_lu.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/base/sparse.h"

namespace slipstick::internal {
namespace {

// In-place LU of a small matrix, rows exchanged for the largest pivots. False where one vanishes or is not finite.
template <typename Matrix>
bool Decompose(Matrix&& a, int* pivots) {
  const Eigen::Index n = a.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index largest = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (std::abs(a(i, k)) > std::abs(a(largest, k))) largest = i;
    }
    pivots[k] = static_cast<int>(largest);
    if (largest != k) a.row(k).swap(a.row(largest));
    const double pivot = a(k, k);
    if (!(std::abs(pivot) > 0) || !std::isfinite(pivot)) return false;
    const double inverse = 1 / pivot;
    for (Eigen::Index i = k + 1; i < n; ++i) a(i, k) *= inverse;
    for (Eigen::Index j = k + 1; j < n; ++j) {
      const double factor = a(k, j);
      for (Eigen::Index i = k + 1; i < n; ++i) a(i, j) -= a(i, k) * factor;
    }
  }
  return true;
}

// x := (LU)⁻¹ P x, column by column.
template <typename Matrix, typename Columns>
void SolveDecomposed(const Matrix& lu, const int* pivots, Columns&& x) {
  const Eigen::Index n = lu.rows();
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    for (Eigen::Index k = 0; k < n; ++k) {
      if (pivots[k] != k) std::swap(x(k, c), x(pivots[k], c));
    }
    for (Eigen::Index k = 0; k < n; ++k) {
      const double value = x(k, c);
      for (Eigen::Index i = k + 1; i < n; ++i) x(i, c) -= lu(i, k) * value;
    }
    for (Eigen::Index k = n; k-- > 0;) {
      const double value = x(k, c) /= lu(k, k);
      for (Eigen::Index i = 0; i < k; ++i) x(i, c) -= lu(i, k) * value;
    }
  }
}

template <int kSize>
using Sized = Eigen::Matrix<double, kSize, kSize>;

}  // namespace

void BlockSparseLu::Reset(const BlockLayout& layout, const Pairs& pairs) {
  Pairs sorted = pairs;
  for (auto& [a, b] : sorted) {
    SLIPSTICK_CHECK(a != b, "a pair of blocks names one twice");
    if (a > b) std::swap(a, b);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted != pairs_ || layout.size != layout_.size) {
    layout_ = layout;
    pairs_ = std::move(sorted);
    Analyse();
  }
  std::fill(values_.begin(), values_.end(), 0.0);
}

// Approximate minimum degree on the graph of the blocks.
std::vector<int> BlockSparseLu::Order() const {
  const int n = layout_.count();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(n + 2 * pairs_.size());
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : pairs_) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + n};
}

int BlockSparseLu::Store(int rows, int columns) {
  const int start = blocks_.empty() ? 0 : blocks_.back().start + blocks_.back().rows * blocks_.back().columns;
  blocks_.push_back({start, rows, columns});
  return static_cast<int>(blocks_.size()) - 1;
}

void BlockSparseLu::Analyse() {
  const int n = layout_.count();
  at_ = Order();
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[at_[k]] = k;
  all_six_ = std::all_of(layout_.size.begin(), layout_.size.end(), [](int size) { return size == 6; });
  // what stands below each diagonal block: neighbours, and what is left of the columns eliminated before
  std::vector<std::vector<int>> below(n);
  for (const auto& [a, b] : pairs_) {
    const auto [early, late] = std::minmax(place_[a], place_[b]);
    below[early].push_back(late);
  }
  for (int k = 0; k < n; ++k) {
    std::vector<int>& rows = below[k];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    // all that a column leaves is in the column of its first row, and from there further on
    if (rows.size() > 1) below[rows[0]].insert(below[rows[0]].end(), rows.begin() + 1, rows.end());
  }
  blocks_.clear();
  diagonal_.assign(n, 0);
  columns_.assign(n, {});
  rows_.clear();
  lower_.clear();
  upper_.clear();
  updates_.clear();
  pivot_start_.assign(n, 0);
  int pivots = 0;
  for (int k = 0; k < n; ++k) {
    const int size = layout_.size[at_[k]];
    pivot_start_[k] = pivots;
    pivots += size;
    diagonal_[k] = Store(size, size);
    columns_[k] = {static_cast<int>(rows_.size()), static_cast<int>(below[k].size()), 0};
    for (const int row : below[k]) {
      const int other = layout_.size[at_[row]];
      rows_.push_back(row);
      lower_.push_back(Store(other, size));
      upper_.push_back(Store(size, other));
    }
  }
  pivots_.assign(pivots, 0);
  // where the products of a column go: of its rows i and columns j
  for (int k = 0; k < n; ++k) {
    columns_[k].first_update = static_cast<int>(updates_.size());
    const std::vector<int>& rows = below[k];
    for (const int i : rows) {
      for (const int j : rows) {
        if (i == j) {
          updates_.push_back(diagonal_[i]);
          continue;
        }
        const auto [early, late] = std::minmax(i, j);
        const std::vector<int>& list = below[early];
        const auto found = std::lower_bound(list.begin(), list.end(), late) - list.begin();
        const auto entry = columns_[early].first + static_cast<int>(found);
        updates_.push_back(i > j ? lower_[entry] : upper_[entry]);
      }
    }
  }
  values_.assign(blocks_.empty() ? 0 : blocks_.back().start + blocks_.back().rows * blocks_.back().columns, 0.0);
}

int BlockSparseLu::Find(int i, int j) const {
  const int row = place_[i], column = place_[j];
  if (row == column) return blocks_[diagonal_[row]].start;
  const auto [early, late] = std::minmax(row, column);
  const auto first = rows_.begin() + columns_[early].first, last = first + columns_[early].count;
  const auto found = std::lower_bound(first, last, late);
  SLIPSTICK_CHECK(found != last && *found == late, "a block of the pattern");
  const auto entry = found - rows_.begin();
  return blocks_[row > column ? lower_[entry] : upper_[entry]].start;
}

BlockSparseLu::Block BlockSparseLu::block(int i, int j) {
  return {values_.data() + Find(i, j), layout_.size[i], layout_.size[j]};
}

bool BlockSparseLu::FactorizeDiagonal(int k) {
  int* pivots = pivots_.data() + pivot_start_[k];
  double* values = values_.data() + blocks_[diagonal_[k]].start;
  if (blocks_[diagonal_[k]].rows == 6) return Decompose(Eigen::Map<Sized<6>>(values), pivots);
  return Decompose(At(diagonal_[k]), pivots);
}

// Takes column k out of all that is left. kSize: of all blocks, or Dynamic.
template <int kSize>
void BlockSparseLu::Eliminate(int k) {
  using Map = Eigen::Map<Sized<kSize>>;
  const auto at = [&](int stored) {
    const Stored& block = blocks_[stored];
    return Map(values_.data() + block.start, block.rows, block.columns);
  };
  const Column& column = columns_[k];
  const int* pivots = pivots_.data() + pivot_start_[k];
  const auto lu = at(diagonal_[k]);
  for (int a = column.first; a < column.first + column.count; ++a) SolveDecomposed(lu, pivots, at(upper_[a]));
  int update = column.first_update;
  for (int a = column.first; a < column.first + column.count; ++a) {
    const auto lower = at(lower_[a]);
    for (int b = column.first; b < column.first + column.count; ++b, ++update) {
      at(updates_[update]).noalias() -= lower * at(upper_[b]);
    }
  }
}

bool BlockSparseLu::Factorize() {
  for (int k = 0; k < layout_.count(); ++k) {
    if (!FactorizeDiagonal(k)) return false;
    if (all_six_) {
      Eliminate<6>(k);
    } else {
      Eliminate<Eigen::Dynamic>(k);
    }
  }
  return true;
}

void BlockSparseLu::SolveInPlace(Ref<VecX> x) const {
  const int n = layout_.count();
  const auto part = [&](int place) { return x.segment(layout_.offset[at_[place]], layout_.size[at_[place]]); };
  for (int k = 0; k < n; ++k) {
    auto own = part(k);
    const int* pivots = pivots_.data() + pivot_start_[k];
    if (own.size() == 6) {
      SolveDecomposed(Eigen::Map<const Sized<6>>(values_.data() + blocks_[diagonal_[k]].start), pivots, own);
    } else {
      SolveDecomposed(At(diagonal_[k]), pivots, own);
    }
    for (int a = columns_[k].first; a < columns_[k].first + columns_[k].count; ++a) {
      part(rows_[a]).noalias() -= At(lower_[a]) * own;
    }
  }
  for (int k = n; k-- > 0;) {
    auto own = part(k);
    for (int a = columns_[k].first; a < columns_[k].first + columns_[k].count; ++a) {
      own.noalias() -= At(upper_[a]) * part(rows_[a]);
    }
  }
}

}  // namespace slipstick::internal
