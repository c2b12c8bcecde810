#include <fmt/format.h>
#include <gtest/gtest.h>

#include "slipstick/experiment/wheel_metrics.h"
#include "tests/papers/wheel_runs.h"

// No direction on the ground is special. The wheel is thrown in a direction turned by ψ; turned back, its path must be
// the same for the laws that say so, while the contact's axes stay along the world's x and y.

namespace slipstick::internal {
namespace {

using testing::RunWheel;

RunResult RunTurned(const std::string& law, double yaw, double duration) {
  return RunWheel(
      "wheel-free",
      {{"law", law},
       {"bodies.wheel.rotation.angles.0", fmt::format("{:.17g}", yaw)},
       {"bodies.wheel.velocity", fmt::format("[{:.17g}, {:.17g}, 0]", 6 * std::cos(yaw), 6 * std::sin(yaw))},
       {"stepper.duration", fmt::format("{}", duration)}},
      1e-3);
}

double LargestTurnedDistance(const Trajectory& straight, const Trajectory& turned, double yaw) {
  const Eigen::AngleAxisd back(-yaw, Vec3::UnitZ());
  double largest = 0;
  EXPECT_EQ(straight.size(), turned.size());
  for (int k = 0; k < straight.size(); ++k) {
    largest = std::max(largest, (straight.position[0][k] - back * turned.position[0][k]).norm());
  }
  return largest;
}

double LargestForceDifference(const Trajectory& straight, const Trajectory& turned) {
  double largest = 0;
  for (int k = 0; k < straight.size(); ++k) {
    largest = std::max(largest, std::abs(straight.friction_ratio[k] - turned.friction_ratio[k]));
  }
  return largest;
}

const double kYaws[] = {5 * M_PI / 180, 0.61, 2.2, -1.3};

class IsotropicLaw : public ::testing::TestWithParam<const char*> {};

TEST_P(IsotropicLaw, TurnsWithTheWheel) {
  // 1e-9 of the 10 m that it runs; solvers stop at 1e-12 or so in each of 5000 steps
  const double allowed = 1e-8;
  const Trajectory straight = RunTurned(GetParam(), 0, 5).trajectory;
  ASSERT_GT((straight.position[0].back() - straight.position[0].front()).norm(), 3);
  for (double yaw : kYaws) {
    SCOPED_TRACE(yaw);
    EXPECT_LE(LargestTurnedDistance(straight, RunTurned(GetParam(), yaw, 5).trajectory, yaw), allowed);
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, IsotropicLaw,
                         ::testing::Values("coulomb", "regularized", "{name: regularized, bounds: iterated}", "liang"));

class AxisBoundLaw : public ::testing::TestWithParam<const char*> {};

TEST_P(AxisBoundLaw, ChangesWithTheDirection) {
  const Trajectory straight = RunTurned(GetParam(), 0, 5).trajectory;
  for (double yaw : {5 * M_PI / 180, 0.61}) {
    SCOPED_TRACE(yaw);
    const Trajectory turned = RunTurned(GetParam(), yaw, 5).trajectory;
    const double distance = (straight.position[0].back() - straight.position[0].front()).norm();
    EXPECT_GT(LargestTurnedDistance(straight, turned, yaw), 0.01 * distance);
    EXPECT_GT(LargestForceDifference(straight, turned), 0.01);
  }
  // a quarter turn takes the axes into each other
  EXPECT_LE(LargestTurnedDistance(straight, RunTurned(GetParam(), M_PI / 2, 5).trajectory, M_PI / 2), 1e-8);
  // and a law whose own axes turn along is as good as before
  const double yaw = 0.61;
  const Trajectory along =
      RunTurned(fmt::format("{{name: {}, orientation: {:.17g}}}", GetParam(), yaw), yaw, 5).trajectory;
  EXPECT_LE(LargestTurnedDistance(straight, along, yaw), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Laws, AxisBoundLaw, ::testing::Values("box", "polygonal", "bristle"));

// Turned by 5°, box and polygon are farther from exact Coulomb than along their axes.
TEST(WheelIsotropy, DeviationFromCoulombGrowsOffTheAxes) {
  const double yaw = 5 * M_PI / 180;
  for (const char* law : {"box", "polygonal"}) {
    SCOPED_TRACE(law);
    const double along =
        MeasureWheel(RunTurned(law, 0, 5).trajectory, RunTurned("coulomb", 0, 5).trajectory).force_deviation;
    const double off =
        MeasureWheel(RunTurned(law, yaw, 5).trajectory, RunTurned("coulomb", yaw, 5).trajectory).force_deviation;
    EXPECT_GT(off, along + 0.01);
  }
}

}  // namespace
}  // namespace slipstick::internal
