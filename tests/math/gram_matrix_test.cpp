#include "slipstick/math/gram_matrix.h"

#include <gtest/gtest.h>

#include "tests/base/random_numbers.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;

// A third of the entries, some rows and columns without any.
MatX RandomFactor(int rows, int cols, RandomNumbers* random) {
  MatX G = MatX::Zero(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      if (i % 5 != 4 && j % 7 != 6 && random->Chance(0.33)) G(i, j) = random->Between(-2, 2);
    }
  }
  return G;
}

GramMatrix Gram(const MatX& G) { return GramMatrix(SparseMat(G.sparseView())); }

void ExpectIs(const GramMatrix& gram, const MatX& G, RandomNumbers* random) {
  const MatX W = G * G.transpose();
  ASSERT_EQ(gram.rows(), G.rows());
  ASSERT_EQ(gram.cols(), G.rows());
  const VecX x = random->Vector(gram.rows(), 1);
  EXPECT_LT((gram * x - W * x).norm(), 1e-13 * (1 + W.norm()));
  EXPECT_LT((gram.diagonal() - W.diagonal()).norm(), 1e-14 * (1 + W.norm()));
  const VecX absolute = G.cwiseAbs() * (G.cwiseAbs().transpose() * x.cwiseAbs());
  EXPECT_LT((gram.AbsoluteProduct(x) - absolute).norm(), 1e-13 * (1 + absolute.norm()));
}

TEST(GramMatrix, IsTheProductOfItsFactorWithItsTranspose) {
  RandomNumbers random(5);
  for (const auto& [rows, cols] : {std::pair{12, 4}, {4, 12}, {1, 1}, {30, 30}, {3, 0}}) {
    const MatX G = RandomFactor(rows, cols, &random);
    ExpectIs(Gram(G), G, &random);
  }
  EXPECT_EQ(GramMatrix().rows(), 0);
  EXPECT_EQ((GramMatrix() * VecX(0)).size(), 0);
}

TEST(GramMatrix, RowsAndColumnsChosenInAnyOrder) {
  RandomNumbers random(6);
  const MatX G = RandomFactor(11, 8, &random);
  for (const std::vector<int>& numbers : {std::vector<int>{0, 3, 10}, {10, 2, 4, 1}, {}, {5, 5}}) {
    MatX chosen(numbers.size(), G.cols());
    for (std::size_t i = 0; i < numbers.size(); ++i) chosen.row(static_cast<int>(i)) = G.row(numbers[i]);
    ExpectIs(Gram(G).Selected(numbers), chosen, &random);
  }
}

TEST(GramMatrix, ScaledFromBothSides) {
  RandomNumbers random(7);
  const MatX G = RandomFactor(9, 6, &random);
  VecX diagonal = random.Vector(9, 3);
  diagonal[2] = 0;
  const GramMatrix gram = Gram(G);
  ExpectIs(gram.Scaled(diagonal), diagonal.asDiagonal() * G, &random);
  ExpectIs(gram, G, &random);  // itself as before
}

// Signs cancel in the product and never in its bound.
TEST(GramMatrix, AbsoluteProductSeesWhatCancels) {
  const MatX G = (MatX(2, 2) << 1, 1, 1, -1).finished();
  const GramMatrix gram = Gram(G);
  const VecX x = (VecX(2) << 1, -1).finished();
  EXPECT_EQ(gram * x, (VecX(2) << 2, -2).finished());
  EXPECT_EQ(gram.AbsoluteProduct(x), (VecX(2) << 4, 4).finished());
}

}  // namespace
}  // namespace slipstick::internal
