#include "slipstick/math/trigonometric_polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

using Trig = TrigonometricPolynomial;
constexpr double kPi = std::numbers::pi;

// sin((θ − a)/2) sin((θ − b)/2) = ½(cos((a − b)/2) − cos(θ − (a + b)/2)): degree 1 with the roots a and b.
Trig WithRoots(double a, double b) {
  const double middle = 0.5 * (a + b);
  return Trig(0.5 * std::cos(0.5 * (a - b))) -
         0.5 * (Trig::Cosine() * std::cos(middle) + Trig::Sine() * std::sin(middle));
}

TEST(TrigonometricPolynomial, ArithmeticFollowsTheFunctions) {
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  const Trig p = (x * 2.0 - y * 0.5 + 1.0) * (y * 3.0 + x) - x;
  const Trig cubic = p * (x - y * 0.25);
  for (double angle = -4; angle < 4; angle += 0.37) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double expected = (2 * c - 0.5 * s + 1) * (3 * s + c) - c;
    EXPECT_NEAR(p.At(angle), expected, 1e-14);
    EXPECT_NEAR(cubic.At(angle), expected * (c - 0.25 * s), 1e-14);
    const double h = 1e-6;
    EXPECT_NEAR(cubic.DerivativeAt(angle), (cubic.At(angle + h) - cubic.At(angle - h)) / (2 * h), 1e-8);
  }
  EXPECT_EQ(cubic.degree(), 3);
  EXPECT_THROW(cubic * x, BrokenInvariant);
}

TEST(TrigonometricPolynomial, FindsTheRootsItWasBuiltFrom) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> angle(-kPi, kPi);
  for (int trial = 0; trial < 500; ++trial) {
    const int degree = 1 + trial % 3;
    std::vector<double> roots;
    Trig p(std::pow(10.0, trial % 7 - 3));
    for (int k = 0; k < degree; ++k) {
      roots.push_back(angle(engine));
      roots.push_back(angle(engine));
      p = p * WithRoots(roots[2 * k], roots[2 * k + 1]);
    }
    std::sort(roots.begin(), roots.end());
    bool close = roots.front() + 2 * kPi - roots.back() < 1e-3;
    for (std::size_t i = 1; i < roots.size(); ++i) close = close || roots[i] - roots[i - 1] < 1e-3;
    if (close) continue;
    const Trig::Angles found = p.Roots();
    ASSERT_EQ(found.count, static_cast<int>(roots.size()));
    for (int i = 0; i < found.count; ++i) EXPECT_NEAR(found.values[i], roots[i], 1e-9);
  }
}

// Wherever a dense grid sees a change of sign there is a root, and the other way round.
TEST(TrigonometricPolynomial, AgreesWithADenseGrid) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> coefficient(-1, 1);
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  for (int trial = 0; trial < 300; ++trial) {
    Trig p = Trig(coefficient(engine)) + x * coefficient(engine) + y * coefficient(engine);
    p = p + x * x * coefficient(engine) + x * y * coefficient(engine);
    if (trial % 2 == 0) p = p + x * x * x * coefficient(engine) + y * y * y * coefficient(engine);
    constexpr int kSamples = 20000;
    int changes = 0;
    for (int i = 0; i < kSamples; ++i)
      changes += (p.At(2 * kPi * i / kSamples) < 0) != (p.At(2 * kPi * (i + 1) / kSamples) < 0);
    const Trig::Angles found = p.Roots();
    EXPECT_EQ(found.count, changes);
    for (double angle : found) EXPECT_NEAR(p.At(angle), 0, 1e-14);
  }
}

TEST(TrigonometricPolynomial, SpecialCases) {
  const Trig x = Trig::Cosine(), y = Trig::Sine();
  EXPECT_EQ(Trig(0.0).Roots().count, 0);
  EXPECT_EQ(Trig(1.0).Roots().count, 0);
  EXPECT_EQ((x + 2.0).Roots().count, 0);
  // roots on the border between the two halves of the circle, and at ±π
  const Trig::Angles cosine = x.Roots();
  ASSERT_EQ(cosine.count, 2);
  EXPECT_NEAR(cosine.values[0], -kPi / 2, 1e-15);
  EXPECT_NEAR(cosine.values[1], kPi / 2, 1e-15);
  EXPECT_EQ(y.Roots().count, 2);
  // double roots are not lost
  const Trig::Angles touching = (x - 1.0).Roots();
  ASSERT_GE(touching.count, 1);
  for (double angle : touching) EXPECT_NEAR(angle, 0, 1e-7);
  const Trig::Angles doubled = ((x - 0.3) * (x - 0.3)).Roots();
  ASSERT_GE(doubled.count, 2);
  EXPECT_LT(doubled.values[0], 0);
  EXPECT_GT(doubled.values[doubled.count - 1], 0);
  for (double angle : doubled) EXPECT_NEAR(std::abs(angle), std::acos(0.3), 1e-6);
  // a factor that vanishes leaves the degree too high, but no root too many
  EXPECT_EQ((x * y * 0.0 + y).Roots().count, 2);
}

}  // namespace
}  // namespace slipstick::internal
