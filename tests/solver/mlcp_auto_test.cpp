#include "slipstick/solver/mlcp/mlcp_auto.h"

#include <gtest/gtest.h>

#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "slipstick/solver/mlcp/mlcp_enumeration.h"
#include "slipstick/solver/mlcp/mlcp_feasibility.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

TEST(MlcpAuto, SolvesWhateverHasASolutionAndSaysWhatHasNone) {
  // matrices of no class: enumeration is the judge
  Draw draw(81);
  int none = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = draw.Integer(1, 6);
    BoundedMlcp problem = PlainLcp(draw.Matrix(n, n), draw.Vector(n));
    if (trial % 3 == 0) DrawBounds(&draw, &problem);
    const bool solvable = !SolveByEnumeration(problem).empty();
    const MlcpAnswer answer = SolveMlcpByAuto(problem, {});
    EXPECT_EQ(answer.report.status, solvable ? SolveStatus::kSolved : SolveStatus::kNoSolution) << trial;
    if (solvable) {
      EXPECT_LE(RelativeResidual(problem, answer.z), 1e-10) << trial;
    }
    ASSERT_FALSE(answer.report.tried.empty());
    EXPECT_EQ(answer.report.tried.front().solver, "block-pivoting");
    EXPECT_EQ(answer.report.tried.back().solver, answer.report.solver);
    none += !solvable;
  }
  EXPECT_GT(none, 30);
}

TEST(MlcpAuto, FindsSolutionsThatWerePlanted) {
  Draw draw(84);
  int later = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 12;
    const MatX M = draw.Matrix(n, n);
    VecX z = draw.Vector(n), w = VecX::Zero(n);
    for (int i = 0; i < n; ++i)
      if (z[i] < 0) std::swap(z[i], w[i]);
    w = -w;
    const BoundedMlcp problem = PlainLcp(M, w - M * z);
    const MlcpAnswer answer = SolveMlcpByAuto(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial;
    EXPECT_LE(RelativeResidual(problem, answer.z), 1e-10) << trial;
    later += answer.report.tried.size() > 1;
  }
  EXPECT_GT(later, 0);  // else the ladder has one rung
}

TEST(MlcpAuto, DoesNotCallRowsThatContradictEachOtherSolved) {
  // z₁ ≥ 0 with −z₁ − 1 ≥ 0; a free row 0 = 1; and Pang's: w₁ = −z₂ − z₃ − 10⁻⁴ is negative for every z ≥ 0
  EXPECT_EQ(SolveMlcpByAuto(PlainLcp(-MatX::Identity(1, 1), VecX::Constant(1, -1)), {}).report.status,
            SolveStatus::kNoSolution);
  const BoundedMlcp row{MatX::Zero(1, 1), VecX::Ones(1), VecX::Constant(1, -kInf), VecX::Constant(1, kInf)};
  EXPECT_EQ(SolveMlcpByAuto(row, {}).report.status, SolveStatus::kNoSolution);
  MatX pang(3, 3);
  pang << 0, -1, -1, 1, 0, 0, -1, 0, 0;
  EXPECT_EQ(SolveMlcpByAuto(PlainLcp(pang, Vec3(-1e-4, -1, 1)), {}).report.status, SolveStatus::kNoSolution);
  EXPECT_EQ(SolveMlcpByAuto(PlainLcp(pang, Vec3(0, -1, 1)), {}).report.status, SolveStatus::kSolved);
}

TEST(MlcpAuto, ProvesByBasesWhereTheRowsAreFeasible) {
  // w₁ = z₂ − 1, w₂ = z₂: feasible at z₂ = 2; but z₂ > 0 needs w₂ = z₂ = 0, and z₂ = 0 has w₁ < 0
  MatX A(2, 2);
  A << 0, 1, 0, 1;
  const BoundedMlcp problem = PlainLcp(A, Vec2(-1, 0));
  VecX z;
  EXPECT_EQ(FindFeasiblePoint(problem, &z), Feasibility::kFeasible);
  const MlcpAnswer answer = SolveMlcpByAuto(problem, {});
  EXPECT_EQ(answer.report.status, SolveStatus::kNoSolution);
  EXPECT_EQ(answer.report.solver, "enumeration");
}

TEST(MlcpAuto, IsEmptyHandedButHonestWhereBasesAreTooMany) {
  MatX A(2, 2);
  A << 0, 1, 0, 1;
  MlcpAutoSettings settings;
  settings.most_bases = 3;
  const SolveStatus status = SolveMlcpByAuto(PlainLcp(A, Vec2(-1, 0)), settings).report.status;
  EXPECT_NE(status, SolveStatus::kSolved);
  EXPECT_NE(status, SolveStatus::kNoSolution);
}

// No time at all: whoever looks at the clock says so and returns the point it starts with.
TEST(MlcpAuto, ATimeLimitEndsEveryRung) {
  Draw draw(83);
  for (const int n : {4, 40, 250}) {
    const BoundedMlcp problem = PlainLcp(draw.Monotone(n), draw.Vector(n));
    const MlcpAnswer answers[] = {SolveByBlockPivoting(problem, {.seconds = 0}), SolveByLemke(problem, {.seconds = 0}),
                                  SolveMlcpByAuto(problem, {.seconds = 0})};
    for (const MlcpAnswer& answer : answers) {
      EXPECT_EQ(answer.report.status, SolveStatus::kTimeLimit) << answer.report.solver << n;
      EXPECT_EQ(answer.report.iterations, 0) << answer.report.solver << n;
      EXPECT_TRUE(answer.z.allFinite());
    }
    EXPECT_EQ(answers[2].report.tried.size(), 1U);
    EXPECT_EQ(SolveMlcpByAuto(problem, {.seconds = 1e300}).report.status, SolveStatus::kSolved);
  }
  const BoundedMlcp small = PlainLcp(MatX::Ones(3, 3), Vec3(-1, -2, -3));
  EXPECT_EQ(SolveByEnumeratingBases(small, {.seconds = 0}).report.status, SolveStatus::kTimeLimit);
  VecX z;
  EXPECT_EQ(FindFeasiblePoint(small, &z, Deadline(0)), Feasibility::kUnknown);
  EXPECT_EQ(FindFeasiblePoint(small, &z), Feasibility::kFeasible);
}

// Where it is proved that there is none, the point that comes nearest is returned, not the prover's.
TEST(MlcpAuto, ReturnsTheNearestPointWithAProof) {
  Draw draw(85);
  int proofs = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const BoundedMlcp problem = PlainLcp(draw.Matrix(4, 4), draw.Vector(4));
    const MlcpAnswer answer = SolveMlcpByAuto(problem, {});
    if (answer.report.status != SolveStatus::kNoSolution) continue;
    ++proofs;
    for (const SolveAttempt& attempt : answer.report.tried) EXPECT_LE(answer.report.residual, attempt.error) << trial;
    EXPECT_EQ(answer.report.residual, NaturalResidual(problem, answer.z));
  }
  EXPECT_GT(proofs, 5);
}

TEST(MlcpAuto, RejectsBadInputAndTakesNoRows) {
  EXPECT_EQ(SolveMlcpByAuto(PlainLcp(MatX::Constant(1, 1, kInf), VecX::Ones(1)), {}).report.status,
            SolveStatus::kBadInput);
  EXPECT_EQ(SolveMlcpByAuto(BoundedMlcp{MatX(0, 0), VecX(0), VecX(0), VecX(0)}, {}).report.status,
            SolveStatus::kSolved);
}

TEST(Enumeration, FindsWhatTheSlowOneFinds) {
  Draw draw(82);
  for (int trial = 0; trial < 150; ++trial) {
    const int n = draw.Integer(1, 5);
    BoundedMlcp problem{draw.Matrix(n, n), draw.Vector(n), VecX(), VecX()};
    DrawBounds(&draw, &problem);
    const MlcpAnswer answer = SolveByEnumeratingBases(problem, {});
    const bool solvable = !SolveByEnumeration(problem).empty();
    EXPECT_EQ(answer.report.status, solvable ? SolveStatus::kSolved : SolveStatus::kNoSolution) << trial;
  }
}

TEST(Enumeration, SearchesThePolyhedraOfSingularBases) {
  // both rows the same: z₁ + z₂ = 3 and the bounds z₁ ≤ 1, z₂ ≤ 5; no basis is regular but those with one row
  const BoundedMlcp problem{MatX::Ones(2, 2), VecX::Constant(2, -3), VecX::Zero(2), Vec2(1, 5)};
  EXPECT_EQ(SolveByEnumeratingBases(problem, {}).report.status, SolveStatus::kSolved);
  // zero matrix: every basis is singular
  EXPECT_EQ(SolveByEnumeratingBases(PlainLcp(MatX::Zero(3, 3), Vec3(1, 0, 2)), {}).report.status, SolveStatus::kSolved);
  EXPECT_EQ(SolveByEnumeratingBases(PlainLcp(MatX::Zero(3, 3), Vec3(1, -1, 2)), {}).report.status,
            SolveStatus::kNoSolution);
}

TEST(Feasibility, IsFoundAndRefuted) {
  Draw draw(83);
  for (int trial = 0; trial < 60; ++trial) {
    const int rows = draw.Integer(1, 8), columns = draw.Integer(1, 6);
    const MatX C = draw.Matrix(rows, columns);
    const VecX lower = VecX::Constant(columns, -2), upper = VecX::Constant(columns, 3);
    std::vector<RowKind> kinds(rows);
    const VecX inside = 2 * draw.Vector(columns);
    VecX c = -C * inside;
    for (int i = 0; i < rows; ++i) {
      kinds[i] = static_cast<RowKind>(draw.Integer(0, 3));
      const double room = draw.Uniform(0, 1);
      if (kinds[i] == RowKind::kNotNegative) c[i] += room;
      if (kinds[i] == RowKind::kNotPositive) c[i] -= room;
    }
    VecX z;
    ASSERT_EQ(FindFeasiblePoint(C, c, kinds, lower, upper, &z), Feasibility::kFeasible) << trial;
    EXPECT_TRUE((z.array() >= -2).all() && (z.array() <= 3).all());
    const VecX values = C * z + c;
    for (int i = 0; i < rows; ++i) {
      const bool from_below = kinds[i] == RowKind::kZero || kinds[i] == RowKind::kNotNegative;
      const bool from_above = kinds[i] == RowKind::kZero || kinds[i] == RowKind::kNotPositive;
      EXPECT_GE(values[i], from_below ? -1e-8 : -kInf);
      EXPECT_LE(values[i], from_above ? 1e-8 : kInf);
    }
    // out of reach: |C z| ≤ 3 Σ|C|
    c[0] = -3 * C.row(0).lpNorm<1>() - 0.1;
    kinds[0] = RowKind::kNotNegative;
    EXPECT_EQ(FindFeasiblePoint(C, c, kinds, lower, upper, &z), Feasibility::kInfeasible) << trial;
  }
}

TEST(Lemke, DoesNotCallAFreeVariableWithoutAnEquationUnsolvable) {
  // 0 = 0 for z₁, and w₂ = z₁ − 1 ≥ 0: z₁ ≥ 1 will do, but the least-norm choice z₁ = 0 would not
  MatX A(2, 2);
  A << 0, 0, 1, 0;
  const BoundedMlcp problem{A, Vec2(0, -1), Vec2(-kInf, 0), VecX::Constant(2, kInf)};
  EXPECT_NE(SolveByLemke(problem, {}).report.status, SolveStatus::kNoSolution);
  EXPECT_EQ(SolveMlcpByAuto(problem, {}).report.status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace slipstick::internal
