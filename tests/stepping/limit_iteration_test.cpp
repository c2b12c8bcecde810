#include "slipstick/stepping/limit_iteration.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace slipstick::internal {
namespace {

// Iterations until |g(x) − x| is below 1e-12 of x or of 1, or `most`.
int Iterate(const std::function<VecX(const VecX&)>& g, LimitIteration* iteration, int most = 60) {
  for (int k = 0; k < most; ++k) {
    const VecX found = g(iteration->limits());
    const double change = (found - iteration->limits()).lpNorm<Eigen::Infinity>();
    if (change < 1e-12 * std::max(1.0, found.lpNorm<Eigen::Infinity>())) return k;
    iteration->Continue(found);
  }
  return most;
}

// Slopes near 1, above 1 in size, and mixed: affine maps of n numbers are solved in n + 2 steps.
TEST(LimitIteration, AffineMapsEndSoon) {
  for (const double slope : {0.5, 0.99, 0.999, -0.9, -3.0}) {
    LimitIteration iteration(VecX::Zero(1));
    const auto g = [&](const VecX& x) { return VecX(VecX::Constant(1, 2.0) + slope * x); };
    EXPECT_LE(Iterate(g, &iteration), 3) << slope;
    EXPECT_NEAR(iteration.limits()[0] * (1 - slope), 2, 1e-9) << slope;
  }
  MatX A(3, 3);
  A << 0.9, 0.05, 0, -0.1, 0.8, 0.1, 0.2, 0, -0.5;
  const VecX b = VecX::Ones(3);
  LimitIteration iteration(VecX::Zero(3));
  EXPECT_LE(Iterate([&](const VecX& x) { return VecX(b + A * x); }, &iteration), 8);
  EXPECT_LT((iteration.limits() - (MatX::Identity(3, 3) - A).inverse() * b).norm(), 1e-9);
}

// Friction that feeds its own load grows until the load is all there is, as in a worm that locks: g(x) = min(1.01 x +
// 1e-3, 5).
TEST(LimitIteration, GrowthEndsWhereItIsHeld) {
  LimitIteration iteration(VecX::Zero(1));
  const auto g = [](const VecX& x) { return VecX((1.01 * x.array() + 1e-3).min(5.0)); };
  EXPECT_LT(Iterate(g, &iteration), 25);
  EXPECT_NEAR(iteration.limits()[0], 5, 1e-9);
}

TEST(LimitIteration, InfiniteLimitsAreLeftAtOnce) {
  LimitIteration iteration(VecX::Constant(1, std::numeric_limits<double>::infinity()));
  EXPECT_LE(Iterate([](const VecX& x) { return VecX((0.5 * x.array() + 1).min(7.0)); }, &iteration), 6);
  EXPECT_NEAR(iteration.limits()[0], 2, 1e-9);
}

}  // namespace
}  // namespace slipstick::internal
