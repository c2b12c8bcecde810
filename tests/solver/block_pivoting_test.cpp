#include "slipstick/solver/mlcp/block_pivoting.h"

#include <gtest/gtest.h>

#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

TEST(BlockPivoting, TakesFewStepsOnLargeProblems) {
  Draw draw(11);
  const KnownSolution known = WithKnownSolution(draw.PositiveDefinite(200), &draw);
  EXPECT_LE(SolveByBlockPivoting(known.problem, {}).report.iterations, 25);
}

TEST(BlockPivoting, ConfirmsAWarmStartInOneStep) {
  Draw draw(12);
  for (int trial = 0; trial < 10; ++trial) {
    const BoundedMlcp problem = WithKnownSolution(draw.PositiveDefinite(40), &draw).problem;
    const MlcpAnswer cold = SolveByBlockPivoting(problem, {});
    const MlcpAnswer warm = SolveByBlockPivoting(problem, {}, &cold.z);
    EXPECT_EQ(warm.report.iterations, 1);
    EXPECT_LT((warm.z - cold.z).norm(), 1e-12 * (1 + cold.z.norm()));
  }
}

TEST(BlockPivoting, SolvesFromAnyWarmStart) {
  Draw draw(13);
  for (int trial = 0; trial < 20; ++trial) {
    const KnownSolution known = WithKnownSolution(draw.Monotone(15), &draw);
    VecX start = 3 * draw.Vector(15);
    if (trial % 3 == 0) start[0] = kInf;
    if (trial % 3 == 1) start[0] = std::numeric_limits<double>::quiet_NaN();
    const MlcpAnswer answer = SolveByBlockPivoting(known.problem, {}, &start);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LT((answer.z - known.z).norm(), 1e-9);
  }
}

TEST(BlockPivoting, FallsBackToSingleExchanges) {
  // no block exchange may fail: Murty's rule does most of the work, and still ends at the solution
  Draw draw(14);
  BlockPivotingSettings settings;
  settings.block_steps = 0;
  settings.max_iterations = 5000;
  settings.proximal_steps = settings.interior_steps = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const KnownSolution known = WithKnownSolution(draw.Monotone(12), &draw);
    const MlcpAnswer answer = SolveByBlockPivoting(known.problem, settings);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
    EXPECT_LT((answer.z - known.z).norm(), 1e-9);
  }
}

TEST(BlockPivoting, SingleExchangesBreakACycleOfBlockExchanges) {
  // A P-matrix on which block exchanges go {1} → {1,2} → {2,3} → {1,3} → {1,2} → … for ever.
  MatX A(3, 3);
  A << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  const BoundedMlcp problem = PlainLcp(A, VecX::Constant(3, -1));
  const VecX start = Vec3(1, 0, 0);
  BlockPivotingSettings settings;
  settings.proximal_steps = settings.interior_steps = 0;
  const MlcpAnswer answer = SolveByBlockPivoting(problem, settings, &start);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_LT((answer.z - VecX::Constant(3, 1.0 / 3)).norm(), 1e-12);
  settings.block_steps = settings.max_iterations;
  EXPECT_EQ(SolveByBlockPivoting(problem, settings, &start).report.status, SolveStatus::kIterationLimit);
}

TEST(BlockPivoting, ProximalPointsSolveWhatExchangesDoNot) {
  // many redundant contacts with box friction, and b from a velocity: there is a solution, W is singular
  BlockPivotingSettings without;
  without.proximal_steps = 0;
  int solved_without = 0;
  const int trials = 10;
  for (int trial = 0; trial < trials; ++trial) {
    Draw draw(30 + trial);
    const int contacts = 30, dof = contacts + 2, n = 3 * contacts;
    const MatX J = draw.Matrix(n, dof);
    BoundedMlcp problem = PlainLcp(J * J.transpose(), J * draw.Vector(dof));
    problem.lower.tail(n - contacts).setConstant(-0.1);
    problem.upper.tail(n - contacts).setConstant(0.1);
    const MlcpAnswer answer = SolveByBlockPivoting(problem, {});
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << trial << " " << answer.report.residual;
    solved_without += SolveByBlockPivoting(problem, without).report.status == SolveStatus::kSolved;
  }
  EXPECT_LT(solved_without, trials);  // else the phase is not needed
}

TEST(BlockPivoting, SolvesPolygonalFrictionOfAFewContacts) {
  Draw draw(16);
  for (int trial = 0; trial < 30; ++trial) {
    const BoundedMlcp problem = PolygonalFriction({.contacts = 3, .sides = 4, .dof = 9, .most_friction = 1}, &draw);
    EXPECT_EQ(SolveByBlockPivoting(problem, {}).report.status, SolveStatus::kSolved) << trial;
  }
}

TEST(BlockPivoting, SolvesMurtysExample) {
  for (const int n : {10, 25, 40, 60}) {
    for (const bool single_exchanges_only : {false, true}) {
      BlockPivotingSettings settings;
      if (single_exchanges_only) settings.block_steps = settings.proximal_steps = settings.interior_steps = 0;
      const MlcpAnswer answer = SolveByBlockPivoting(MurtyExample(n), settings);
      EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << n;
      EXPECT_LT((answer.z - VecX::Unit(n, n - 1)).norm(), 1e-12) << n;
    }
  }
}

TEST(BlockPivoting, TakesTheLeastNormWhereABasisIsSingular) {
  // four legs of a table, carried by three degrees of freedom: z = Jᵀ⁺ load, in one step
  MatX J(4, 3);
  J << 1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1;
  const Vec3 velocity(-1, -0.2, -0.1);
  const VecX b = J * velocity;
  const VecX everyone = VecX::Ones(4);
  BlockPivotingSettings settings;
  settings.proximal_steps = 0;
  const MlcpAnswer answer = SolveByBlockPivoting(PlainLcp(J * J.transpose(), b), settings, &everyone);
  EXPECT_EQ(answer.report.status, SolveStatus::kSolved);
  EXPECT_EQ(answer.report.iterations, 1);
  EXPECT_LT((answer.z + J * velocity / 4).norm(), 1e-12);  // JᵀJ = 4 I
}

TEST(BlockPivoting, StopsAtItsLimitWithTheBestPoint) {
  Draw draw(15);
  const BoundedMlcp problem = WithKnownSolution(draw.Monotone(60), &draw).problem;
  BlockPivotingSettings settings;
  settings.max_iterations = 2;
  const MlcpAnswer answer = SolveByBlockPivoting(problem, settings);
  EXPECT_EQ(answer.report.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(answer.report.iterations, 2);
  const VecX start = VecX::Zero(60).cwiseMax(problem.lower).cwiseMin(problem.upper);
  EXPECT_LE(answer.report.residual, NaturalResidual(problem, start));
}

TEST(BlockPivoting, SaysSingularWhereBilateralRowsDisagree) {
  const BoundedMlcp rows{MatX::Ones(2, 2), Vec2(1, 2), VecX::Constant(2, -kInf), VecX::Constant(2, kInf)};
  EXPECT_EQ(SolveByBlockPivoting(rows, {}).report.status, SolveStatus::kSingular);
}

TEST(BlockPivoting, ReadsItsSettings) {
  std::vector<Fault> faults;
  const GivenSettings given = {{"tolerance", 1e-6}, {"block_steps", 3.0}, {"max_iterations", 7.0}};
  const auto settings = BlockPivotingSettings::Table().From(
      Settings::Read(BlockPivotingSettings::Table().Specs(), given, "solver", &faults));
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(settings.tolerance, 1e-6);
  EXPECT_EQ(settings.block_steps, 3);
  EXPECT_EQ(settings.max_iterations, 7);
  EXPECT_EQ(settings.proximal_steps, BlockPivotingSettings().proximal_steps);
  Settings::Read(BlockPivotingSettings::Table().Specs(), {{"tolerance", 0.0}, {"block_steps", 0.5}}, "solver", &faults);
  EXPECT_EQ(faults.size(), 2u);
}

}  // namespace
}  // namespace slipstick::internal
