#include <gtest/gtest.h>

#include "tests/papers/wheel_equations.h"
#include "tests/papers/wheel_runs.h"

// The wheel against an independent solution of its equations of motion, and against itself at other steps.

namespace slipstick::internal {
namespace {

using testing::IntegrateWheel;
using testing::LargestDistance;
using testing::RunWheel;
using testing::WheelEquations;
using testing::WheelState;

constexpr double kSliding = 1.9;  // [s]; it slides until 2.007 s

// The oracle itself: Runge–Kutta has converged, energy is lost to friction alone, the rim stays on the ground.
TEST(WheelEquations, AreSolvedAccurately) {
  const WheelState coarse = IntegrateWheel(kSliding, 4750), fine = IntegrateWheel(kSliding, 9500);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(coarse[i], fine[i], 1e-9) << i;
  EXPECT_NEAR(fine[2], 0.5 * std::cos(fine[4]), 1e-9);
  EXPECT_GT(WheelEquations(fine).slip_speed, 0.1);
  // power balance at the end: d/dt (½ m v² + ½ ω·L + m g z) = −μ N |c|
  const auto energy = [](const WheelState& s) {
    return 0.5 * (s[6] * s[6] + s[7] * s[7] + s[8] * s[8]) +
           0.5 * (0.3 * s[9] * s[9] + 0.6 * s[10] * s[10] + 0.3 * s[11] * s[11]) + 9.81 * s[2];
  };
  const double dt = 1e-3;
  const WheelState before = IntegrateWheel(kSliding - dt, 4000), after = IntegrateWheel(kSliding + dt, 4000);
  const auto rates = WheelEquations(fine);
  EXPECT_NEAR((energy(after) - energy(before)) / (2 * dt), -0.3 * rates.normal_force * rates.slip_speed, 1e-4);
}

// Differences of the simulation's coordinates and velocities from the equations' at the end of the sliding.
std::array<double, 12> ErrorsAtTheEnd(const std::string& law, const std::string& step) {
  Simulation simulation = Simulation(ReadScene(FindScene("wheel"), {{"law", law}, {"stepper.step", step}}));
  const long steps = std::lround(kSliding / simulation.step());
  for (long k = 0; k < steps; ++k) simulation.Step();
  static const WheelState exact = IntegrateWheel(kSliding, 9500);
  const auto rates = WheelEquations(exact);
  const double v[6] = {exact[6], exact[7], exact[8], rates.psi_rate, rates.theta_rate, rates.phi_rate};
  std::array<double, 12> errors;
  for (int i = 0; i < 6; ++i) {
    errors[i] = simulation.state().q[i] - exact[i];
    errors[6 + i] = simulation.state().v[i] - v[i];
  }
  return errors;
}

TEST(WheelConvergence, ExactCoulombMeetsTheEquationsOfMotion) {
  const auto coarse = ErrorsAtTheEnd("coulomb", "1e-4"), fine = ErrorsAtTheEnd("coulomb", "1e-5");
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE("coordinate or velocity " + std::to_string(i));
    EXPECT_LE(std::abs(fine[i]), 4e-4);
    EXPECT_LE(std::abs(coarse[i]), 4e-3);
    // first order: ten times the step, ten times the error
    EXPECT_NEAR(coarse[i] / fine[i], 10, 0.5);
  }
}

// The regularized law slides like Coulomb, so it meets the same equations.
TEST(WheelConvergence, RegularizedMeetsTheEquationsOfMotion) {
  for (const char* law : {"regularized", "{name: regularized, bounds: iterated}", "liang"}) {
    SCOPED_TRACE(law);
    const auto errors = ErrorsAtTheEnd(law, "1e-4");
    for (int i = 0; i < 12; ++i) EXPECT_LE(std::abs(errors[i]), 4e-3) << i;
  }
  // box does not, however small the step
  double largest = 0;
  for (double error : ErrorsAtTheEnd("box", "1e-4")) largest = std::max(largest, std::abs(error));
  EXPECT_GT(largest, 0.05);
}

// Over the whole run, stick phase included, halving the step halves the error.
TEST(WheelConvergence, RegularizedIsOfFirstOrder) {
  const double every = 2e-3;
  const Trajectory reference = RunWheel("wheel", {{"law", "coulomb"}, {"stepper.step", "2e-5"}}, every).trajectory;
  for (const char* law : {"regularized", "{name: regularized, bounds: iterated}"}) {
    SCOPED_TRACE(law);
    double last = 0;
    for (const char* step : {"2e-3", "1e-3", "5e-4", "2.5e-4"}) {
      const Trajectory run = RunWheel("wheel", {{"law", law}, {"stepper.step", step}}, every).trajectory;
      ASSERT_EQ(run.size(), reference.size());
      const double error = LargestDistance(run, reference, 5);
      if (last > 0) {
        EXPECT_GT(last / error, 1.6) << step;
        EXPECT_LT(last / error, 2.4) << step;
      }
      last = error;
    }
    EXPECT_LT(last, 0.02);
  }
}

// kT = 1e10 N/m gives each tangential row the compliance 1/(h² kT) = 1e-4 1/kg beside its Delassus entry of about 2
// 1/kg. The force is carried over from step to step, so a bristle creeps by no more than its deflection μλN/kT, 3e-10
// m.
TEST(WheelConvergence, StiffBristleIsTheRigidLimit) {
  for (const char* law : {"regularized", "liang", "bristle"}) {
    SCOPED_TRACE(law);
    const Trajectory stiff = RunWheel("wheel", {{"law", law}}, 1e-3).trajectory;
    const Trajectory rigid =
        RunWheel("wheel", {{"law", law}, {"materials.rubber.tangential_stiffness", ".inf"}}, 1e-3).trajectory;
    EXPECT_LE(LargestDistance(stiff, rigid, 5), 1e-6);
    const Trajectory soft =
        RunWheel("wheel", {{"law", law}, {"materials.rubber.tangential_stiffness", "1e4"}}, 1e-3).trajectory;
    EXPECT_GT(LargestDistance(soft, rigid, 5), 1e-5);
  }
}

}  // namespace
}  // namespace slipstick::internal
