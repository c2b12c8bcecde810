#include "slipstick/math/block_diagonal.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "slipstick/base/rotation.h"
#include "tests/base/random_numbers.h"

namespace slipstick::internal {
namespace {

using testing::RandomNumbers;

MatX RandomPositive(int n, RandomNumbers* random) {
  MatX root(n, n);
  for (int c = 0; c < n; ++c) root.col(c) = random->Vector(n, 1);
  return root * root.transpose() + random->Between(0.3, 2) * MatX::Identity(n, n);
}

// From the kinetic energy ½ m |v + ω × c|² + ½ ω·Iω of velocities (ω, v).
MatX RigidBody(double mass, const Vec3& com, const Mat3& inertia) {
  MatX to_centre = MatX::Identity(6, 6);
  to_centre.bottomLeftCorner<3, 3>() = -Skew(com);
  MatX about_centre = MatX::Zero(6, 6);
  about_centre.topLeftCorner<3, 3>() = inertia;
  about_centre.bottomRightCorner<3, 3>() = mass * Mat3::Identity();
  return to_centre.transpose() * about_centre * to_centre;
}

BlockLayout LayoutOf(const std::vector<int>& sizes) {
  BlockLayout layout;
  for (const int size : sizes) layout.Append(size);
  return layout;
}

// The matrix against its dense twin, in everything that it can do.
void ExpectSameAs(const BlockDiagonal& matrix, const MatX& dense, RandomNumbers* random) {
  const BlockLayout& layout = matrix.layout();
  const VecX x = random->Vector(layout.total, 1);
  const MatX inverse = dense.inverse();
  VecX product(layout.total), solved = x;
  matrix.Multiply(x, product);
  EXPECT_LT((product - dense * x).norm(), 1e-13 * (1 + dense.norm()));
  matrix.SolveInPlace(solved);
  EXPECT_LT((solved - inverse * x).norm(), 1e-12 * (1 + inverse.norm()));
  for (int b = 0; b < layout.count(); ++b) {
    const int first = layout.offset[b], n = layout.size[b];
    const MatX part = dense.block(first, first, n, n), part_inverse = inverse.block(first, first, n, n);
    EXPECT_LT((matrix.Dense(b) - part).norm(), 1e-14 * (1 + part.norm()));
    VecX diagonal(n), out(n);
    matrix.GetDiagonal(b, diagonal.data());
    EXPECT_LT((diagonal - part.diagonal()).norm(), 1e-14 * (1 + part.norm()));
    const VecX piece = x.segment(first, n);
    matrix.MultiplyBlock(b, piece.data(), out.data());
    EXPECT_LT((out - part * piece).norm(), 1e-13 * (1 + part.norm()));
    for (const int columns : {1, 3, 9}) {  // few one by one, many by panels
      MatX right(n, columns);
      for (int c = 0; c < columns; ++c) right.col(c) = random->Vector(n, 1);
      MatX answer = right;
      matrix.SolveBlockInPlace(b, answer);
      EXPECT_LT((answer - part_inverse * right).norm(), 1e-12 * (1 + part_inverse.norm()));
    }
  }
}

TEST(BlockDiagonal, IsItsDenseTwin) {
  RandomNumbers random(1);
  for (int k = 0; k < 30; ++k) {
    const BlockLayout layout = LayoutOf({1, 6, 3, 6, 0, 9, 6});
    BlockDiagonal matrix;
    matrix.Reset(layout, {0, 1, 0, 0, 0, 0, 1});
    MatX dense = MatX::Zero(layout.total, layout.total);
    for (int b = 0; b < layout.count(); ++b) {
      auto own = dense.block(layout.offset[b], layout.offset[b], layout.size[b], layout.size[b]);
      if (b == 1 || b == 6) {
        const double mass = random.Between(0.1, 10);
        const Vec3 com = random.Vector(1);
        const Mat3 inertia = RandomPositive(3, &random);
        matrix.SetFree(b, mass, com, inertia);
        own = RigidBody(mass, com, inertia);
        EXPECT_TRUE(matrix.IsSet(b));
      } else {
        own = RandomPositive(layout.size[b], &random);
        matrix.block(b) = own;
      }
    }
    ASSERT_TRUE(matrix.Factorize());
    EXPECT_NE(matrix.rigid(1), nullptr);
    EXPECT_EQ(matrix.rigid(3), nullptr);  // of size 6, and no free body's
    ExpectSameAs(matrix, dense, &random);
  }
}

// A dense block that has the form of a free body's is taken for one, and nothing changes by it.
TEST(BlockDiagonal, FindsFreeBodies) {
  RandomNumbers random(2);
  for (int k = 0; k < 20; ++k) {
    BlockDiagonal matrix;
    matrix.Reset(LayoutOf({6}));
    const MatX dense = RigidBody(random.Between(0.1, 10), random.Vector(1), RandomPositive(3, &random));
    matrix.block(0) = 0.5 * (dense + dense.transpose());
    ASSERT_TRUE(matrix.Factorize());
    EXPECT_NE(matrix.rigid(0), nullptr);
    ExpectSameAs(matrix, dense, &random);
  }
}

TEST(BlockDiagonal, ResetKeepsFreeBodiesAndClearsTheRest) {
  RandomNumbers random(3);
  const BlockLayout layout = LayoutOf({2, 6});
  BlockDiagonal matrix;
  matrix.Reset(layout, {0, 1});
  EXPECT_FALSE(matrix.IsSet(1));
  matrix.block(0).setIdentity();
  EXPECT_FALSE(matrix.Factorize()) << "a free body without its mass";
  matrix.SetFree(1, 2, Vec3::Zero(), Mat3::Identity());
  EXPECT_TRUE(matrix.Factorize());
  matrix.Reset(layout, {0, 1});
  EXPECT_TRUE(matrix.IsSet(1));
  EXPECT_TRUE(matrix.block(0).isZero(0));
  EXPECT_EQ(matrix.Dense(1).diagonal(), (Vec6() << 1, 1, 1, 2, 2, 2).finished());
  matrix.Reset(layout);  // now all dense
  EXPECT_FALSE(matrix.IsSet(1));
  EXPECT_TRUE(matrix.block(1).isZero(0));
}

TEST(BlockDiagonal, TellsWhatIsNotPositiveDefinite) {
  RandomNumbers random(4);
  for (const int n : {1, 2, 6, 8}) {
    BlockDiagonal matrix;
    matrix.Reset(LayoutOf({3, n}));
    matrix.block(0).setIdentity();
    MatX rest = RandomPositive(n, &random);
    matrix.block(1) = rest;
    EXPECT_TRUE(matrix.Factorize());
    // singular but for rounding: the last row a copy of the first, or nothing
    if (n == 1) {
      rest.setZero();
    } else {
      rest.row(n - 1) = rest.row(0);
      rest.col(n - 1) = rest.col(0);
      rest(n - 1, n - 1) = rest(0, 0) * (1 + 1e-15);
    }
    matrix.block(1) = rest;
    EXPECT_FALSE(matrix.Factorize()) << n;
    matrix.block(1) = -MatX::Identity(n, n);
    EXPECT_FALSE(matrix.Factorize()) << n;
    matrix.block(1) = MatX::Constant(n, n, std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(matrix.Factorize()) << n;
  }
  // rows of very different units are no singularity
  BlockDiagonal matrix;
  matrix.Reset(LayoutOf({2}));
  matrix.block(0) << 1e-12, 0, 0, 1e12;
  EXPECT_TRUE(matrix.Factorize());
  // no mass, no inertia
  matrix.Reset(LayoutOf({6}), {1});
  matrix.SetFree(0, 0, Vec3::Zero(), Mat3::Identity());
  EXPECT_FALSE(matrix.Factorize());
  matrix.SetFree(0, 1, Vec3::Zero(), Mat3::Zero());
  EXPECT_FALSE(matrix.Factorize());
}

// A free body that has lost its mass, as one whose pose is not finite, has no factor either: what is made of it is NaN,
// and the blocks beside it are as they were.
TEST(BlockDiagonal, WhatIsNotGivenIsNaN) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  BlockDiagonal matrix;
  matrix.Reset(LayoutOf({6, 2}), {1, 0});
  matrix.block(1).setIdentity();
  const auto expect_none = [&] {
    EXPECT_FALSE(matrix.Factorize());
    EXPECT_EQ(matrix.rigid(0), nullptr);
    VecX solved = VecX::Ones(8), product(8), diagonal(6);
    matrix.SolveInPlace(solved);
    matrix.Multiply(VecX::Ones(8), product);
    matrix.GetDiagonal(0, diagonal.data());
    MatX columns = MatX::Ones(6, 3);
    matrix.SolveBlockInPlace(0, columns);
    EXPECT_TRUE(solved.head(6).array().isNaN().all() && product.head(6).array().isNaN().all());
    EXPECT_TRUE(columns.array().isNaN().all() && diagonal.array().isNaN().all());
    EXPECT_EQ(solved.tail(2), VecX::Ones(2));
    EXPECT_EQ(product.tail(2), VecX::Ones(2));
  };
  expect_none();
  matrix.SetFree(0, 1, Vec3::Zero(), Mat3::Identity());
  EXPECT_TRUE(matrix.Factorize());
  matrix.SetFree(0, 1, Vec3::Zero(), Mat3::Constant(none));
  expect_none();
  matrix.SetFree(0, 1, Vec3::Constant(none), Mat3::Identity());
  expect_none();
}

TEST(BlockDiagonal, EntriesOfFreeBodiesAreNotThere) {
  BlockDiagonal matrix;
  matrix.Reset(LayoutOf({6, 6}), {1, 0});
  EXPECT_ANY_THROW(matrix.block(0));
  EXPECT_ANY_THROW(matrix.SetFree(1, 1, Vec3::Zero(), Mat3::Identity()));
  EXPECT_ANY_THROW(matrix.Reset(LayoutOf({5}), {1}));
}

}  // namespace
}  // namespace slipstick::internal
