#include "slipstick/math/panel_matrix.h"

#include <algorithm>

#include "slipstick/base/check.h"

namespace slipstick::internal {

PanelMatrix::PanelMatrix(const SparseMat& matrix, const BlockLayout& layout) : layout_(layout) {
  SLIPSTICK_CHECK(matrix.rows() == layout.total && matrix.cols() == layout.total, "blocks that do not fit the matrix");
  const int count = layout.count();
  std::vector<int> block_of(layout.total);
  for (int b = 0; b < count; ++b) {
    for (int row = 0; row < layout.size[b]; ++row) block_of[layout.offset[b] + row] = b;
  }
  first_neighbour_.assign(1, 0);
  std::vector<int> column_of_block(count, -1);  // where a block's columns begin in the present panel
  std::vector<int> touched;
  for (int i = 0; i < count; ++i) {
    touched.assign(1, i);
    column_of_block[i] = 0;
    for (int row = layout.offset[i]; row < layout.offset[i] + layout.size[i]; ++row) {
      for (SparseMat::InnerIterator entry(matrix, row); entry; ++entry) {
        const int j = block_of[entry.col()];
        if (column_of_block[j] >= 0) continue;
        column_of_block[j] = 0;
        touched.push_back(j);
      }
    }
    std::sort(touched.begin(), touched.end());
    int width = 0;
    for (int j : touched) {
      column_of_block[j] = width;
      width += layout.size[j];
    }
    own_column_.push_back(column_of_block[i]);
    width_.push_back(width);
    first_value_.push_back(values_.size());
    values_.resize(values_.size() + static_cast<std::size_t>(width) * layout.size[i], 0.0);
    Eigen::Map<RowMatX> panel(values_.data() + first_value_[i], layout.size[i], width);
    for (int row = 0; row < layout.size[i]; ++row) {
      for (SparseMat::InnerIterator entry(matrix, layout.offset[i] + row); entry; ++entry) {
        const int j = block_of[entry.col()];
        panel(row, column_of_block[j] + static_cast<int>(entry.col()) - layout.offset[j]) += entry.value();
      }
    }
    neighbours_.insert(neighbours_.end(), touched.begin(), touched.end());
    first_neighbour_.push_back(static_cast<int>(neighbours_.size()));
    for (int j : touched) column_of_block[j] = -1;
  }
}

void PanelMatrix::MultiplyRow(int i, const double* x, double* out) const {
  const double* value = values_.data() + first_value_[i];
  const int rows = layout_.size[i], width = width_[i];
  if (rows == 3) {
    // the usual case, three sums at once
    const double *first = value, *second = value + width, *third = value + 2 * width;
    double a = 0, b = 0, c = 0;
    int column = 0;
    for (const int* j = neighbours_begin(i); j != neighbours_end(i); ++j) {
      const double* part = x + layout_.offset[*j];
      const int size = layout_.size[*j];
      for (int k = 0; k < size; ++k, ++column) {
        a += first[column] * part[k];
        b += second[column] * part[k];
        c += third[column] * part[k];
      }
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    return;
  }
  std::fill(out, out + rows, 0.0);
  int column = 0;
  for (const int* j = neighbours_begin(i); j != neighbours_end(i); ++j) {
    const double* part = x + layout_.offset[*j];
    const int size = layout_.size[*j];
    for (int row = 0; row < rows; ++row) {
      for (int k = 0; k < size; ++k) out[row] += value[static_cast<std::ptrdiff_t>(row) * width + column + k] * part[k];
    }
    column += size;
  }
}

void PanelMatrix::Multiply(ConstRef<VecX> x, Ref<VecX> out) const {
  for (int i = 0; i < layout_.count(); ++i) MultiplyRow(i, x.data(), out.data() + layout_.offset[i]);
}

}  // namespace slipstick::internal
