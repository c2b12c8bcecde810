#include "slipstick/solver/velocity/velocity_newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/solver/cone/cone_ladder.h"
#include "tests/solver/velocity_samples.h"

// The solver that keeps velocities, against those that eliminate them.

namespace slipstick::internal {
namespace {

TEST(VelocityNewton, SolvesTheConvexLaw) {
  RandomSource random(5);
  for (int k = 0; k < 40; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, false, &sample);
    const ConeAnswer answer = SolveByVelocityNewton(sample.program, {}, {.tolerance = 1e-9}, nullptr);
    EXPECT_EQ(answer.report.status, SolveStatus::kSolved) << k;
    EXPECT_LE(ErrorOf(sample.program, answer.r), 1.1e-9) << k;
    // the motion is unique
    const ConeProgram eliminated = EliminateVelocities(sample.program);
    const ConeAnswer other = SolveByLadder(eliminated, {.tolerance = 1e-11}, nullptr);
    ASSERT_EQ(other.report.status, SolveStatus::kSolved);
    EXPECT_LE((answer.u - other.u).lpNorm<Eigen::Infinity>(), 1e-6) << k;
    EXPECT_LE((answer.u - (eliminated.W * answer.r + eliminated.q)).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST(VelocityNewton, SolvesExactFriction) {
  RandomSource random(6);
  int solved = 0;
  for (int k = 0; k < 40; ++k) {
    VelocitySample sample;
    MakeSample(&random, 2 + k % 20, true, &sample);
    const ConeAnswer answer = SolveByVelocityNewton(sample.program, {}, {.tolerance = 1e-9}, nullptr);
    // whatever it says of itself is true
    EXPECT_EQ(answer.report.status == SolveStatus::kSolved, ErrorOf(sample.program, answer.r) <= 1.1e-9) << k;
    EXPECT_TRUE(answer.r.allFinite());
    solved += answer.report.status == SolveStatus::kSolved ? 1 : 0;
  }
  EXPECT_GE(solved, 38);
}

TEST(VelocityNewton, StartsFromTheStatesOfAnAnswer) {
  RandomSource random(7);
  VelocitySample sample;
  MakeSample(&random, 12, false, &sample);
  const ConeAnswer cold = SolveByVelocityNewton(sample.program, {}, {.tolerance = 1e-9}, nullptr);
  const ConeAnswer warm = SolveByVelocityNewton(sample.program, {}, {.tolerance = 1e-9}, &cold.r);
  EXPECT_EQ(warm.report.status, SolveStatus::kSolved);
  EXPECT_LT(warm.report.iterations, cold.report.iterations);
}

// A body on four feet at the corners of a square: the weight is shared equally, whatever the order of the feet, and
// nothing presses sideways.
TEST(VelocityNewton, SharesALoadEqually) {
  BlockLayout layout;
  layout.Append(6);
  BlockDiagonal mass;
  mass.Reset(layout, {1});
  mass.SetFree(0, 2, Vec3::Zero(), Mat3::Identity());
  ASSERT_TRUE(mass.Factorize());
  for (const bool non_associated : {false, true}) {
    VelocityProgram program;
    program.mass = &mass;
    program.non_associated = non_associated;
    program.rows.Reset(layout);
    for (const int k : {2, 0, 3, 1}) {
      const Vec3 arm((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, -0.5);
      const int group = program.rows.Append(BlockRows::Rigid{{Vec3::UnitZ(), Vec3::UnitX()}, arm, Vec3::Zero()}, 0, -1);
      program.blocks.push_back(ConeBlock::Cone(3 * group, 0.5));
    }
    program.q = VecX::Zero(12);
    for (int i = 0; i < 4; ++i) program.q[3 * i] = -1;
    program.compliance = VecX::Zero(12);
    const ConeAnswer answer = SolveByVelocityNewton(program, {}, {.tolerance = 1e-10}, nullptr);
    ASSERT_EQ(answer.report.status, SolveStatus::kSolved);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(answer.r[3 * i], 0.5, 1e-9);
      EXPECT_LE(answer.r.segment<2>(3 * i + 1).norm(), 1e-9);
    }
  }
}

// A contact that nothing can move, and numbers that are none: an end, and an honest word.
TEST(VelocityNewton, WhatHasNoAnswerIsTold) {
  RandomSource random(8);
  for (const bool non_associated : {false, true}) {
    VelocitySample sample;
    MakeSample(&random, 6, non_associated, &sample);
    VelocityProgram& program = sample.program;
    const int group = program.rows.Append(3, -1, -1);
    program.blocks.push_back(ConeBlock::Cone(program.rows.first_row(group), 0.5));
    program.q.conservativeResize(program.rows.rows());
    program.q.tail<3>() << -1, 0, 0;
    program.compliance = VecX::Zero(program.q.size());
    const ConeAnswer answer = SolveByVelocityNewton(program, {}, {.tolerance = 1e-9}, nullptr);
    EXPECT_NE(answer.report.status, SolveStatus::kSolved);
    EXPECT_TRUE(answer.r.allFinite() && answer.u.size() == program.size());
    program.q[0] = std::nan("");
    EXPECT_EQ(SolveByVelocityNewton(program, {}, {}, nullptr).report.status, SolveStatus::kBadInput);
  }
}

TEST(VelocityNewton, NothingToDo) {
  BlockDiagonal mass;
  VelocityProgram program;
  program.mass = &mass;
  EXPECT_EQ(SolveByVelocityNewton(program, {}, {}, nullptr).report.status, SolveStatus::kSolved);
}

}  // namespace
}  // namespace slipstick::internal
