#include "slipstick/math/block_sparse_lu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/math/random_matrix.h"

namespace slipstick::internal {
namespace {

// A random pattern and values of it, not symmetric, with a positive definite symmetric part; the same in full.
struct Sample {
  BlockLayout layout;
  BlockSparseLu::Pairs pairs;
  MatX full;
};
Sample MakeSample(RandomSource* random, int blocks, bool all_six) {
  Sample sample;
  for (int i = 0; i < blocks; ++i) sample.layout.Append(all_six ? 6 : 1 + static_cast<int>(random->Uniform(0, 9)));
  sample.full = MatX::Zero(sample.layout.total, sample.layout.total);
  const BlockLayout& layout = sample.layout;
  for (int k = 0; k < 2 * blocks; ++k) {
    const int i = static_cast<int>(random->Uniform(0, blocks)), j = static_cast<int>(random->Uniform(0, blocks));
    if (i == j) continue;
    sample.pairs.emplace_back(i, j);
    sample.full.block(layout.offset[i], layout.offset[j], layout.size[i], layout.size[j]) =
        RandomMatrix(random, layout.size[i], layout.size[j]);
    sample.full.block(layout.offset[j], layout.offset[i], layout.size[j], layout.size[i]) =
        RandomMatrix(random, layout.size[j], layout.size[i]);
  }
  for (int i = 0; i < layout.total; ++i) {
    sample.full(i, i) = 1 + std::max(sample.full.row(i).cwiseAbs().sum(), sample.full.col(i).cwiseAbs().sum());
  }
  // what is skew leaves the symmetric part as it is, and makes rows of diagonal blocks change places
  for (int i = 0; i < blocks; ++i) {
    const MatX some = 40 * RandomMatrix(random, layout.size[i], layout.size[i]);
    sample.full.block(layout.offset[i], layout.offset[i], layout.size[i], layout.size[i]) += some - some.transpose();
  }
  return sample;
}

void Fill(const Sample& sample, BlockSparseLu* lu) {
  const BlockLayout& layout = sample.layout;
  lu->Reset(layout, sample.pairs);
  const auto part = [&](int i, int j) {
    return sample.full.block(layout.offset[i], layout.offset[j], layout.size[i], layout.size[j]);
  };
  for (int i = 0; i < layout.count(); ++i) lu->diagonal(i) = part(i, i);
  for (const auto& [i, j] : sample.pairs) {
    lu->block(i, j) = part(i, j);
    lu->block(j, i) = part(j, i);
  }
}

TEST(BlockSparseLu, SolvesAsTheFullMatrixDoes) {
  RandomSource random(3);
  BlockSparseLu lu;  // one for all: patterns change under it
  for (int k = 0; k < 60; ++k) {
    const Sample sample = MakeSample(&random, 1 + k % 30, k % 2 == 0);
    Fill(sample, &lu);
    ASSERT_TRUE(lu.Factorize());
    const VecX exact = RandomMatrix(&random, sample.layout.total, 1);
    VecX x = sample.full * exact;
    lu.SolveInPlace(x);
    EXPECT_LE((x - exact).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST(BlockSparseLu, TheSamePatternIsFilledAnew) {
  RandomSource random(4);
  Sample sample = MakeSample(&random, 12, true);
  BlockSparseLu lu;
  Fill(sample, &lu);
  ASSERT_TRUE(lu.Factorize());
  sample.full *= 2;
  Fill(sample, &lu);
  ASSERT_TRUE(lu.Factorize());
  VecX x = sample.full * VecX::Ones(sample.layout.total);
  lu.SolveInPlace(x);
  EXPECT_LE((x - VecX::Ones(x.size())).lpNorm<Eigen::Infinity>(), 1e-12);
}

// A chain of blocks has no fill in a good order.
TEST(BlockSparseLu, AChainHasNoFill) {
  constexpr int kBlocks = 50;
  BlockLayout layout;
  BlockSparseLu::Pairs pairs;
  for (int i = 0; i < kBlocks; ++i) layout.Append(6);
  for (int i = 1; i < kBlocks; ++i) pairs.emplace_back((7 * i) % kBlocks, (7 * i + 7) % kBlocks);
  BlockSparseLu lu;
  lu.Reset(layout, pairs);
  EXPECT_EQ(lu.block_count(), kBlocks + 2 * (kBlocks - 1));
}

TEST(BlockSparseLu, WhatIsSingularOrNotFiniteIsTold) {
  BlockLayout layout;
  layout.Append(2);
  layout.Append(6);
  BlockSparseLu lu;
  lu.Reset(layout, {{0, 1}});
  EXPECT_FALSE(lu.Factorize());
  lu.Reset(layout, {{0, 1}});
  lu.diagonal(0).setIdentity();
  lu.diagonal(1).setConstant(std::nan(""));
  EXPECT_FALSE(lu.Factorize());
}

}  // namespace
}  // namespace slipstick::internal
