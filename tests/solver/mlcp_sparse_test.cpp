#include <gtest/gtest.h>

#include <Eigen/LU>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/free_block.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "slipstick/solver/mlcp/mlcp_low_rank.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

SparseBoundedMlcp Sparse(const BoundedMlcp& problem) {
  return {problem.A.sparseView(), problem.b, problem.lower, problem.upper};
}

// A matrix with a few entries in each row: a chain with some couplings across, monotone.
MatX ThinMatrix(int n, bool symmetric, Draw* draw) {
  MatX A = MatX::Zero(n, n);
  for (int k = 0; k < 2 * n; ++k) {
    const int i = k < n ? k : draw->Integer(0, n - 1), j = k < n ? (k + 1) % n : draw->Integer(0, n - 1);
    const double entry = draw->Uniform(-1, 1);
    A(i, i) += std::abs(entry);
    A(j, j) += std::abs(entry);
    if (i == j) continue;
    A(i, j) += entry;
    A(j, i) += symmetric ? entry : -entry;
  }
  A.diagonal().array() += 0.05;
  return A;
}

TEST(SparseMlcp, MeasuresLikeTheDenseOne) {
  Draw draw(61);
  for (int trial = 0; trial < 20; ++trial) {
    const BoundedMlcp dense = WithKnownSolution(ThinMatrix(30, trial % 2 == 0, &draw), &draw).problem;
    const SparseBoundedMlcp sparse = Sparse(dense);
    const VecX z = draw.Vector(30);
    EXPECT_NEAR(NaturalResidual(dense, z), NaturalResidual(sparse, z), 1e-14);
    EXPECT_NEAR(ResidualScale(dense, z), ResidualScale(sparse, z), 1e-14);
  }
  EXPECT_EQ(NaturalResidual(SparseBoundedMlcp{SparseMat(0, 0), VecX(0), VecX(0), VecX(0)}, VecX(0)), 0);
}

TEST(SparseMlcp, IsCheckedLikeTheDenseOne) {
  SparseBoundedMlcp problem = Sparse(PlainLcp(MatX::Identity(3, 3), VecX::Ones(3)));
  EXPECT_EQ(Check(problem), "");
  problem.A.coeffRef(1, 1) = std::numeric_limits<double>::quiet_NaN();
  problem.upper[2] = -1;
  EXPECT_NE(Check(problem).find("A is not finite"), std::string::npos);
  EXPECT_NE(Check(problem).find("row 2"), std::string::npos);
  EXPECT_EQ(SolveByBlockPivoting(problem, {}).report.status, SolveStatus::kBadInput);
}

TEST(SparseMlcp, IsSolvedAsTheDenseOne) {
  Draw draw(62);
  for (int trial = 0; trial < 30; ++trial) {
    const KnownSolution known = WithKnownSolution(ThinMatrix(draw.Integer(5, 120), trial % 2 == 0, &draw), &draw);
    const SparseBoundedMlcp sparse = Sparse(known.problem);
    const MlcpAnswer answer = SolveByBlockPivoting(sparse, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LT((answer.z - known.z).norm(), 1e-8) << trial;
    EXPECT_EQ(answer.report.residual, NaturalResidual(sparse, answer.z));
    const MlcpAnswer warm = SolveByBlockPivoting(sparse, {}, &answer.z);
    EXPECT_EQ(warm.report.iterations, 1);
  }
  const MlcpAnswer empty = SolveByBlockPivoting(SparseBoundedMlcp{SparseMat(0, 0), VecX(0), VecX(0), VecX(0)}, {});
  EXPECT_EQ(empty.report.status, SolveStatus::kSolved);
}

TEST(SparseMlcp, FindsTheSameWhetherSparsityIsLookedForOrNot) {
  Draw draw(63);
  BlockPivotingSettings plain;
  plain.find_sparsity = false;
  for (const bool symmetric : {true, false}) {
    const KnownSolution known = WithKnownSolution(ThinMatrix(250, symmetric, &draw), &draw);
    const MlcpAnswer found = SolveByBlockPivoting(known.problem, {}),
                     dense = SolveByBlockPivoting(known.problem, plain);
    EXPECT_EQ(found.report.status, SolveStatus::kSolved);
    EXPECT_LT((found.z - dense.z).norm(), 1e-9);
    EXPECT_LT((found.z - known.z).norm(), 1e-9);
  }
}

TEST(SparseMlcp, TakesRedundantRows) {
  // each contact twice
  Draw draw(64);
  for (int trial = 0; trial < 10; ++trial) {
    const MatX half = ThinMatrix(20, true, &draw);
    MatX twice(20, 40);
    twice << MatX::Identity(20, 20), MatX::Identity(20, 20);
    const BoundedMlcp problem = WithKnownSolution(twice.transpose() * half * twice, &draw).problem;
    const SparseBoundedMlcp sparse = Sparse(problem);
    const MlcpAnswer answer = SolveByBlockPivoting(sparse, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LE(RelativeResidual(problem, answer.z), 1e-10);
  }
}

TEST(SparseMlcp, BlockSolvesSingularSystemsThatAreConsistentAndSaysWhichAreNot) {
  MatX A(3, 3);
  A << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  for (const double skew : {0.0, 0.5}) {
    A(1, 2) = skew;
    A(2, 1) = -skew;
    const SparseMat sparse = A.sparseView();
    const auto block = MakeFreeBlock(sparse, FactorUse::kUpdate);
    VecX x;
    const VecX rhs = A * Vec3(1, 2, 3);
    EXPECT_TRUE(block->Solve({0, 1, 2}, rhs, 6, &x));
    EXPECT_LT((A * x - rhs).norm(), 1e-8);
  }
  const SparseMat ones = MatX::Ones(2, 2).sparseView();
  VecX x;
  EXPECT_FALSE(MakeFreeBlock(ones, FactorUse::kUpdate)->Solve({0, 1}, Vec2(1, 2), 2, &x));
  EXPECT_TRUE(x.allFinite());
}

// Anitescu & Potra's friction of many contacts on one body.
BoundedMlcp ManyContactsOnOneBody(int contacts, Draw* draw) {
  return PolygonalFriction({.contacts = contacts, .sides = 4, .dof = 6, .most_friction = 0.5}, draw);
}

TEST(LowRank, GivesTheSameProblem) {
  Draw draw(65);
  const BoundedMlcp problem = ManyContactsOnOneBody(40, &draw);
  const auto split = SplitLowRank(problem);
  ASSERT_TRUE(split.has_value());
  const int rank = split->size() - problem.size();
  EXPECT_EQ(rank, 6);
  // A = the Schur complement of the further variables
  const MatX whole = MatX(split->A);
  const int n = problem.size();
  const MatX condensed = whole.bottomRightCorner(n, n) - whole.bottomLeftCorner(n, rank) *
                                                             whole.topLeftCorner(rank, rank).inverse() *
                                                             whole.topRightCorner(rank, n);
  EXPECT_LT((condensed - problem.A).lpNorm<Eigen::Infinity>(), 1e-12 * problem.A.lpNorm<Eigen::Infinity>());
}

TEST(LowRank, IsNotSeenWhereThereIsNone) {
  Draw draw(66);
  EXPECT_FALSE(SplitLowRank(PlainLcp(draw.PositiveDefinite(30), draw.Vector(30))).has_value());
  EXPECT_FALSE(SplitLowRank(PlainLcp(draw.Monotone(30), draw.Vector(30))).has_value());
  EXPECT_FALSE(
      SplitLowRank(PolygonalFriction({.contacts = 5, .sides = 4, .dof = 30, .most_friction = 1}, &draw)).has_value());
  // symmetric, of low rank, but with a negative part
  BoundedMlcp problem = ManyContactsOnOneBody(40, &draw);
  const VecX v = draw.Vector(problem.size());
  problem.A.topLeftCorner(200, 200) -= 0.01 * v.head(200) * v.head(200).transpose();
  EXPECT_FALSE(SplitLowRank(problem).has_value());
}

TEST(LowRank, FrictionOfManyContactsIsSolved) {
  Draw draw(67);
  for (int trial = 0; trial < 5; ++trial) {
    const BoundedMlcp problem = ManyContactsOnOneBody(50, &draw);
    const MlcpAnswer answer = SolveByBlockPivoting(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LE(RelativeResidual(problem, answer.z), 1e-10);
    EXPECT_TRUE((answer.z.array() >= 0).all());
    // velocities are unique in the normal and tangential directions only where friction is; but the motion that Lemke's
    // answer gives must dissipate as well: both are solutions
    EXPECT_EQ(SolveByLemke(problem, {}).report.status, SolveStatus::kSolved);
    const MlcpAnswer warm = SolveByBlockPivoting(problem, {}, &answer.z);
    EXPECT_EQ(warm.report.status, SolveStatus::kSolved);
  }
}

}  // namespace
}  // namespace slipstick::internal
