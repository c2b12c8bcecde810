#include "slipstick/math/panel_matrix.h"

#include <gtest/gtest.h>

namespace slipstick::internal {
namespace {

TEST(PanelMatrix, MultipliesAsTheMatrixItWasMadeFrom) {
  std::srand(5);
  BlockLayout layout;
  for (int size : {3, 1, 3, 6, 2, 5, 3}) layout.Append(size);
  MatX full = MatX::Random(layout.total, layout.total);
  // some blocks empty, a diagonal block among them
  full.block(0, 4, 3, 3).setZero();
  full.block(4, 0, 3, 9).setZero();
  full.block(13, 13, 2, 2).setZero();
  const PanelMatrix matrix(full.sparseView(), layout);
  const VecX x = VecX::Random(layout.total);
  VecX product(layout.total);
  matrix.Multiply(x, product);
  EXPECT_LT((product - full * x).norm(), 1e-14);
  for (int b = 0; b < layout.count(); ++b) {
    EXPECT_EQ(matrix.DiagonalBlock(b), full.block(layout.offset[b], layout.offset[b], layout.size[b], layout.size[b]));
  }
  EXPECT_LT(matrix.entries(), full.size());
}

TEST(PanelMatrix, OfNoRows) {
  const PanelMatrix matrix(SparseMat(0, 0), BlockLayout());
  VecX nothing(0);
  matrix.Multiply(nothing, nothing);
  EXPECT_EQ(matrix.rows(), 0);
}

}  // namespace
}  // namespace slipstick::internal
