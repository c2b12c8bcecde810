#include "slipstick/math/second_order_cone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace slipstick::internal {
namespace {

Vec3 RandomInside(std::mt19937* engine, bool plane) {
  std::uniform_real_distribution<double> number(-1, 1);
  Vec3 y(0, number(*engine), plane ? 0 : number(*engine));
  y[0] = y.norm() + std::pow(10, 2 * number(*engine) - 1);
  return y;
}

TEST(SecondOrderCone, ScalingTakesBothToTheSamePoint) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 500; ++trial) {
    const bool plane = trial % 2 == 0;
    const Vec3 y = RandomInside(&engine, plane), z = RandomInside(&engine, plane);
    const NesterovToddScaling V = NesterovToddScaling::Of(y, z);
    const double size = V.lambda.norm();
    EXPECT_LT((V.Apply(z) - V.ApplyInverse(y)).norm(), 1e-11 * size);
    EXPECT_LT((V.Apply(V.ApplyInverse(y)) - y).norm(), 1e-11 * y.norm());
    EXPECT_LT((V.InverseSquare() * y - V.ApplyInverse(V.ApplyInverse(y))).norm(), 1e-10 * z.norm());
    EXPECT_LT((V.InverseSquare() * y - z).norm(), 1e-10 * z.norm());
    EXPECT_LT((V.Square() * z - y).norm(), 1e-10 * y.norm());
    const Mat2 across = V.InverseSquare().bottomRightCorner<2, 2>();
    EXPECT_LT((V.InverseAcross() * across - Mat2::Identity()).norm(), 1e-9);
    EXPECT_NEAR(V.lambda.squaredNorm(), y.dot(z), 1e-11 * y.dot(z));
    if (plane) EXPECT_EQ(V.lambda[2], 0);
  }
}

TEST(SecondOrderCone, QuotientUndoesProduct) {
  std::mt19937 engine(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3 a = RandomInside(&engine, false), x = RandomInside(&engine, false);
    EXPECT_LT((JordanQuotient(a, JordanProduct(a, x)) - x).norm(), 1e-9 * x.norm());
  }
}

TEST(SecondOrderCone, StepEndsOnTheBorder) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3 y = RandomInside(&engine, false), d(normal(engine), normal(engine), normal(engine));
    const double t = StepToBorder(y, d);
    const auto margin = [&](double step) {
      const Vec3 p = y + step * d;
      return p[0] - std::hypot(p[1], p[2]);
    };
    if (std::isinf(t)) {
      EXPECT_GT(margin(1e6), 0);
    } else {
      EXPECT_NEAR(margin(t), 0, 1e-9 * (1 + t));
      EXPECT_GT(margin(0.99 * t), 0);
      EXPECT_LT(margin(1.01 * t), 1e-9);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
