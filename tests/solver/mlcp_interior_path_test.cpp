#include "slipstick/solver/mlcp/mlcp_interior_path.h"

#include <gtest/gtest.h>

#include "slipstick/solver/mlcp/mlcp_scaling.h"
#include "tests/solver/mlcp_examples.h"

namespace slipstick::internal {
namespace {

// The last point of the path, and its partition.
struct Last {
  InteriorEnd end;
  VecX z;
  Partition partition;
  int iterations = 0;
};
template <typename Problem>
Last Follow(const Problem& problem, int steps = 60) {
  const ScaledMlcp<Problem> scaled(problem);
  Last last;
  last.end = FollowInteriorPath(
      scaled.problem(), steps, steps,
      [&](const VecX& y, const Partition& partition) {
        last.z = scaled.ToOriginal(y);
        last.partition = partition;
        return RelativeResidual(BoundedMlcp{MatX(problem.A), problem.b, problem.lower, problem.upper}, last.z) < 1e-11;
      },
      &last.iterations);
  return last;
}

TEST(InteriorPath, EndsAtTheOneSolutionOfMonotoneProblems) {
  Draw draw(71);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = draw.Integer(2, 60);
    const KnownSolution known = WithKnownSolution(trial % 2 == 0 ? draw.PositiveDefinite(n) : draw.Monotone(n), &draw);
    const Last last = Follow(known.problem);
    ASSERT_EQ(last.end, InteriorEnd::kAccepted) << trial;
    EXPECT_LT((last.z - known.z).norm(), 1e-6) << trial;
    EXPECT_LE(last.iterations, 40);
  }
}

TEST(InteriorPath, IsTheSameForASparseProblem) {
  Draw draw(72);
  const BoundedMlcp dense = WithKnownSolution(draw.Monotone(30), &draw).problem;
  const SparseBoundedMlcp sparse{dense.A.sparseView(), dense.b, dense.lower, dense.upper};
  const Last a = Follow(dense), b = Follow(sparse);
  ASSERT_EQ(a.end, InteriorEnd::kAccepted);
  ASSERT_EQ(b.end, InteriorEnd::kAccepted);
  EXPECT_LT((a.z - b.z).norm(), 1e-8);
  EXPECT_EQ(a.partition, b.partition);
}

TEST(InteriorPath, FindsThePartitionOfStrictlyComplementarySolutions) {
  // w = z − (2, −3, …): rows alternate between free and the bound
  const int n = 6;
  VecX b(n);
  b << -2, 3, -2, 3, -2, 3;
  const Last last = Follow(PlainLcp(MatX::Identity(n, n), b));
  ASSERT_EQ(last.end, InteriorEnd::kAccepted);
  for (int i = 0; i < n; ++i) EXPECT_EQ(last.partition[i], i % 2 == 0 ? Side::kFree : Side::kLower);
}

TEST(InteriorPath, SolvesPolygonalFrictionInFewSteps) {
  Draw draw(73);
  int accepted = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Last last = Follow(PolygonalFriction({.contacts = 8, .sides = 4, .dof = 12, .most_friction = 0.8}, &draw));
    accepted += last.end == InteriorEnd::kAccepted;
  }
  EXPECT_GE(accepted, 28);  // not monotone: nothing is proved
}

TEST(InteriorPath, StopsAtItsLimits) {
  Draw draw(74);
  const BoundedMlcp problem = WithKnownSolution(draw.Monotone(20), &draw).problem;
  EXPECT_EQ(Follow(problem, 2).end, InteriorEnd::kIterationLimit);
  EXPECT_EQ(Follow(problem, 2).iterations, 2);  // and no other start
}

TEST(InteriorPath, TakesNoBoundsAtAllAndNoRows) {
  Draw draw(75);
  BoundedMlcp problem{draw.Monotone(5), draw.Vector(5), VecX::Constant(5, -kInf), VecX::Constant(5, kInf)};
  EXPECT_EQ(Follow(problem).end, InteriorEnd::kAccepted);
  EXPECT_EQ(Follow(BoundedMlcp{MatX(0, 0), VecX(0), VecX(0), VecX(0)}).end, InteriorEnd::kAccepted);
}

}  // namespace
}  // namespace slipstick::internal
