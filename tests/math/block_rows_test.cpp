#include "slipstick/math/block_rows.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "slipstick/math/rigid_mass.h"

namespace slipstick::internal {
namespace {

class Numbers {
 public:
  double One() { return uniform_(random_); }
  Vec3 Three() { return {One(), One(), One()}; }
  VecX Many(int n) {
    VecX v(n);
    for (double& x : v) x = One();
    return v;
  }
  BlockRows::Frame Frame() {
    const Vec3 n = Three().normalized();
    return {n, n.unitOrthogonal()};
  }

 private:
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

BlockLayout ThreeBodies() {
  BlockLayout layout;
  for (int k = 0; k < 3; ++k) layout.Append(6);
  return layout;
}

// A rigid group and a dense one with the same pieces are the same rows.
TEST(BlockRows, RigidGroupsAreTheirPieces) {
  Numbers numbers;
  BlockRows rigid, dense;
  rigid.Reset(ThreeBodies());
  dense.Reset(ThreeBodies());
  for (const auto& [a, b] : {std::pair(0, 1), {2, -1}, {-1, 0}, {1, 2}}) {
    for (bool turning : {false, true}) {
      const BlockRows::Frame frame = numbers.Frame();
      const int group = turning ? rigid.Append(BlockRows::Turning{frame}, a, b)
                                : rigid.Append(BlockRows::Rigid{frame, numbers.Three(), numbers.Three()}, a, b);
      ASSERT_EQ(dense.Append(frame, a, b), group);
      EXPECT_EQ(dense.frame(group).tangent, rigid.frame(group).tangent);
      const BlockRows& made = rigid;
      dense.piece_a(group) = made.piece_a(group);
      dense.piece_b(group) = made.piece_b(group);
    }
  }
  const VecX v = numbers.Many(18), x = numbers.Many(rigid.rows());
  VecX out(rigid.rows()), same(rigid.rows());
  rigid.Multiply(v, out);
  dense.Multiply(v, same);
  EXPECT_LT((out - same).lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_GT(out.norm(), 1);
  VecX forces = numbers.Many(18), others = forces;
  rigid.AddTransposed(x, forces);
  dense.AddTransposed(x, others);
  EXPECT_LT((forces - others).lpNorm<Eigen::Infinity>(), 1e-14);
}

// So is a single velocity.
TEST(BlockRows, SinglesAreTheirPieces) {
  Numbers numbers;
  BlockRows single, dense;
  single.Reset(ThreeBodies());
  dense.Reset(ThreeBodies());
  for (const int block : {2, 0, 0, 1}) {
    const int group = single.Append(BlockRows::Single{2 * block + 1, numbers.One()}, block);
    ASSERT_EQ(dense.Append(1, block, -1), group);
    const BlockRows& made = single;
    EXPECT_EQ(made.piece_b(group).cols(), 0);
    EXPECT_EQ(made.rows(group), 1);
    dense.piece_a(group) = made.piece_a(group);
  }
  const VecX v = numbers.Many(18), x = numbers.Many(4);
  VecX out(4), same(4);
  single.Multiply(v, out);
  dense.Multiply(v, same);
  EXPECT_EQ(out, same);
  for (const bool sizes : {false, true}) {
    VecX forces = numbers.Many(18), others = forces;
    sizes ? single.AddTransposedSizes(x, forces) : single.AddTransposed(x, forces);
    sizes ? dense.AddTransposedSizes(x, others) : dense.AddTransposed(x, others);
    EXPECT_LT((forces - others).lpNorm<Eigen::Infinity>(), 1e-15);
  }
}

// Sizes of the terms of Jᵀx, dense and rigid, and the sparse Delassus matrix against the dense one.
TEST(BlockRows, SizesAndSparseDelassus) {
  Numbers numbers;
  BlockRows rows;
  rows.Reset(ThreeBodies());
  MatX jacobian = MatX::Zero(14, 18);
  const auto note = [&](int group) {
    const BlockRows& made = rows;
    if (rows.block_a(group) >= 0) {
      jacobian.block(rows.first_row(group), 6 * rows.block_a(group), rows.rows(group), 6) = made.piece_a(group);
    }
    if (rows.block_b(group) >= 0) {
      jacobian.block(rows.first_row(group), 6 * rows.block_b(group), rows.rows(group), 6) = made.piece_b(group);
    }
  };
  const auto rigid = [&] { return BlockRows::Rigid{numbers.Frame(), numbers.Three(), numbers.Three()}; };
  note(rows.Append(rigid(), 0, 1));
  note(rows.Append(rigid(), 1, 0));  // the same two once more
  note(rows.Append(BlockRows::Turning{numbers.Frame()}, 2, -1));
  const int dense = rows.Append(5, 2, 0);
  for (int k = 0; k < 5; ++k) {
    rows.piece_a(dense).row(k) = numbers.Many(6).transpose();
    rows.piece_b(dense).row(k) = numbers.Many(6).transpose();
  }
  note(dense);
  const VecX x = numbers.Many(14), added = numbers.Many(14).cwiseAbs();
  VecX sizes = VecX::Zero(18);
  rows.AddTransposedSizes(x, sizes);
  EXPECT_LT((sizes - jacobian.cwiseAbs().transpose() * x.cwiseAbs()).lpNorm<Eigen::Infinity>(), 1e-14);

  BlockDiagonal mass;
  mass.Reset(ThreeBodies());
  MatX whole = MatX::Zero(18, 18);
  for (int b = 0; b < 3; ++b) {
    MatX root(6, 6);
    for (int k = 0; k < 6; ++k) root.col(k) = numbers.Many(6);
    mass.block(b) = root * root.transpose() + MatX::Identity(6, 6);
    whole.block(6 * b, 6 * b, 6, 6) = mass.block(b);
  }
  ASSERT_TRUE(mass.Factorize());
  const SparseMat sparse = SparseDelassus(mass, rows, added);
  MatX expected = jacobian * whole.inverse() * jacobian.transpose();
  expected += MatX(added.asDiagonal());
  EXPECT_LT((MatX(sparse) - expected).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_EQ((MatX(sparse) - MatX(sparse).transpose()).norm(), 0.0);
  // groups without a common body have no entries
  EXPECT_LT(sparse.nonZeros(), 14 * 14);
}

// The velocity of a point of a turning body, by hand.
TEST(BlockRows, ARigidGroupIsTheRelativeVelocityOfTwoPoints) {
  Numbers numbers;
  BlockRows rows;
  rows.Reset(ThreeBodies());
  const BlockRows::Rigid group{numbers.Frame(), numbers.Three(), numbers.Three()};
  rows.Append(group, 0, 2);
  const VecX v = numbers.Many(18);
  const Vec3 a = v.segment<3>(3) + Vec3(v.segment<3>(0)).cross(group.arm_a),
             b = v.segment<3>(15) + Vec3(v.segment<3>(12)).cross(group.arm_b);
  VecX out(3);
  rows.Multiply(v, out);
  EXPECT_LT((group.frame.World(out) - (a - b)).norm(), 1e-14);
}

// Mass matrix of a body whose origin is not its centre of mass, and back.
TEST(RigidMass, IsReadOffTheMassMatrix) {
  Numbers numbers;
  for (int trial = 0; trial < 20; ++trial) {
    const double m = 1.5 + numbers.One();
    const Vec3 c = numbers.Three();
    const BlockRows::Frame axes = numbers.Frame();
    Mat3 frame;
    frame << axes.normal, axes.tangent, axes.second_tangent();
    const Mat3 inertia = frame * Vec3(2, 3, 4.5).asDiagonal() * frame.transpose();
    Mat3 skew;
    skew << 0, -c.z(), c.y(), c.z(), 0, -c.x(), -c.y(), c.x(), 0;
    BlockLayout layout;
    layout.Append(6);
    BlockDiagonal mass;
    mass.Reset(layout);
    mass.block(0) << inertia - m * skew * skew, m * skew, -m * skew, m * Mat3::Identity();
    const std::optional<RigidMass> rigid = ReadRigidMass(Eigen::Map<const Mat6>(mass.block(0).data()));
    ASSERT_TRUE(rigid.has_value());
    EXPECT_NEAR(rigid->inverse_mass, 1 / m, 1e-14);
    EXPECT_LT((rigid->com - c).norm(), 1e-14);
    EXPECT_LT((rigid->inverse_inertia * inertia - Mat3::Identity()).norm(), 1e-13);
    // the trace that scales residuals, against the rows and the factorized mass
    ASSERT_TRUE(mass.Factorize());
    BlockRows rows;
    rows.Reset(layout);
    const Vec3 arm = numbers.Three();
    rows.Append(BlockRows::Rigid{numbers.Frame(), arm, Vec3::Zero()}, 0, -1);
    MatX w = MatX::Zero(3, 3);
    AddDelassus(mass, rows, rows, w);
    EXPECT_NEAR(rigid->PointTrace(arm), w.trace(), 1e-12 * w.trace());
    // the same body given as such
    BlockDiagonal given;
    given.Reset(layout, {1});
    EXPECT_FALSE(given.Factorize());
    given.SetFree(0, m, c, inertia);
    ASSERT_TRUE(given.Factorize());
    EXPECT_LT((given.Dense(0) - mass.Dense(0)).norm(), 1e-13);
    VecX diagonal(6);
    given.GetDiagonal(0, diagonal.data());
    EXPECT_LT((diagonal - mass.Dense(0).diagonal()).norm(), 1e-13);
    const VecX x = numbers.Many(6);
    VecX product(6), back(6);
    given.Multiply(x, product);
    EXPECT_LT((product - mass.Dense(0) * x).norm(), 1e-13);
    back = product;
    given.SolveInPlace(back);
    EXPECT_LT((back - x).norm(), 1e-12);
    // one without inertia about an axis is refused
    given.SetFree(0, m, c, frame * Vec3(2, 3, 0).asDiagonal() * frame.transpose());
    EXPECT_FALSE(given.Factorize());
    // a mass matrix that is not a body's
    mass.block(0)(4, 4) *= 1.001;
    EXPECT_FALSE(ReadRigidMass(Eigen::Map<const Mat6>(mass.block(0).data())).has_value());
  }
}

}  // namespace
}  // namespace slipstick::internal
