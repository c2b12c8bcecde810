// What holds of both pivoting solvers alike.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

MlcpAnswer ByBlockPivoting(const BoundedMlcp& problem) { return SolveByBlockPivoting(problem, {}); }
MlcpAnswer ByLemke(const BoundedMlcp& problem) { return SolveByLemke(problem, {}); }

struct NamedSolver {
  const char* name;
  MlcpAnswer (*solve)(const BoundedMlcp&);
};
void PrintTo(const NamedSolver& solver, std::ostream* out) { *out << solver.name; }

class MlcpSolvers : public ::testing::TestWithParam<NamedSolver> {
 protected:
  // Solves; checks what every answer must have.
  MlcpAnswer Solve(const BoundedMlcp& problem) const {
    const MlcpAnswer answer = GetParam().solve(problem);
    EXPECT_EQ(answer.z.size(), problem.size());
    EXPECT_TRUE(answer.z.allFinite());
    EXPECT_TRUE(answer.w.allFinite());
    EXPECT_TRUE((answer.z.array() >= problem.lower.array()).all());
    EXPECT_TRUE((answer.z.array() <= problem.upper.array()).all());
    EXPECT_LE((answer.w - (problem.A * answer.z + problem.b)).norm(), 1e-14 * ResidualScale(problem, answer.z));
    EXPECT_EQ(answer.report.residual, NaturalResidual(problem, answer.z));
    EXPECT_EQ(answer.report.solver, GetParam().name);
    return answer;
  }
  void ExpectSolved(const BoundedMlcp& problem, double tolerance = 1e-10) const {
    const MlcpAnswer answer = Solve(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << ToString(answer.report.status);
    EXPECT_LE(RelativeResidual(problem, answer.z), tolerance);
  }
};

INSTANTIATE_TEST_SUITE_P(Both, MlcpSolvers,
                         ::testing::Values(NamedSolver{"block-pivoting", ByBlockPivoting},
                                           NamedSolver{"lemke", ByLemke}),
                         [](const auto& test) { return test.param.solve == ByLemke ? "Lemke" : "BlockPivoting"; });

TEST_P(MlcpSolvers, FindTheOneSolutionThatEnumerationFinds) {
  Draw draw(1);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = draw.Integer(1, 6);
    BoundedMlcp problem;
    problem.A = trial % 2 == 0 ? draw.PositiveDefinite(n) : draw.Monotone(n);
    problem.b = 2 * draw.Vector(n);
    DrawBounds(&draw, &problem);
    const std::vector<VecX> solutions = SolveByEnumeration(problem);
    ASSERT_FALSE(solutions.empty());
    const MlcpAnswer answer = Solve(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    for (const VecX& z : solutions) EXPECT_LT((answer.z - z).norm(), 1e-8) << "trial " << trial;
  }
}

TEST_P(MlcpSolvers, SolvePMatricesThatAreNotMonotone) {
  // I + a strictly triangular matrix, in random order, with rows and columns scaled: a P-matrix
  Draw draw(2);
  for (int trial = 0; trial < 60; ++trial) {
    const int n = draw.Integer(2, 7);
    MatX A = MatX::Identity(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) A(i, j) = draw.Uniform(-4, 4);
    Eigen::PermutationMatrix<Eigen::Dynamic> order(n);
    order.setIdentity();
    for (int i = n - 1; i > 0; --i) order.applyTranspositionOnTheRight(i, draw.Integer(0, i));
    BoundedMlcp problem;
    problem.A = order * A * order.transpose();
    for (int i = 0; i < n; ++i) problem.A.row(i) *= draw.Uniform(0.1, 10);
    problem.b = draw.Vector(n);
    DrawBounds(&draw, &problem);
    const std::vector<VecX> solutions = SolveByEnumeration(problem);
    ASSERT_FALSE(solutions.empty());
    const MlcpAnswer answer = Solve(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << "trial " << trial;
    for (const VecX& z : solutions) EXPECT_LT((answer.z - z).norm(), 1e-7 * (1 + z.norm())) << "trial " << trial;
  }
}

TEST_P(MlcpSolvers, FindKnownSolutions) {
  Draw draw(3);
  for (const int n : {10, 40, 100, 200}) {
    for (const bool symmetric : {true, false}) {
      const KnownSolution known = WithKnownSolution(symmetric ? draw.PositiveDefinite(n) : draw.Monotone(n), &draw);
      const MlcpAnswer answer = Solve(known.problem);
      EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << n;
      EXPECT_LT((answer.z - known.z).lpNorm<Eigen::Infinity>(), 1e-8) << n;
    }
  }
}

TEST_P(MlcpSolvers, DoNotMindBadUnits) {
  Draw draw(4);
  for (int trial = 0; trial < 10; ++trial) {
    KnownSolution known = WithKnownSolution(draw.PositiveDefinite(30), &draw);
    VecX scale(30);
    for (int i = 0; i < 30; ++i) scale[i] = std::pow(10.0, draw.Uniform(-4, 4));
    BoundedMlcp& problem = known.problem;
    problem.A = scale.asDiagonal() * problem.A * scale.asDiagonal();
    problem.b = scale.cwiseProduct(problem.b);
    problem.lower = problem.lower.cwiseQuotient(scale);
    problem.upper = problem.upper.cwiseQuotient(scale);
    const MlcpAnswer answer = Solve(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LT((scale.cwiseProduct(answer.z) - known.z).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

TEST_P(MlcpSolvers, SolveDegenerateProblems) {
  Draw draw(5);
  for (const int n : {1, 5, 30}) {
    const MatX A = draw.PositiveDefinite(n);
    ExpectSolved(PlainLcp(A, VecX::Zero(n)));  // b = 0: z = 0, all ties
    EXPECT_EQ(Solve(PlainLcp(A, VecX::Zero(n))).z.norm(), 0);
    ExpectSolved(PlainLcp(MatX::Identity(n, n), VecX::Constant(n, -1)));  // every ratio is the same
    ExpectSolved(PlainLcp(MatX::Ones(n, n), VecX::Constant(n, -1)));      // and the matrix has rank 1
    ExpectSolved(PlainLcp(MatX::Zero(n, n), VecX::Zero(n)));
    ExpectSolved(PlainLcp(MatX::Zero(n, n), VecX::Ones(n)));
  }
}

TEST_P(MlcpSolvers, SolveRedundantRows) {
  // A = J Jᵀ with fewer columns than rows and rows repeated; b = J v + w for a solution that is known to exist
  Draw draw(6);
  for (int trial = 0; trial < 40; ++trial) {
    const int rank = draw.Integer(2, 6), n = 3 * rank;
    MatX J(n, rank);
    J.topRows(rank) = draw.Matrix(rank, rank);
    J.middleRows(rank, rank) = J.topRows(rank);
    J.bottomRows(rank) = draw.Matrix(rank, rank);
    ExpectSolved(WithKnownSolution(J * J.transpose(), &draw).problem);
    // and nonsymmetric: semidefinite and skew
    const MatX S = draw.Matrix(rank, rank);
    ExpectSolved(
        WithKnownSolution(J * (MatX::Identity(rank, rank) + S - S.transpose()) * J.transpose(), &draw).problem);
  }
}

TEST_P(MlcpSolvers, SolveManyRedundantRows) {
  Draw draw(17);
  for (int trial = 0; trial < 5; ++trial) {
    MatX J = draw.Matrix(150, 75);
    J.topRows(30) = J.bottomRows(30);
    ExpectSolved(WithKnownSolution(J * J.transpose(), &draw).problem);
  }
}

TEST_P(MlcpSolvers, ShareTheLoadOfRedundantBilateralRows) {
  // one equation twice: the least-norm answer gives each half
  BoundedMlcp problem{MatX::Ones(2, 2), VecX::Constant(2, -3), VecX::Constant(2, -kInf), VecX::Constant(2, kInf)};
  const MlcpAnswer answer = Solve(problem);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_NEAR(answer.z[0], 1.5, 1e-12);
  EXPECT_NEAR(answer.z[1], 1.5, 1e-12);
}

TEST_P(MlcpSolvers, SolveLinearSystemsWhenAllIsFree) {
  Draw draw(7);
  BoundedMlcp problem{draw.Monotone(20), draw.Vector(20), VecX::Constant(20, -kInf), VecX::Constant(20, kInf)};
  const VecX expected = problem.A.fullPivLu().solve(-problem.b);
  EXPECT_LT((Solve(problem).z - expected).norm(), 1e-10);
}

TEST_P(MlcpSolvers, KeepPinnedRows) {
  Draw draw(8);
  BoundedMlcp problem{draw.PositiveDefinite(5), draw.Vector(5), draw.Vector(5), VecX::Zero(5)};
  problem.upper = problem.lower;
  const MlcpAnswer answer = Solve(problem);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_EQ((answer.z - problem.lower).norm(), 0);
}

TEST_P(MlcpSolvers, SolveTheEmptyProblem) {
  const MlcpAnswer answer = Solve(BoundedMlcp{MatX(0, 0), VecX(0), VecX(0), VecX(0)});
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_EQ(answer.report.residual, 0);
}

TEST_P(MlcpSolvers, AgreeWithProjectedGradientOnBoxLeastSquares) {
  Draw draw(9);
  const int n = 12;
  const MatX C = draw.Matrix(20, n);
  const VecX d = 3 * draw.Vector(20);
  BoundedMlcp problem{C.transpose() * C, -C.transpose() * d, VecX::Constant(n, -0.3), VecX::Constant(n, 0.4)};
  VecX z = VecX::Zero(n);
  const double step = 1 / problem.A.norm();
  for (int k = 0; k < 20000; ++k)
    z = (z - step * (problem.A * z + problem.b)).cwiseMax(problem.lower).cwiseMin(problem.upper);
  const MlcpAnswer answer = Solve(problem);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_LT((answer.z - z).norm(), 1e-9);
}

TEST_P(MlcpSolvers, SolveSaddlePoints) {
  // min ½|x − c|² with E x = e and x ≥ 0: rows of E free with a zero block on the diagonal. Optimality is checked on a
  // closed form: one equation Σ x = 1 is the projection on the simplex.
  const int n = 5;
  BoundedMlcp problem{MatX::Zero(n + 1, n + 1), VecX::Zero(n + 1), VecX::Zero(n + 1), VecX::Constant(n + 1, kInf)};
  problem.A.topLeftCorner(n, n).setIdentity();
  problem.A.topRightCorner(n, 1).setOnes();
  problem.A.bottomLeftCorner(1, n).setConstant(-1);
  problem.b << -0.9, -0.7, -0.2, 0.5, 0.1, 1;
  problem.lower[n] = -kInf;
  const MlcpAnswer answer = Solve(problem);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  VecX expected(n);
  expected << 0.6, 0.4, 0, 0, 0;  // max(c − 0.3, 0)
  EXPECT_LT((answer.z.head(n) - expected).norm(), 1e-9);
}

TEST_P(MlcpSolvers, DoNotCallTheInfeasibleSolved) {
  EXPECT_NE(Solve(PlainLcp(MatX::Zero(1, 1), VecX::Constant(1, -1))).report.status, SolveStatus::kSolved);
  // 0 = 1 as a bilateral row; and two equal bilateral rows that disagree
  BoundedMlcp equation{MatX::Zero(1, 1), VecX::Ones(1), VecX::Constant(1, -kInf), VecX::Constant(1, kInf)};
  EXPECT_NE(Solve(equation).report.status, SolveStatus::kSolved);
  BoundedMlcp rows{MatX::Ones(2, 2), Vec2(1, 2), VecX::Constant(2, -kInf), VecX::Constant(2, kInf)};
  EXPECT_NE(Solve(rows).report.status, SolveStatus::kSolved);
  // w₁ + w₂ = b₁ + b₂ < 0 whatever z is
  MatX skew(2, 2);
  skew << 1, -1, -1, 1;
  EXPECT_NE(Solve(PlainLcp(skew, Vec2(-1, 0.5))).report.status, SolveStatus::kSolved);
}

TEST_P(MlcpSolvers, RejectBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int fault = 0; fault < 4; ++fault) {
    BoundedMlcp problem = PlainLcp(MatX::Identity(3, 3), VecX::Ones(3));
    if (fault == 0) problem.A(1, 2) = nan;
    if (fault == 1) problem.b[1] = kInf;
    if (fault == 2) problem.lower[2] = nan;
    if (fault == 3) problem.upper.resize(2);
    const MlcpAnswer answer = GetParam().solve(problem);
    EXPECT_EQ(answer.report.status, SolveStatus::kBadInput);
    EXPECT_EQ(answer.z.size(), 3);
    EXPECT_TRUE(answer.z.allFinite());
  }
}

TEST_P(MlcpSolvers, StayFiniteOnAnything) {
  // indefinite, singular, tiny and huge: whatever the status, Solve() checks the answer
  Draw draw(10);
  int solved = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = draw.Integer(1, 8);
    BoundedMlcp problem;
    problem.A = draw.Matrix(n, n) * std::pow(10.0, draw.Integer(-12, 12));
    for (int i = 0; i < n; ++i)
      if (draw.Integer(0, 2) == 0) problem.A.row(i).setZero();
    if (draw.Integer(0, 1) == 0) problem.A = (problem.A + problem.A.transpose()).eval();
    problem.b = draw.Vector(n);
    DrawBounds(&draw, &problem);
    const MlcpAnswer answer = Solve(problem);
    const bool meets = RelativeResidual(problem, answer.z) <= 1e-10;
    EXPECT_EQ(answer.report.status == SolveStatus::kSolved, meets);
    solved += meets;
  }
  EXPECT_GT(solved, 20);
}

}  // namespace
}  // namespace slipstick::internal
