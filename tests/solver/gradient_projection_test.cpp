#include "slipstick/solver/dissipation/gradient_projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "tests/law/random_problems.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Symmetric, of the given rank; b in its range or not.
BoundedMlcp RandomBox(int n, int rank, bool solvable, RandomNumbers* random, MatX* factor = nullptr) {
  MatX root(n, rank);
  for (int c = 0; c < rank; ++c) root.col(c) = random->Vector(n, 1);
  BoundedMlcp problem{root * root.transpose(), random->Vector(n, 1), VecX::Zero(n), VecX::Constant(n, kInfinity)};
  problem.A = (0.5 * (problem.A + problem.A.transpose())).eval();
  if (factor != nullptr) *factor = root;
  if (solvable) problem.b = root * random->Vector(rank, 1);
  for (int i = 0; i < n; ++i) {
    if (random->Chance(0.3)) problem.upper[i] = random->Between(0.1, 1);
    if (random->Chance(0.3)) problem.lower[i] = -random->Between(0, 1);
  }
  return problem;
}

double Objective(const BoundedMlcp& problem, const VecX& z) { return 0.5 * z.dot(problem.A * z) + problem.b.dot(z); }

TEST(GradientProjectionTest, MeetsTheConditionsWhateverTheRank) {
  RandomNumbers random(1);
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + random.Below(20), rank = 1 + random.Below(n);
    SCOPED_TRACE(::testing::Message() << "problem " << k << ", rank " << rank << " of " << n);
    const BoundedMlcp problem = RandomBox(n, rank, true, &random);
    const MlcpAnswer answer = SolveByGradientProjection(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LE(NaturalResidual(problem, answer.z), 1e-12 * ResidualScale(problem, answer.z));
    EXPECT_TRUE((answer.z.array() >= problem.lower.array()).all() && (answer.z.array() <= problem.upper.array()).all());
  }
}

TEST(GradientProjectionTest, AgreesWithPivotingWhereTheAnswerIsUnique) {
  RandomNumbers random(2);
  for (int k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    BoundedMlcp problem = RandomBox(12, 12, true, &random);
    problem.A += 0.1 * MatX::Identity(12, 12);
    const VecX z = SolveByGradientProjection(problem, {}).z, other = SolveByBlockPivoting(problem, {}, nullptr).z;
    EXPECT_LE((z - other).norm(), 1e-10 * (1 + other.norm()));
  }
}

// With A = G Gᵀ and products alone.
TEST(GradientProjectionTest, FactoredProblemsHaveTheSameAnswer) {
  RandomNumbers random(5);
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + random.Below(30), rank = 1 + random.Below(n);
    SCOPED_TRACE(::testing::Message() << "problem " << k << ", rank " << rank << " of " << n);
    MatX root;
    const BoundedMlcp problem = RandomBox(n, rank, true, &random, &root);
    const FactoredBox factored{GramMatrix(SparseMat(root.sparseView())), problem.b, problem.lower, problem.upper};
    const MlcpAnswer answer = SolveByGradientProjection(factored, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LE(NaturalResidual(problem, answer.z), 1e-11 * ResidualScale(problem, answer.z));
    EXPECT_NEAR(Objective(problem, answer.z), Objective(problem, SolveByGradientProjection(problem, {}).z), 1e-10);
  }
}

// Masses from grams to tons in one problem.
TEST(GradientProjectionTest, RowsOfAllSizes) {
  RandomNumbers random(3);
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(k);
    BoundedMlcp problem = RandomBox(10, 10, true, &random);
    problem.A += 0.1 * MatX::Identity(10, 10);
    VecX scale(10);
    for (double& s : scale) s = std::pow(10.0, random.Between(-3, 3));
    problem.A = (scale.asDiagonal() * problem.A * scale.asDiagonal()).eval();
    problem.b = scale.cwiseProduct(problem.b);
    const MlcpAnswer answer = SolveByGradientProjection(problem, {});
    EXPECT_LE(NaturalResidual(problem, answer.z), 1e-11 * ResidualScale(problem, answer.z));
  }
}

// It is the phase that must not fail: at worst the start comes back, and every number is finite.
TEST(GradientProjectionTest, AlwaysFiniteAndNeverWorseThanTheStart) {
  RandomNumbers random(4);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const int n = 1 + random.Below(12);
    // without a solution: the objective falls without end
    BoundedMlcp problem = RandomBox(n, 1 + random.Below(n), false, &random);
    if (k % 3 == 0) problem.A.setZero();
    if (k % 7 == 0) problem.A *= 1e30;
    if (k % 11 == 0) problem.b *= 1e-30;
    const VecX start = random.Vector(n, 1).cwiseMax(problem.lower).cwiseMin(problem.upper);
    const MlcpAnswer answer = SolveByGradientProjection(problem, {.max_iterations = 100}, &start);
    ASSERT_TRUE(answer.z.allFinite() && answer.w.allFinite() && std::isfinite(answer.report.residual));
    EXPECT_TRUE((answer.z.array() >= problem.lower.array()).all() && (answer.z.array() <= problem.upper.array()).all());
    if (answer.report.status == SolveStatus::kSolved) {
      EXPECT_LE(Objective(problem, answer.z), Objective(problem, start) + 1e-9 * std::abs(Objective(problem, start)));
    }
  }
}

TEST(GradientProjectionTest, SmallCases) {
  EXPECT_EQ(SolveByGradientProjection({MatX(0, 0), VecX(0), VecX(0), VecX(0)}, {}).report.status, SolveStatus::kSolved);
  const VecX one = VecX::Ones(1);
  // zero matrix: to the bound that b asks for, and none if there is none
  EXPECT_EQ(SolveByGradientProjection({MatX::Zero(1, 1), one, -one, one}, {}).z[0], -1);
  const VecX open = VecX::Constant(1, kInfinity);
  EXPECT_NE(SolveByGradientProjection({MatX::Zero(1, 1), -one, -one, open}, {}).report.status, SolveStatus::kSolved);
  EXPECT_EQ(SolveByGradientProjection({MatX::Zero(1, 1), one * std::nan(""), -one, one}, {}).report.status,
            SolveStatus::kBadInput);
  MatX skew(2, 2);
  skew << 1, 2, -2, 1;
  const VecX two = VecX::Ones(2);
  EXPECT_EQ(SolveByGradientProjection({skew, two, -two, two}, {}).report.status, SolveStatus::kUnsupported);
}

}  // namespace
}  // namespace slipstick::internal
