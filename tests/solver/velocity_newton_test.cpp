#include "slipstick/solver/velocity/velocity_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/solver/cone/cone_ladder.h"
#include "tests/math/random_matrix.h"

// The solver that keeps velocities, against those that eliminate them.

namespace slipstick::internal {
namespace {

// Trees of one to eight velocities with contacts, constraints, friction in joints and rolling rows between them.
struct Sample {
  BlockDiagonal mass;
  VelocityProgram program;
};
void MakeSample(RandomSource* random, int trees, bool non_associated, Sample* sample) {
  BlockLayout layout;
  for (int i = 0; i < trees; ++i) layout.Append(i % 3 == 0 ? 1 + static_cast<int>(random->Uniform(0, 8)) : 6);
  sample->mass.Reset(layout);
  for (int i = 0; i < trees; ++i) {
    const MatX root = RandomMatrix(random, layout.size[i], layout.size[i]);
    sample->mass.block(i) = root * root.transpose() + MatX::Identity(layout.size[i], layout.size[i]);
  }
  ASSERT_TRUE(sample->mass.Factorize());
  VelocityProgram& program = sample->program;
  program = {};
  program.mass = &sample->mass;
  program.non_associated = non_associated;
  program.rows.Reset(layout);
  int row = 0;
  const auto append = [&](int rows, int a, int b) {
    const int group = program.rows.Append(rows, a, b);
    program.rows.piece_a(group) = RandomMatrix(random, rows, layout.size[a]);
    if (b >= 0) program.rows.piece_b(group) = RandomMatrix(random, rows, layout.size[b]);
    row += rows;
    return row - rows;
  };
  const auto tree = [&](int other) {
    const int found = static_cast<int>(random->Uniform(0, trees));
    return found == other ? -1 : found;
  };
  program.blocks.push_back(ConeBlock::Free(append(1, 0, tree(0))));
  const int two = append(2, 1, -1);
  program.blocks.push_back(ConeBlock::Interval(two, -0.1, 0.2));
  program.blocks.push_back(ConeBlock::Interval(two + 1, 0, std::numeric_limits<double>::infinity()));
  for (int i = 0; i < 2 * trees; ++i) {
    const int a = i % trees;
    const bool rolls = i % 5 == 4;
    const FrictionCone cone =
        rolls ? FrictionCone::SpinningAndRolling(0.5, 0.1, 0.2) : FrictionCone::Sliding(random->Uniform(0, 0.6));
    program.blocks.push_back(ConeBlock::Cone(append(rolls ? 6 : 3, a, tree(a)), cone));
  }
  // velocities that free every contact exist, so that impulses do
  program.q.resize(row);
  program.rows.Multiply(RandomMatrix(random, layout.total, 1), program.q);
  for (const ConeBlock& block : program.blocks) {
    if (block.kind == BlockKind::kCone) program.q[block.offset] += random->Uniform(0.01, 0.3);
  }
  program.compliance = VecX::Zero(row);
  for (std::size_t k = 3; k < program.blocks.size(); k += 2) {
    program.compliance[program.blocks[k].offset] = random->Uniform(0, 0.5);
    if (k % 4 == 1) program.compliance.segment<2>(program.blocks[k].offset + 1).setConstant(random->Uniform(0, 0.2));
  }
}

double ErrorOf(const VelocityProgram& velocities, const VecX& impulses) {
  const ConeProgram program = EliminateVelocities(velocities);
  return NaturalResidual(program, impulses) / program.q.lpNorm<Eigen::Infinity>();
}

TEST(VelocityNewton, SolvesTheConvexLaw) {
  RandomSource random(5);
  for (int k = 0; k < 40; ++k) {
    Sample sample;
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
    Sample sample;
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
  Sample sample;
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
    Sample sample;
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
