#include "slipstick/math/cone_projection.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace slipstick::internal {
namespace {

class RandomVectors {
 public:
  double Number(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  Vec3 Three() { return {Number(-2, 2), Number(-2, 2), Number(-2, 2)}; }

 private:
  std::mt19937 engine_{7};
};

TEST(ConeProjection, KnownPoints) {
  EXPECT_EQ(ProjectOnCone({2, 1, 0}, 1), Vec3(2, 1, 0));
  EXPECT_EQ(ProjectOnCone({-2, 1, 0}, 1), Vec3(0, 0, 0));
  EXPECT_TRUE(ProjectOnCone({0, 2, 0}, 1).isApprox(Vec3(1, 1, 0), 1e-15));
  // half-line of normal impulses
  EXPECT_EQ(ProjectOnCone({3, -1, 2}, 0), Vec3(3, 0, 0));
  EXPECT_EQ(ProjectOnCone({-3, -1, 2}, 0), Vec3(0, 0, 0));
  EXPECT_EQ(ProjectOnCone({0, 0, 0}, 0.7), Vec3(0, 0, 0));
  EXPECT_EQ(ProjectOnDisk({3, 4}, 10), Vec2(3, 4));
  EXPECT_TRUE(ProjectOnDisk({3, 4}, 1).isApprox(Vec2(0.6, 0.8), 1e-15));
  EXPECT_EQ(ProjectOnDisk({3, 4}, 0), Vec2(0, 0));
  EXPECT_EQ(ProjectOnDisk({3, 4}, std::numeric_limits<double>::infinity()), Vec2(3, 4));
}

// p is the projection of z on a convex cone just if p ∈ K, z − p ∈ K°, p·(z − p) = 0 (Moreau).
TEST(ConeProjection, MeetsMoreausConditions) {
  RandomVectors random;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 z = random.Three();
    const double mu = trial % 10 == 0 ? 0.0 : random.Number(0, 2);
    const Vec3 p = ProjectOnCone(z, mu), rest = ProjectOnPolarCone(z, mu);
    EXPECT_LE(p.tail<2>().norm(), mu * p[0] + 1e-14);
    EXPECT_LE(mu * rest.tail<2>().norm(), -rest[0] + 1e-14);
    EXPECT_NEAR(p.dot(rest), 0, 1e-14);
    EXPECT_TRUE((p + rest).isApprox(z, 1e-14));
    const Vec3 dual = ProjectOnDualCone(z, mu);
    EXPECT_GE(dual[0], mu * dual.tail<2>().norm() - 1e-14);
    EXPECT_TRUE(dual.isApprox(-ProjectOnPolarCone(-z, mu), 1e-14));
  }
}

// Central differences; points within the step of a border between two pieces are left out.
TEST(ConeProjection, JacobianIsTheDerivative) {
  RandomVectors random;
  constexpr double kStep = 1e-6;
  int compared = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 z = random.Three();
    const double mu = random.Number(0.05, 2), tangential = z.tail<2>().norm();
    if (std::abs(tangential - mu * z[0]) < 1e-3 || std::abs(mu * tangential + z[0]) < 1e-3 || tangential < 0.1)
      continue;
    const Mat3 jacobian = ConeProjectionJacobian(z, mu);
    Mat3 numeric;
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = kStep * Vec3::Unit(k);
      numeric.col(k) = (ProjectOnCone(z + step, mu) - ProjectOnCone(z - step, mu)) / (2 * kStep);
    }
    EXPECT_LT((jacobian - numeric).cwiseAbs().maxCoeff(), 1e-7) << z.transpose() << " mu " << mu;
    EXPECT_LT((jacobian - jacobian.transpose()).cwiseAbs().maxCoeff(), 1e-15);
    ++compared;
  }
  EXPECT_GT(compared, 800);
}

TEST(ConeProjection, DiskJacobianIsTheDerivative) {
  RandomVectors random;
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 500; ++trial) {
    const Vec2 z = random.Three().head<2>();
    const double radius = random.Number(0.1, 2);
    if (std::abs(z.norm() - radius) < 1e-3 || z.norm() < 0.1) continue;
    Mat2 numeric;
    for (int k = 0; k < 2; ++k) {
      const Vec2 step = kStep * Vec2::Unit(k);
      numeric.col(k) = (ProjectOnDisk(z + step, radius) - ProjectOnDisk(z - step, radius)) / (2 * kStep);
    }
    EXPECT_LT((DiskProjectionJacobian(z, radius) - numeric).cwiseAbs().maxCoeff(), 1e-7);
  }
}

}  // namespace
}  // namespace slipstick::internal
