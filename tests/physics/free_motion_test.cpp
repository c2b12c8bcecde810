#include "slipstick/base/rotation.h"
#include "slipstick/model/dynamics.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

// Largest error of the energy, and the coordinates at the end.
struct Swing {
  double energy = 0;
  VecX q;
};

Swing SwingFor(const std::string& scene, double step, double time) {
  Simulation simulation = Load(scene, {{"stepper.step", Text(step)}});
  Swing swing;
  const double initial = simulation.energy().Total();
  RunUntil(time, &simulation,
           [&](const Simulation& s) { swing.energy = std::max(swing.energy, std::abs(s.energy().Total() - initial)); });
  swing.q = simulation.state().q;
  return swing;
}

TEST(PendulumTest, AngleAndEnergyConverge) {
  const double time = 1.3;
  const Vec2 exact =
      RungeKutta([](const Vec2& y) { return Vec2(y[1], -1.5 * kG * std::sin(y[0])); }, Vec2(M_PI / 3, 0), time, 20000);
  const Swing a = SwingFor("pendulum", 2e-3, time), b = SwingFor("pendulum", 1e-3, time),
              c = SwingFor("pendulum", 5e-4, time);
  ExpectOrderTwo(std::abs(a.q[0] - exact[0]), std::abs(b.q[0] - exact[0]), std::abs(c.q[0] - exact[0]), "angle");
  ExpectOrderTwo(a.energy, b.energy, c.energy, "energy");
  EXPECT_NEAR(c.q[0], exact[0], 2e-3);
}

TEST(DoublePendulumTest, AnglesAndEnergyConverge) {
  const double time = 1.0;
  // angles from the vertical and their rates; point masses of 1 kg on rods of 1 m
  const auto motion = [](const Vec4& y) {
    const double d = y[0] - y[1], c = std::cos(d), s = std::sin(d);
    const double f = -s * y[3] * y[3] - 2 * kG * std::sin(y[0]), g = s * y[2] * y[2] - kG * std::sin(y[1]);
    const double det = 2 - c * c;
    return Vec4(y[2], y[3], (f - c * g) / det, (2 * g - c * f) / det);
  };
  const Vec4 exact = RungeKutta(motion, Vec4(M_PI / 2, M_PI * 2 / 3, 0, 0), time, 20000);
  const Swing a = SwingFor("double-pendulum", 1e-3, time), b = SwingFor("double-pendulum", 5e-4, time),
              c = SwingFor("double-pendulum", 2.5e-4, time);
  const auto error = [&](const Swing& s) { return std::hypot(s.q[0] - exact[0], s.q[0] + s.q[1] - exact[1]); };
  ExpectOrderTwo(error(a), error(b), error(c), "angles");
  ExpectOrderTwo(a.energy, b.energy, c.energy, "energy");
  EXPECT_LT(error(c), 5e-3);
}

struct Spin {
  double energy = 0, angular_momentum = 0;   // largest errors
  double first_flip = -1, second_flip = -1;  // when the spin about the body's y changes sign
  Vec3 body_rate = Vec3::Zero();
};

Spin SpinFor(double step, double time) {
  Simulation simulation = Load("gyroscope", {{"stepper.step", Text(step)}});
  const double energy = simulation.energy().Total();
  Vec3 linear, angular, first_linear, first_angular;
  Momentum(simulation.model(), simulation.kinematics(), &first_linear, &first_angular);
  Spin spin;
  double last = 3;
  RunUntil(time, &simulation, [&](const Simulation& s) {
    Momentum(s.model(), s.kinematics(), &linear, &angular);
    EXPECT_LT((linear - first_linear).norm(), 1e-15);
    spin.energy = std::max(spin.energy, std::abs(s.energy().Total() - energy));
    spin.angular_momentum = std::max(spin.angular_momentum, (angular - first_angular).norm());
    const Vec3 rate = s.kinematics().R_WB[0].transpose() * s.kinematics().angular_velocity[0];
    if (last * rate.y() < 0) {
      const double at = s.state().time - step * rate.y() / (rate.y() - last);
      (spin.first_flip < 0 ? spin.first_flip : spin.second_flip) = at;
    }
    last = rate.y();
    spin.body_rate = rate;
  });
  return spin;
}

// Euler's equations with the moments 1, 2, 3.
Vec3 EulerRates(const Vec3& w) { return {-w[1] * w[2], w[2] * w[0], -w[0] * w[1] / 3}; }

double FlipTime(double from, double until) {
  const auto y = [](double t) { return RungeKutta(EulerRates, Vec3(0.01, 3, 0.02), t, 20000)[1]; };
  const double sign = y(from);
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (from + until);
    (y(middle) * sign > 0 ? from : until) = middle;
  }
  return from;
}

// Exact, at any step: nothing is left to converge.
TEST(FreeBodyTest, MomentumEnergyAndMotionAreExact) {
  for (const double step : {1e-2, 1e-3}) {
    const Spin spin = SpinFor(step, 3);
    EXPECT_LT(spin.energy, 1e-11);
    EXPECT_LT(spin.angular_momentum, 1e-11);
    EXPECT_LT((spin.body_rate - RungeKutta(EulerRates, Vec3(0.01, 3, 0.02), 3.0, 20000)).norm(), 1e-9);
  }
}

TEST(FreeBodyTest, TurnsOverAboutTheIntermediateAxisWhenEulerSays) {
  const double first = FlipTime(2, 5), second = FlipTime(8, 12);
  const Spin spin = SpinFor(1e-3, 11);
  ASSERT_GT(spin.second_flip, 0);
  EXPECT_NEAR(spin.first_flip, first, 1e-6);
  EXPECT_NEAR(spin.second_flip, second, 1e-6);
}

}  // namespace
}  // namespace slipstick::internal
