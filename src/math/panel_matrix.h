#pragma once

#include <vector>

#include "slipstick/base/sparse.h"
#include "slipstick/math/block_diagonal.h"

namespace slipstick::internal {

// A square sparse matrix cut into blocks, held by block rows: the block row i is a dense panel over the columns of the
// blocks it touches, its own among them. One gather and one small dense product a row, where compressed rows would
// look up an index for each number.
class PanelMatrix {
 public:
  using Panel = Eigen::Map<const RowMatX>;

  PanelMatrix(const SparseMat& matrix, const BlockLayout& layout);

  const BlockLayout& layout() const { return layout_; }
  int rows() const { return layout_.total; }
  long long entries() const { return static_cast<long long>(values_.size()); }

  // The blocks that block row i touches, ascending, with the panel over their columns side by side.
  const int* neighbours_begin(int i) const { return neighbours_.data() + first_neighbour_[i]; }
  const int* neighbours_end(int i) const { return neighbours_.data() + first_neighbour_[i + 1]; }
  int width(int i) const { return width_[i]; }
  Panel panel(int i) const { return {values_.data() + first_value_[i], layout_.size[i], width_[i]}; }
  // W_ii
  MatX DiagonalBlock(int i) const { return panel(i).middleCols(own_column_[i], layout_.size[i]); }
  int own_column(int i) const { return own_column_[i]; }  // of W_ii in the panel

  // out (rows of block i) = row i of the matrix times x
  void MultiplyRow(int i, const double* x, double* out) const;
  // out = W x
  void Multiply(ConstRef<VecX> x, Ref<VecX> out) const;

 private:
  BlockLayout layout_;
  std::vector<int> first_neighbour_, neighbours_, width_, own_column_;
  std::vector<std::size_t> first_value_;
  std::vector<double> values_;
};

}  // namespace slipstick::internal
