#include "slipstick/solver/mlcp/lcp_reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "tests/solver/mlcp_examples.h"

// The reduction to t ≥ 0 ⟂ M t + q ≥ 0, whose solutions are found here by trying all bases.

namespace slipstick::internal {
namespace {

struct BasicSolution {
  VecX t;
  std::vector<bool> is_basic;
};

std::vector<BasicSolution> SolveLcp(const MatX& M, const VecX& q) {
  const int n = static_cast<int>(q.size());
  std::vector<BasicSolution> solutions;
  for (int code = 0; code < 1 << n; ++code) {
    std::vector<int> basic;
    std::vector<bool> is_basic(n);
    for (int i = 0; i < n; ++i) {
      is_basic[i] = (code >> i & 1) != 0;
      if (is_basic[i]) basic.push_back(i);
    }
    VecX t = VecX::Zero(n);
    if (!basic.empty()) {
      const Eigen::FullPivLU<MatX> factors(M(basic, basic));
      if (!factors.isInvertible()) continue;
      t(basic) = factors.solve(-q(basic));
    }
    if (n == 0 || (t.minCoeff() >= -1e-10 && (M * t + q).minCoeff() >= -1e-10)) solutions.push_back({t, is_basic});
  }
  return solutions;
}

// z at the bounds of L and U, and w = 0 in F: from the definition, dense.
VecX PointOf(const BoundedMlcp& problem, const Partition& partition) {
  MatX K = problem.A;
  VecX right = -problem.b;
  for (int i = 0; i < problem.size(); ++i) {
    if (partition[i] == Side::kFree) continue;
    K.row(i) = VecX::Unit(problem.size(), i).transpose();
    right[i] = partition[i] == Side::kLower ? problem.lower[i] : problem.upper[i];
  }
  return K.fullPivLu().solve(right);
}

// Every solution of the reduced problem is one of the problem; there is at least one.
void ExpectSolves(const BoundedMlcp& problem) {
  const std::optional<LcpReduction> reduction = LcpReduction::Make(problem);
  ASSERT_TRUE(reduction.has_value());
  const std::vector<BasicSolution> solutions = SolveLcp(reduction->M(), reduction->q());
  ASSERT_FALSE(solutions.empty());
  for (const BasicSolution& solution : solutions) {
    EXPECT_LT(RelativeResidual(problem, reduction->Recover(solution.t)), 1e-9);
  }
}

// Of a monotone matrix the solution is unique, so that nothing may get lost or come in addition.
TEST(LcpReduction, OfMonotoneProblemsHasTheirSolution) {
  Draw draw(41);
  for (int k = 0; k < 100; ++k) {
    const int n = draw.Integer(1, 6);
    const KnownSolution known = WithKnownSolution(k % 2 == 0 ? draw.PositiveDefinite(n) : draw.Monotone(n), &draw);
    const std::optional<LcpReduction> reduction = LcpReduction::Make(known.problem);
    ASSERT_TRUE(reduction.has_value());
    const std::vector<BasicSolution> solutions = SolveLcp(reduction->M(), reduction->q());
    ASSERT_FALSE(solutions.empty()) << k;
    for (const BasicSolution& solution : solutions) {
      const VecX z = reduction->Recover(solution.t);
      EXPECT_LT((z - known.z).norm(), 1e-8 * (1 + known.z.norm())) << k;
      const Partition partition = reduction->RecoverPartition(solution.is_basic);
      EXPECT_LT((PointOf(known.problem, partition) - z).norm(), 1e-8 * (1 + z.norm())) << k;
    }
  }
}

TEST(LcpReduction, MatrixIsPositiveSemidefiniteWhereThatOfTheProblemIs) {
  Draw draw(42);
  for (int k = 0; k < 50; ++k) {
    const int n = draw.Integer(1, 8);
    const MatX root = draw.Matrix(n, std::max(1, n - 2));  // singular
    const KnownSolution known = WithKnownSolution(root * root.transpose(), &draw);
    const std::optional<LcpReduction> reduction = LcpReduction::Make(known.problem);
    ASSERT_TRUE(reduction.has_value()) << k;
    if (reduction->size() == 0) continue;
    const MatX& M = reduction->M();
    const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(0.5 * (M + M.transpose())).eigenvalues();
    EXPECT_GT(values.minCoeff(), -1e-8 * (1 + M.norm())) << k;
  }
}

// Equations given twice, with the same right side or with another one.
TEST(LcpReduction, RedundantEquationsAreTakenAndContradictionsTold) {
  Draw draw(43);
  for (int k = 0; k < 30; ++k) {
    MatX J(4, 6);
    J.topRows(3) = draw.Matrix(3, 6);
    J.row(3) = J.row(0);  // rows 0 and 3: free and alike
    BoundedMlcp problem{J * J.transpose(), J * draw.Vector(6), VecX::Zero(4), VecX::Constant(4, kInf)};
    for (const int i : {0, 3}) problem.lower[i] = -kInf;
    ExpectSolves(problem);
    problem.b[3] += 1;
    EXPECT_FALSE(LcpReduction::Make(problem).has_value());
  }
}

// Equations that bind what is bounded, without a matrix of their own: the minimum of ½ xᵀHx + cᵀx, x ≥ 0, Bx = d.
TEST(LcpReduction, OfSaddlePoints) {
  Draw draw(44);
  for (int k = 0; k < 40; ++k) {
    const MatX H = draw.PositiveDefinite(4), B = draw.Matrix(2, 4);
    const VecX inner = draw.Vector(4).cwiseAbs();
    BoundedMlcp problem{MatX::Zero(6, 6), VecX(6), VecX::Zero(6), VecX::Constant(6, kInf)};
    problem.A.topLeftCorner(4, 4) = H;
    problem.A.topRightCorner(4, 2) = -B.transpose();
    problem.A.bottomLeftCorner(2, 4) = B;
    problem.b << draw.Vector(4), -B * inner;  // feasible
    problem.lower.tail(2).setConstant(-kInf);
    ExpectSolves(problem);
  }
}

TEST(LcpReduction, BoundsOfEveryKindAlone) {
  const auto one = [](double a, double b, double lower, double upper) {
    return BoundedMlcp{MatX::Constant(1, 1, a), VecX::Constant(1, b), VecX::Constant(1, lower),
                       VecX::Constant(1, upper)};
  };
  // pinned: nothing is left
  const auto pinned = LcpReduction::Make(one(2, 1, 3, 3));
  ASSERT_TRUE(pinned.has_value());
  EXPECT_EQ(pinned->size(), 0);
  EXPECT_EQ(pinned->Recover(VecX(0))[0], 3);
  // free: neither
  const auto unbounded = LcpReduction::Make(one(2, 1, -kInf, kInf));
  ASSERT_TRUE(unbounded.has_value());
  EXPECT_EQ(unbounded->size(), 0);
  EXPECT_NEAR(unbounded->Recover(VecX(0))[0], -0.5, 1e-15);
  // from below x = z − 1, from above x = 1 − z, and with both a multiplier
  const auto below = LcpReduction::Make(one(2, 1, 1, kInf)), above = LcpReduction::Make(one(2, 1, -kInf, 1)),
             both = LcpReduction::Make(one(2, 1, 1, 4));
  EXPECT_EQ(below->M()(0, 0), 2);
  EXPECT_EQ(below->q()[0], 3);
  EXPECT_EQ(above->M()(0, 0), 2);
  EXPECT_EQ(above->q()[0], -3);
  EXPECT_EQ(both->size(), 2);
  EXPECT_EQ(both->M(), (MatX(2, 2) << 2, 1, -1, 0).finished());
  EXPECT_EQ(both->q(), (VecX(2) << 3, 3).finished());
  EXPECT_EQ(both->RecoverPartition({false, false})[0], Side::kLower);
  EXPECT_EQ(both->RecoverPartition({true, false})[0], Side::kFree);
  EXPECT_EQ(both->RecoverPartition({true, true})[0], Side::kUpper);
  EXPECT_EQ(above->RecoverPartition({false})[0], Side::kUpper);
  EXPECT_EQ(above->RecoverPartition({true})[0], Side::kFree);
  // 0 z + 1 = 0
  EXPECT_FALSE(LcpReduction::Make(one(0, 1, -kInf, kInf)).has_value());
  EXPECT_TRUE(LcpReduction::Make(one(0, 0, -kInf, kInf)).has_value());
}

}  // namespace
}  // namespace slipstick::internal
