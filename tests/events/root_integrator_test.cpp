#include "slipstick/events/root_integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace slipstick::internal {
namespace {

constexpr RootIntegrator::Tolerances kTight = {1e-11, 1e-13, 0.1};

// ẍ = −x with the root x = 0
RootIntegrator::Functions Oscillator() {
  return {[](double, const VecX& y, VecX* rate) {
            *rate = VecX(2);
            *rate << y[1], -y[0];
            return true;
          },
          [](double, const VecX& y, VecX* roots) {
            *roots = y.head(1);
            return true;
          }};
}

TEST(RootIntegratorTest, OscillatorFallsThroughZero) {
  RootIntegrator integrator(Oscillator());
  VecX y(2);
  y << 1, 0;
  integrator.Start(0, y, 1, kTight);
  double t = 0;
  ASSERT_EQ(integrator.Advance(10, &t, &y), RootIntegrator::Outcome::kRoot);
  EXPECT_NEAR(t, 0.5 * std::numbers::pi, 1e-10);
  EXPECT_EQ(integrator.FoundRoots(), std::vector<int>{0});
  // its way up at 3π/2 is none
  ASSERT_EQ(integrator.Advance(10, &t, &y), RootIntegrator::Outcome::kRoot);
  EXPECT_NEAR(t, 2.5 * std::numbers::pi, 1e-9);
}

TEST(RootIntegratorTest, EndsWhereAsked) {
  RootIntegrator integrator(Oscillator());
  VecX y(2);
  y << 0, 1;
  integrator.Start(0, y, 0, kTight);
  double t = 0;
  for (const double end : {0.5, 1.0, 3.0}) {
    ASSERT_EQ(integrator.Advance(end, &t, &y), RootIntegrator::Outcome::kEnd);
    EXPECT_DOUBLE_EQ(t, end);
    EXPECT_NEAR(y[0], std::sin(end), 1e-10);
  }
}

// What cannot be evaluated beyond a time is a failure there, with what was reached.
TEST(RootIntegratorTest, FailureIsAnOutcome) {
  RootIntegrator integrator({[](double t, const VecX& y, VecX* rate) {
                               *rate = VecX::Ones(y.size());
                               return t < 0.5;
                             },
                             {}});
  VecX y = VecX::Zero(1);
  integrator.Start(0, y, 0, kTight);
  double t = 0;
  EXPECT_EQ(integrator.Advance(1, &t, &y), RootIntegrator::Outcome::kFailed);
  EXPECT_LE(t, 0.5);
  EXPECT_TRUE(y.allFinite());
}

TEST(RootIntegratorTest, ExceptionsComeThrough) {
  RootIntegrator integrator({[](double, const VecX&, VecX*) -> bool { throw std::runtime_error("here"); }, {}});
  VecX y = VecX::Zero(1);
  integrator.Start(0, y, 0, kTight);
  double t = 0;
  EXPECT_THROW(integrator.Advance(1, &t, &y), std::runtime_error);
}

}  // namespace
}  // namespace slipstick::internal
