#pragma once

#include <utility>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/block_diagonal.h"

namespace slipstick::internal {

// A sparse matrix of dense blocks, with a symmetric pattern and values that need not be symmetric: rows and columns are
// cut as a BlockLayout says, and blocks (i, j) and (j, i) are there for every pair named. Factorized as A = L U, blocks
// in an order of little fill, pivots within diagonal blocks alone: for matrices of which the symmetric part is positive
// definite, or nearly, such as M + Jᵀ D J.
//
// The order and the places of the blocks are kept while the pattern stays.
class BlockSparseLu {
 public:
  using Block = Eigen::Map<MatX>;
  using Pairs = std::vector<std::pair<int, int>>;

  // Takes a pattern, pairs in any order and as often as one likes, and sets all entries to zero.
  void Reset(const BlockLayout& layout, const Pairs& pairs);

  // Blocks to be written; (i, j) must be in the pattern.
  Block diagonal(int i) { return At(diagonal_[place_[i]]); }
  Block block(int i, int j);
  // Where block (i, j) begins in values(), for those who write many: columns follow each other.
  int Find(int i, int j) const;
  double* values() { return values_.data(); }
  std::size_t value_count() const { return values_.size(); }

  // Overwrites the entries. False where a pivot vanishes or a number is not finite; nothing can be solved then.
  bool Factorize();
  // x := A⁻¹ x
  void SolveInPlace(Ref<VecX> x) const;

  // Blocks stored, fill included, and products of blocks that a factorization takes.
  int block_count() const { return static_cast<int>(blocks_.size()); }
  long product_count() const { return static_cast<long>(updates_.size()); }

 private:
  struct Stored {
    int start = 0, rows = 0, columns = 0;
  };
  // One column of L below the diagonal with the row of U right of it: in the order of elimination.
  struct Column {
    int first = 0, count = 0;  // of `rows_`, `lower_` and `upper_`
    int first_update = 0;      // of `updates_`
  };

  Block At(int stored) {
    return {values_.data() + blocks_[stored].start, blocks_[stored].rows, blocks_[stored].columns};
  }
  Eigen::Map<const MatX> At(int stored) const {
    return {values_.data() + blocks_[stored].start, blocks_[stored].rows, blocks_[stored].columns};
  }
  void Analyse();
  std::vector<int> Order() const;
  int Store(int rows, int columns);
  bool FactorizeDiagonal(int k);
  template <int kSize>
  void Eliminate(int k);

  BlockLayout layout_;
  Pairs pairs_;             // sorted, each once, the smaller first
  std::vector<int> place_;  // of each block in the order of elimination
  std::vector<int> at_;     // and the block at each place
  bool all_six_ = false;    // every block has six rows

  std::vector<Stored> blocks_;
  std::vector<int> diagonal_;  // by place
  std::vector<Column> columns_;
  std::vector<int> rows_;           // places, ascending in each column
  std::vector<int> lower_, upper_;  // blocks stored
  std::vector<int> updates_;        // targets of the products of a column, row by row
  std::vector<int> pivots_;         // of diagonal blocks, `pivot_start_` by place
  std::vector<int> pivot_start_;
  std::vector<double> values_;
};

}  // namespace slipstick::internal
