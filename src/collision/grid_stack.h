#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "slipstick/collision/cell_grid.h"

namespace slipstick::internal {

// Bounds of one sort in grids by size, one grid an octave. The octaves are counted from the largest bound of the most
// populous size, so that these have cells that fit; eight sizes to an octave.
template <typename Bound>
class GridStack {
 public:
  void Build(std::span<const Bound> bounds) {
    everywhere_.clear();
    double largest = 0;
    for (const Bound& bound : bounds) {
      if (HasCell(bound)) largest = std::max(largest, ExtentOf(bound));
    }
    const double smallest = std::max(kSmallest * largest, std::numeric_limits<double>::min());
    const double unit = CommonSize(bounds, smallest, std::max(largest, smallest));
    const int first_octave = Octave(smallest / unit);
    grid_count_ = Octave(std::max(largest, smallest) / unit) - first_octave + 1;
    if (static_cast<int>(grids_.size()) < grid_count_) grids_.resize(grid_count_);
    for (int g = 0; g < grid_count_; ++g) grids_[g].Clear(std::ldexp(unit, first_octave + g));
    for (const Bound& bound : bounds) {
      if (!IsSomewhere(bound)) continue;
      const bool inserted =
          HasCell(bound) && grids_[Octave(std::max(ExtentOf(bound), smallest) / unit) - first_octave].Insert(bound);
      if (!inserted) everywhere_.push_back(bound);
    }
    for (CellGrid<Bound>& grid : grids()) grid.Sort();
  }

  // By ascending size of cells; some may be empty.
  std::span<CellGrid<Bound>> grids() { return {grids_.data(), static_cast<std::size_t>(grid_count_)}; }
  // Those without bounds and those too far from the origin for a grid.
  std::span<const Bound> everywhere() const { return everywhere_; }

 private:
  // Bounds smaller than this share of the largest one count as that large, which limits the number of grids.
  static constexpr double kSmallest = 1e-6;

  static bool HasCell(const Bound& bound) { return IsSomewhere(bound) && std::isfinite(ExtentOf(bound)); }

  // log₂ rounded up.
  static int Octave(double ratio) {
    int exponent = 0;
    return std::frexp(ratio, &exponent) == 0.5 ? exponent - 1 : exponent;
  }

  // Exponent and the first three bits of the mantissa.
  static int SizeClass(double extent) { return static_cast<int>(std::bit_cast<std::uint64_t>(extent) >> 49); }

  double CommonSize(std::span<const Bound> bounds, double smallest, double largest) {
    const int first_class = SizeClass(smallest);
    class_count_.assign(SizeClass(largest) - first_class + 1, 0);
    class_largest_.assign(class_count_.size(), smallest);
    for (const Bound& bound : bounds) {
      if (!HasCell(bound)) continue;
      const double extent = std::max(ExtentOf(bound), smallest);
      const int c = SizeClass(extent) - first_class;
      ++class_count_[c];
      class_largest_[c] = std::max(class_largest_[c], extent);
    }
    return class_largest_[std::max_element(class_count_.begin(), class_count_.end()) - class_count_.begin()];
  }

  std::vector<CellGrid<Bound>> grids_;  // never shrinks, to keep the storage
  int grid_count_ = 0;
  std::vector<Bound> everywhere_;
  std::vector<int> class_count_;
  std::vector<double> class_largest_;
};

}  // namespace slipstick::internal
