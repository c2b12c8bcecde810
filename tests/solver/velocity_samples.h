#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/program/velocity_program.h"
#include "tests/math/random_matrix.h"

namespace slipstick::internal {

// Trees of one to eight velocities with contacts, constraints, friction in joints and rolling rows between them.
struct VelocitySample {
  BlockDiagonal mass;
  VelocityProgram program;
};
inline void MakeSample(RandomSource* random, int trees, bool non_associated, VelocitySample* sample) {
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

inline double ErrorOf(const VelocityProgram& velocities, const VecX& impulses) {
  const ConeProgram program = EliminateVelocities(velocities);
  return NaturalResidual(program, impulses) / program.q.lpNorm<Eigen::Infinity>();
}

}  // namespace slipstick::internal
