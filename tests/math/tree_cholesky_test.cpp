#include "slipstick/math/tree_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>

#include "slipstick/base/eigen.h"
#include "tests/math/random_matrix.h"

namespace slipstick::internal {
namespace {

// Parents of rows, each before its children; −1: none.
std::vector<int> AnyTree(RandomSource* random, int n, double chain) {
  std::vector<int> parent(n, -1);
  for (int k = 1; k < n; ++k) {
    parent[k] = random->Uniform() < chain ? k - 1 : static_cast<int>(random->Uniform(-1, k));
  }
  return parent;
}

// Positive definite, with entries of rows and their ancestors alone.
MatX TreeMatrix(RandomSource* random, const std::vector<int>& parent) {
  const auto n = static_cast<int>(parent.size());
  MatX factor = MatX::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    factor(k, k) = random->Uniform(0.5, 2);
    for (int j = parent[k]; j >= 0; j = parent[j]) factor(j, k) = random->Uniform(-1, 1);
  }
  return factor * factor.transpose();
}

void ExpectSolves(const MatX& matrix, RandomSource* random) {
  const auto n = static_cast<int>(matrix.rows());
  TreeCholesky cholesky;
  ASSERT_TRUE(cholesky.Factorize(matrix.data(), n));
  for (const int columns : {1, 5}) {
    const MatX given = RandomMatrix(random, n, columns);
    MatX found = given;
    cholesky.Solve(found.data(), columns);
    const MatX expected = matrix.llt().solve(given);
    EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(), 1e-9 * expected.lpNorm<Eigen::Infinity>());
  }
  MatX units = MatX::Identity(n, n);
  cholesky.Solve(units.data(), n);
  EXPECT_LT((matrix * units - MatX::Identity(n, n)).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(TreeCholeskyTest, SolvesTrees) {
  RandomSource random(11);
  for (int k = 0; k < 200; ++k) {
    SCOPED_TRACE(k);
    const int n = 1 + k % 40;
    ExpectSolves(TreeMatrix(&random, AnyTree(&random, n, 0.1 * (k % 11))), &random);
  }
}

// Where zeros are no tree's, elimination fills others in.
TEST(TreeCholeskyTest, SolvesAnyOther) {
  RandomSource random(12);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    const int n = 2 + k % 30;
    MatX factor = RandomMatrix(&random, n, n);
    for (double& value : factor.reshaped()) {
      if (random.Uniform() < 0.01 * k) value = 0;
    }
    ExpectSolves(factor * factor.transpose() + 0.5 * MatX::Identity(n, n), &random);
  }
}

TEST(TreeCholeskyTest, RefusesWhatIsNotPositiveDefinite) {
  RandomSource random(13);
  TreeCholesky cholesky;
  for (int k = 0; k < 50; ++k) {
    const int n = 2 + k % 20;
    MatX factor = RandomMatrix(&random, n, n);
    factor.col(k % n) = factor.col((k + 1) % n);
    const MatX singular = factor.transpose() * factor;
    EXPECT_FALSE(cholesky.Factorize(singular.data(), n));
    MatX indefinite = MatX::Identity(n, n);
    indefinite(k % n, k % n) = -1;
    EXPECT_FALSE(cholesky.Factorize(indefinite.data(), n));
    indefinite(k % n, k % n) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(cholesky.Factorize(indefinite.data(), n));
  }
}

}  // namespace
}  // namespace slipstick::internal
