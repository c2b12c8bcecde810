#include "slipstick/solver/velocity/velocity_interior_point.h"

#include <cmath>

#include "slipstick/solver/cone/cone_ladder.h"
#include "slipstick/solver/velocity/velocity_auto.h"
#include "tests/solver/velocity_samples.h"

// Interior points with velocities kept, against the ladder that eliminates them.

namespace slipstick::internal {
namespace {

// Alone it solves nearly all to what Newton's method goes on from, and comes near in all.
TEST(VelocityInteriorPoint, SolvesTheConvexLawInAFewDozenSteps) {
  RandomSource random(15);
  int solved = 0;
  for (int k = 0; k < 100; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, false, &sample);
    const ConeAnswer answer = SolveByVelocityInteriorPoint(sample.program, {}, {.tolerance = 1e-6});
    const double error = ErrorOf(sample.program, answer.r);
    EXPECT_EQ(answer.report.status == SolveStatus::kSolved, error <= 1.01e-6) << k;
    EXPECT_LE(answer.report.iterations, 60) << k;
    EXPECT_LE(error, 1e-3) << k;  // Newton's method goes on from 1e-2
    solved += answer.report.status == SolveStatus::kSolved ? 1 : 0;
    // the motion is unique
    const ConeAnswer other = SolveByLadder(EliminateVelocities(sample.program), {.tolerance = 1e-11}, nullptr);
    ASSERT_EQ(other.report.status, SolveStatus::kSolved);
    EXPECT_LE((answer.u - other.u).lpNorm<Eigen::Infinity>(), 1e-3) << k;
  }
  EXPECT_GE(solved, 75);
}

TEST(VelocityInteriorPoint, SolvesMostOfExactFriction) {
  RandomSource random(16);
  int solved = 0;
  for (int k = 0; k < 40; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, true, &sample);
    const ConeAnswer answer = SolveByVelocityInteriorPoint(sample.program, {}, {.tolerance = 1e-6});
    // whatever it says of itself is true
    EXPECT_EQ(answer.report.status == SolveStatus::kSolved, ErrorOf(sample.program, answer.r) <= 1.1e-6) << k;
    EXPECT_TRUE(answer.r.allFinite());
    solved += answer.report.status == SolveStatus::kSolved ? 1 : 0;
  }
  EXPECT_GE(solved, 36);
}

TEST(VelocityAuto, SolvesBothLawsToTheLastDigitsAskedFor) {
  RandomSource random(17);
  for (const bool non_associated : {false, true}) {
    int solved = 0;
    for (int k = 0; k < 40; ++k) {
      VelocitySample sample;
      MakeSample(&random, 2 + k % 20, non_associated, &sample);
      const ConeAnswer answer = SolveVelocityProgram(sample.program, {.tolerance = 1e-10}, nullptr);
      EXPECT_EQ(answer.report.status == SolveStatus::kSolved, ErrorOf(sample.program, answer.r) <= 1.1e-10) << k;
      solved += answer.report.status == SolveStatus::kSolved ? 1 : 0;
      // its own answer is good enough as a start
      if (answer.report.status != SolveStatus::kSolved) continue;
      EXPECT_EQ(SolveVelocityProgram(sample.program, {.tolerance = 1.1e-10}, &answer.r).report.iterations, 0) << k;
    }
    EXPECT_GE(solved, non_associated ? 38 : 40);
  }
}

TEST(VelocityAuto, WhatIsNoProgramIsTold) {
  RandomSource random(18);
  VelocitySample sample;
  MakeSample(&random, 6, true, &sample);
  sample.program.q[0] = std::nan("");
  EXPECT_EQ(SolveVelocityProgram(sample.program, {}, nullptr).report.status, SolveStatus::kBadInput);
  EXPECT_EQ(SolveByVelocityInteriorPoint(sample.program, {}, {}).report.status, SolveStatus::kBadInput);
  BlockDiagonal mass;
  VelocityProgram empty;
  empty.mass = &mass;
  EXPECT_EQ(SolveVelocityProgram(empty, {}, nullptr).report.status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace slipstick::internal
