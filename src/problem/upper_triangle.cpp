#include "slipstick/problem/upper_triangle.h"

namespace slipstick::internal {

SparseMat MirrorUpperTriangle(const SparseMat& matrix) {
  if (matrix.rows() != matrix.cols()) return matrix;
  bool has_upper = false;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (SparseMat::InnerIterator entry(matrix, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      if (entry.col() < row) return matrix;
      has_upper = has_upper || entry.col() > row;
    }
  }
  if (!has_upper) return matrix;
  return matrix.selfadjointView<Eigen::Upper>();
}

}  // namespace slipstick::internal
