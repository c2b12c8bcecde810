// Factors that follow F against factors made afresh.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numeric>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/free_block.h"
#include "slipstick/solver/mlcp/mlcp_bordered_lu.h"
#include "slipstick/solver/mlcp/mlcp_updated_cholesky.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

// Some rows of n change sides.
void Walk(int changes, Draw* draw, std::vector<bool>* is_free) {
  for (int k = 0; k < changes; ++k) {
    const int row = draw->Integer(0, static_cast<int>(is_free->size()) - 1);
    (*is_free)[row] = !(*is_free)[row];
  }
}
std::vector<int> Rows(const std::vector<bool>& is_free) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i]) rows.push_back(static_cast<int>(i));
  return rows;
}
std::vector<bool> Half(int n, Draw* draw) {
  std::vector<bool> is_free(n);
  for (int i = 0; i < n; ++i) is_free[i] = draw->Integer(0, 1) == 0;
  return is_free;
}

template <typename Factors>
void ExpectToFollow(const MatX& A, Draw* draw) {
  const int n = static_cast<int>(A.rows());
  std::vector<bool> is_free = Half(n, draw);
  Factors factors(A, 1e-12);
  ASSERT_TRUE(factors.Compute(Rows(is_free)));
  int updates = 0;
  for (int step = 0; step < 40; ++step) {
    Walk(draw->Integer(0, 3), draw, &is_free);
    const std::vector<int> free = Rows(is_free);
    const VecX rhs = draw->Vector(static_cast<int>(free.size()));
    if (factors.Update(free))
      ++updates;
    else
      ASSERT_TRUE(factors.Compute(free));
    const VecX expected = A(free, free).fullPivLu().solve(rhs);
    EXPECT_LT((factors.Solve(rhs) - expected).norm(), 1e-10 * expected.norm()) << step;
  }
  EXPECT_GT(updates, 20);
}

TEST(FactorUpdates, CholeskyFollowsRowsThatEnterAndLeave) {
  Draw draw(41);
  for (const int n : {40, 120}) ExpectToFollow<UpdatedCholesky>(draw.PositiveDefinite(n), &draw);
}

TEST(FactorUpdates, BorderedLuFollowsRowsThatEnterAndLeave) {
  Draw draw(42);
  for (const int n : {60, 120}) ExpectToFollow<BorderedLu>(draw.Monotone(n), &draw);
}

TEST(FactorUpdates, CholeskyTakesInTheFirstTheLastAndAllRowsButOne) {
  Draw draw(43);
  const int n = 30;
  const MatX A = draw.PositiveDefinite(n);
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  for (const int gone : {0, n / 2, n - 1}) {
    UpdatedCholesky factors(A, 1e-12);
    ASSERT_TRUE(factors.Compute(all));
    std::vector<int> rest = all;
    rest.erase(rest.begin() + gone);
    ASSERT_TRUE(factors.Update(rest));
    const VecX rhs = draw.Vector(n - 1);
    EXPECT_LT((A(rest, rest) * factors.Solve(rhs) - rhs).norm(), 1e-12);
    ASSERT_TRUE(factors.Update(all));
    const VecX full = draw.Vector(n);
    EXPECT_LT((A * factors.Solve(full) - full).norm(), 1e-12);
  }
}

TEST(FactorUpdates, RefuseWhereManyRowsChangeOrTheBlockIsSingular) {
  Draw draw(44);
  MatX A = draw.PositiveDefinite(20);
  A.row(19) = A.row(18);  // once more the same contact
  A.col(19) = A.col(18);
  A(19, 19) = A(18, 18);
  std::vector<int> free(19);
  std::iota(free.begin(), free.end(), 0);
  std::vector<int> all = free;
  all.push_back(19);
  UpdatedCholesky cholesky(A, 1e-12);
  ASSERT_TRUE(cholesky.Compute(free));
  EXPECT_FALSE(cholesky.Update(all));
  EXPECT_FALSE(cholesky.Compute(all));
  BorderedLu lu(A, 1e-12);
  ASSERT_TRUE(lu.Compute(free));
  EXPECT_FALSE(lu.Update(all));
  EXPECT_FALSE(lu.Compute(all));
  ASSERT_TRUE(cholesky.Compute({0, 1, 2}));
  EXPECT_FALSE(cholesky.Update(free));
  ASSERT_TRUE(lu.Compute({0, 1, 2}));
  EXPECT_FALSE(lu.Update(free));
}

TEST(FactorUpdates, BlocksSolveLikeTheirPlainTwin) {
  Draw draw(45);
  for (const bool symmetric : {true, false}) {
    for (const bool redundant : {false, true}) {
      const int n = 60;
      MatX A = symmetric ? draw.PositiveDefinite(n) : draw.Monotone(n);
      if (redundant) {
        const MatX J = draw.Matrix(n, 35);
        const MatX S = draw.Matrix(35, 35);
        A = J * (MatX::Identity(35, 35) + (symmetric ? 0 : 1) * (S - S.transpose())) * J.transpose() / 35;
      }
      const auto updated = MakeFreeBlock(A, FactorUse::kUpdate), fresh = MakeFreeBlock(A, FactorUse::kFresh);
      std::vector<bool> is_free = Half(n, &draw);
      for (int step = 0; step < 30; ++step) {
        Walk(3, &draw, &is_free);
        const std::vector<int> free = Rows(is_free);
        const VecX rhs = A(free, free) * draw.Vector(static_cast<int>(free.size()));
        VecX x, expected;
        EXPECT_TRUE(updated->Solve(free, rhs, rhs.lpNorm<Eigen::Infinity>(), &x));
        EXPECT_TRUE(fresh->Solve(free, rhs, rhs.lpNorm<Eigen::Infinity>(), &expected));
        EXPECT_LT((x - expected).norm(), 1e-7 * (1 + expected.norm())) << symmetric << redundant << step;
      }
    }
  }
}

TEST(FactorUpdates, BlocksSeeThatTheMatrixHasChanged) {
  Draw draw(46);
  MatX A = draw.PositiveDefinite(20);
  const auto block = MakeFreeBlock(A, FactorUse::kUpdate);
  std::vector<int> free(10);
  std::iota(free.begin(), free.end(), 5);
  const VecX rhs = draw.Vector(10);
  VecX x;
  ASSERT_TRUE(block->Solve(free, rhs, 1, &x));
  A.diagonal().array() += 1;
  block->MatrixChanged();
  ASSERT_TRUE(block->Solve(free, rhs, 1, &x));
  EXPECT_LT((A(free, free) * x - rhs).norm(), 1e-13);
}

TEST(FactorUpdates, BlockPivotingEndsWhereItsPlainTwinDoes) {
  Draw draw(47);
  BlockPivotingSettings fresh;
  fresh.update_factors = false;
  for (int trial = 0; trial < 30; ++trial) {
    const int n = draw.Integer(20, 80);
    const KnownSolution known = WithKnownSolution(trial % 2 == 0 ? draw.PositiveDefinite(n) : draw.Monotone(n), &draw);
    const MlcpAnswer updated = SolveByBlockPivoting(known.problem, {});
    const MlcpAnswer plain = SolveByBlockPivoting(known.problem, fresh);
    EXPECT_EQ(updated.report.status, SolveStatus::kSolved);
    EXPECT_EQ(updated.report.iterations, plain.report.iterations) << trial;
    EXPECT_LT((updated.z - plain.z).norm(), 1e-10) << trial;
    EXPECT_LT((updated.z - known.z).norm(), 1e-9) << trial;
  }
}

TEST(FactorUpdates, SingleExchangesAgreeToo) {
  // Murty's rule changes one row at a time: nearly every step is an update
  Draw draw(48);
  BlockPivotingSettings updates, fresh;
  updates.block_steps = updates.proximal_steps = updates.interior_steps = 0;
  updates.max_iterations = 20000;
  fresh = updates;
  fresh.update_factors = false;
  for (int trial = 0; trial < 10; ++trial) {
    const KnownSolution known =
        WithKnownSolution(trial % 2 == 0 ? draw.PositiveDefinite(40) : draw.Monotone(15), &draw);
    const MlcpAnswer updated = SolveByBlockPivoting(known.problem, updates);
    EXPECT_EQ(updated.report.status, SolveStatus::kSolved);
    EXPECT_EQ(updated.report.iterations, SolveByBlockPivoting(known.problem, fresh).report.iterations);
    EXPECT_LT((updated.z - known.z).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace slipstick::internal
