#include "slipstick/math/friction_cone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "slipstick/math/cone_projection.h"

namespace slipstick::internal {
namespace {

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double Between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  int Below(int n) { return static_cast<int>(engine_() % n); }

 private:
  std::mt19937 engine_;
};

std::vector<FrictionCone> ManyCones() {
  std::vector<FrictionCone> cones;
  for (double a : {0.0, 0.3, 1.0, 7.0}) {
    cones.push_back(FrictionCone::InPlane(a));
    cones.push_back(FrictionCone::Sliding(a));
    for (double b : {0.0, 0.01, 0.3, 2.0}) {
      cones.push_back(FrictionCone::Rolling(a, b));
      for (double c : {0.0, 0.3, 5.0}) cones.push_back(FrictionCone::SpinningAndRolling(a, b, c));
    }
  }
  return cones;
}

ContactVector RandomPoint(int rows, Numbers* numbers) {
  ContactVector z(rows);
  const double size = std::pow(10, numbers->Between(-3, 3));
  // ties and zeros among the points
  for (double& value : z) value = size * (numbers->Below(5) == 0 ? numbers->Below(3) - 1 : numbers->Between(-1, 1));
  return z;
}

// A point of the cone, on its surface as often as inside.
ContactVector RandomPointOf(const FrictionCone& cone, Numbers* numbers) {
  ContactVector y = RandomPoint(cone.rows(), numbers);
  y[0] = std::abs(y[0]);
  int first = 1;
  for (int k = 0; k < cone.part_count; ++k) {
    auto part = y.segment(first, cone.parts[k].rows);
    const double limit = cone.parts[k].limit * y[0], norm = part.norm();
    if (norm > limit || numbers->Below(2) == 0) part *= norm > 0 ? limit / norm : 0.0;
    first += cone.parts[k].rows;
  }
  return y;
}

TEST(FrictionCone, ProjectionMeetsItsVariationalInequality) {
  Numbers numbers(1);
  for (const FrictionCone& cone : ManyCones()) {
    for (int trial = 0; trial < 200; ++trial) {
      const ContactVector z = RandomPoint(cone.rows(), &numbers);
      ContactVector p(cone.rows());
      ProjectOnFrictionCone(cone, z.data(), p.data());
      const double size = z.norm() + 1e-300;
      // in the cone
      ASSERT_GE(p[0], 0);
      int first = 1;
      for (int k = 0; k < cone.part_count; ++k) {
        ASSERT_LE(p.segment(first, cone.parts[k].rows).norm(), cone.parts[k].limit * p[0] + 1e-14 * size);
        first += cone.parts[k].rows;
      }
      // (z − p)ᵀ(y − p) ≤ 0 for every y of the cone
      for (int other = 0; other < 20; ++other) {
        const ContactVector y = RandomPointOf(cone, &numbers) * size;
        ASSERT_LE((z - p).dot(y - p), 1e-12 * size * (size + y.norm()));
      }
    }
  }
}

TEST(FrictionCone, PointsInsideKeepTheirBits) {
  Numbers numbers(2);
  for (const FrictionCone& cone : ManyCones()) {
    for (int trial = 0; trial < 20; ++trial) {
      const ContactVector inside = 0.999 * RandomPointOf(cone, &numbers);
      ContactVector z = inside;
      z[0] *= 1.001;
      ContactVector p(cone.rows());
      ProjectOnFrictionCone(cone, z.data(), p.data());
      ASSERT_EQ(p, z);
    }
  }
}

TEST(FrictionCone, SlidingAloneIsTheSecondOrderCone) {
  Numbers numbers(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 z(numbers.Between(-1, 1), numbers.Between(-1, 1), numbers.Between(-1, 1));
    const double mu = numbers.Between(0, 2);
    Vec3 p;
    ProjectOnFrictionCone(FrictionCone::Sliding(mu), z.data(), p.data());
    EXPECT_LT((p - ProjectOnCone(z, mu)).norm(), 1e-15);
    EXPECT_LT((FrictionConeJacobian(FrictionCone::Sliding(mu), z.data()) - ConeProjectionJacobian(z, mu)).norm(),
              1e-13);
  }
}

TEST(FrictionCone, JacobianIsTheDerivative) {
  Numbers numbers(4);
  int smooth = 0;
  for (const FrictionCone& cone : ManyCones()) {
    for (int trial = 0; trial < 50; ++trial) {
      ContactVector z(cone.rows());
      for (double& value : z) value = numbers.Between(-1, 1);
      const ContactMatrix jacobian = FrictionConeJacobian(cone, z.data());
      EXPECT_LT((jacobian - jacobian.transpose()).norm(), 1e-14);
      ContactMatrix differences(cone.rows(), cone.rows());
      const double h = 1e-6;
      for (int j = 0; j < cone.rows(); ++j) {
        ContactVector ahead = z, behind = z, p(cone.rows()), m(cone.rows());
        ahead[j] += h;
        behind[j] -= h;
        ProjectOnFrictionCone(cone, ahead.data(), p.data());
        ProjectOnFrictionCone(cone, behind.data(), m.data());
        differences.col(j) = (p - m) / (2 * h);
      }
      // kinks are hit with probability 1e-6 each; a wrong formula fails everywhere
      if ((jacobian - differences).norm() < 1e-5) ++smooth;
    }
  }
  EXPECT_GE(smooth, static_cast<int>(ManyCones().size()) * 50 - 2);
}

TEST(FrictionCone, SlipTermIsTheSumOfTheParts) {
  const double u[6] = {-1, 3, 4, -2, 5, 12};
  EXPECT_DOUBLE_EQ(SlipTerm(FrictionCone::Sliding(0.5), u), 2.5);
  EXPECT_DOUBLE_EQ(SlipTerm(FrictionCone::SpinningAndRolling(0.5, 0.1, 0.01), u), 2.5 + 0.2 + 0.13);
}

}  // namespace
}  // namespace slipstick::internal
