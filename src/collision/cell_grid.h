#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/collision/bounds.h"
#include "slipstick/collision/pair_list.h"

namespace slipstick::internal {

// Bounds of at most one size, sorted into cells of that size by their centres.
//
// Space has no borders here: cells are hashed into a table of two to four buckets a bound. It is blocks of 8 × 4 × 4
// cells that are hashed, and within a block the cells of a row along x lie side by side. So a search reads a stretch
// of consecutive bounds for each row of cells, mostly in memory that the searches before it have read. Cells of
// different blocks may share a bucket: a search then tests a bound in vain, or finds it twice.
template <typename Bound>
class CellGrid {
 public:
  // Empties the grid; its cells hold bounds up to the given extent, with a little to spare for rounding.
  void Clear(double largest_extent) {
    cell_ = (1 + kSpare) * largest_extent;
    inverse_ = 1 / cell_;
    inserted_.clear();
    inserted_cells_.clear();
    bounds_.clear();
  }

  // False where the bound is too far from the origin to have a cell: it is then not in the grid.
  bool Insert(const Bound& bound) {
    const Vec3 q = inverse_ * CenterOf(bound);
    if (!(q.cwiseAbs().maxCoeff() < kFurthest)) return false;
    inserted_cells_.push_back({Floor(q.x()), Floor(q.y()), Floor(q.z())});
    inserted_.push_back(bound);
    return true;
  }

  void Sort() {
    const int count = static_cast<int>(inserted_.size());
    const int bits = std::max<int>(kBlockBits + 1, std::bit_width(static_cast<unsigned>(count)) + 1);
    shift_ = 64 - (bits - kBlockBits);
    const int buckets = 1 << bits;
    first_.assign(buckets + 2, 0);  // the beginning of bucket b at b + 1, while the bounds are put in at b's end
    bucket_.resize(count);
    for (int i = 0; i < count; ++i) {
      const Cell& cell = inserted_cells_[i];
      bucket_[i] = BucketOf(cell.x, cell.y, cell.z);
      ++first_[bucket_[i] + 2];
    }
    for (int bucket = 0; bucket < buckets; ++bucket) first_[bucket + 2] += first_[bucket + 1];
    bounds_.resize(count);
    cells_.resize(count);
    for (int i = 0; i < count; ++i) {
      const int to = first_[bucket_[i] + 1]++;
      bounds_[to] = inserted_[i];
      cells_[to] = inserted_cells_[i];
    }
  }

  int size() const { return static_cast<int>(bounds_.size()); }
  double cell() const { return cell_; }
  std::span<const Bound> bounds() const { return bounds_; }

  int FullestBucket() const {
    int most = 0;
    for (std::size_t i = 0; i + 1 < first_.size(); ++i) most = std::max(most, first_[i + 1] - first_[i]);
    return most;
  }

  // Adds the pairs of bounds in this grid that meet.
  void FindOwnPairs(PairList* found) const {
    for (int i = 0; i < size(); ++i) {
      const Bound bound = bounds_[i];
      const auto [x, y, z] = cells_[i];
      // half of the neighbourhood: the rest of this cell, the next one, and four rows
      MeetStretch(bound, i + 1, first_[BucketOf(x, y, z) + 1], found);
      MeetRow(bound, x + 1, x + 1, y, z, found);
      for (const auto& [dy, dz] : kRowsAhead) MeetRow(bound, x - 1, x + 1, y + dy, z + dz, found);
    }
  }

  // The number of stretches that FindPairsWith would read for a bound with this box.
  double RowsOf(const Aabb& box) const {
    const Range range = RangeOf(box);
    const auto cells = [&](int axis) { return static_cast<double>(range.most[axis]) - range.least[axis] + 1; };
    return (1 + cells(0) / kRowLength) * cells(1) * cells(2);
  }

  // Adds the pairs of a bound of any size that is not in this grid with those that are.
  template <typename Other>
  void FindPairsWith(const Other& other, PairList* found) const {
    const Aabb box = BoxOf(other);
    if (!(4 * RowsOf(box) < size())) return MeetStretch(other, 0, size(), found);
    const Range range = RangeOf(box);
    for (int z = range.least[2]; z <= range.most[2]; ++z) {
      for (int y = range.least[1]; y <= range.most[1]; ++y) {
        MeetRow(other, range.least[0], range.most[0], y, z, found);
      }
    }
  }

 private:
  // Cells are wider than the bounds by the share kSpare, and none is further from the origin than kFurthest cells: what
  // rounding moves a bound by, at most 2⁻⁵² · 2²⁸ cells, cannot carry it past the next cell then.
  static constexpr double kSpare = 1e-6;
  static constexpr double kFurthest = 1 << 28;
  static constexpr int kRowLength = 8;  // cells of a block along x
  static constexpr int kBlockBits = 7;
  static constexpr std::array<std::pair<int, int>, 4> kRowsAhead = {{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

  struct Cell {
    int x = 0, y = 0, z = 0;
  };
  struct Range {
    std::array<int, 3> least, most;
  };

  static int Floor(double q) {
    const int truncated = static_cast<int>(q);
    return truncated - (q < truncated ? 1 : 0);
  }

  int BucketOf(int x, int y, int z) const {
    const std::uint64_t hash = static_cast<std::uint64_t>(x >> 3) * 0x9e3779b97f4a7c15 +
                               static_cast<std::uint64_t>(y >> 2) * 0xc2b2ae3d27d4eb4f +
                               static_cast<std::uint64_t>(z >> 2) * 0x165667b19e3779f9;
    const int block = static_cast<int>((hash ^ hash >> 32) * 0xd6e8feb86659fd93 >> shift_);
    return block << kBlockBits | (z & 3) << 5 | (y & 3) << 3 | (x & (kRowLength - 1));
  }

  Range RangeOf(const Aabb& box) const {
    Range range;
    for (int axis = 0; axis < 3; ++axis) {
      const double least = inverse_ * (box.least(axis) - 0.5 * cell_);
      const double most = inverse_ * (box.most(axis) + 0.5 * cell_);
      range.least[axis] = Floor(std::clamp(least, -kFurthest, kFurthest));
      range.most[axis] = Floor(std::clamp(most, -kFurthest, kFurthest));
    }
    return range;
  }

  template <typename Other>
  void MeetStretch(const Other& other, int begin, int end, PairList* found) const {
    const Bound* bounds = bounds_.data();
    found->AddWhere(
        other.shape, begin, end, [&](int k) { return Meet(other, bounds[k]) & (other.group != bounds[k].group); },
        [&](int k) { return bounds[k].shape; });
  }

  // Cells from `least` to `most` along x.
  template <typename Other>
  void MeetRow(const Other& other, int least, int most, int y, int z, PairList* found) const {
    for (int x = least; x <= most;) {
      const int last = std::min(most, x | (kRowLength - 1));
      const int begin = BucketOf(x, y, z);
      MeetStretch(other, first_[begin], first_[begin + (last - x) + 1], found);
      x = last + 1;
    }
  }

  double cell_ = 1;
  double inverse_ = 1;
  int shift_ = 63;
  std::vector<Bound> bounds_, inserted_;  // sorted by bucket; as they came
  std::vector<Cell> cells_, inserted_cells_;
  std::vector<int> bucket_;  // of what was inserted
  std::vector<int> first_;   // bound of each bucket, and past the last
};

}  // namespace slipstick::internal
