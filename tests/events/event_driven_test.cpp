#include <algorithm>
#include <numbers>

#include "tests/physics/scene_runs.h"

// Stepper event-driven against closed forms: times of impacts and of stick and slip, Housner's block, mechanisms.

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

std::vector<MotionEvent> EventsOf(const Simulation& simulation, EventKind kind, const std::string& body) {
  std::vector<MotionEvent> chosen;
  for (const MotionEvent& event : simulation.events()->listed) {
    if (event.kind == kind && (event.body_a == body || event.body_b == body)) chosen.push_back(event);
  }
  return chosen;
}

Simulation LoadEvents(const std::string& scene, Overrides overrides = {}) {
  overrides.insert(overrides.begin(), {"stepper.name", "event-driven"});
  return Load(scene, overrides);
}

class BouncingBallTest : public ::testing::TestWithParam<std::pair<const char*, double>> {};

// t_k = t₀ (1 + 2 Σ e^j), at rest after t₀ (1 + e)/(1 − e)
TEST_P(BouncingBallTest, TwentyImpactsAndRest) {
  const auto& [law, e] = GetParam();
  Simulation simulation =
      LoadEvents("bouncing-ball", {{"law", law}, {"materials.wood.restitution", Text(e)}, {"stepper.step", "0.01"}});
  const double first = std::sqrt(2 / kG), rest = first * (1 + e) / (1 - e);
  RunUntil(std::ceil(rest * 10) / 10, &simulation);
  const std::vector<MotionEvent> impacts = EventsOf(simulation, EventKind::kImpact, "wood");
  ASSERT_GE(impacts.size(), 20u);
  double time = first;
  for (int k = 0; k < 20; ++k) {
    EXPECT_NEAR(impacts[k].time, time, 1e-8) << "impact " << k + 1;
    EXPECT_NEAR(impacts[k].speed, kG * first * std::pow(e, k), 1e-8);
    time += 2 * first * std::pow(e, k + 1);
  }
  const std::vector<MotionEvent> ends = EventsOf(simulation, EventKind::kAccumulation, "wood");
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_NEAR(ends[0].time, rest, 1e-6);
  const State& state = simulation.state();
  EXPECT_TRUE(state.v.segment<6>(6).isZero(0)) << state.v.transpose();
  EXPECT_NEAR(simulation.kinematics().X_WB[1].position.z(), 0.1, 1e-12);
  EXPECT_NEAR(simulation.energy().remainder, 0, 1e-8);
  EXPECT_LE(simulation.energy().work.normal, 0);
}
INSTANTIATE_TEST_SUITE_P(Laws, BouncingBallTest,
                         ::testing::Values(std::pair("coulomb", 0.5), std::pair("coulomb", 0.8),
                                           std::pair("max-dissipation", 0.5), std::pair("max-dissipation", 0.8)));

TEST(EventDrivenTest, BallsOfClayAndSteel) {
  Simulation simulation = LoadEvents("bouncing-ball", {{"stepper.step", "0.01"}});
  RunUntil(3, &simulation);
  const double first = std::sqrt(2 / kG);
  const auto clay = EventsOf(simulation, EventKind::kImpact, "clay");
  ASSERT_EQ(clay.size(), 1u);
  EXPECT_NEAR(clay[0].time, first, 1e-9);
  EXPECT_TRUE(simulation.state().v.head<6>().isZero(0));
  const auto steel = EventsOf(simulation, EventKind::kImpact, "steel");
  ASSERT_EQ(steel.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(steel[k].time, (2 * k + 1) * first, 1e-8);
}

// 6 m/s on μ = 0.5: at rest after v/(μg) and v²/(2μg), and there to the bit
TEST(EventDrivenTest, SlidingCubeStops) {
  for (const char* law : {"coulomb", "max-dissipation"}) {
    SCOPED_TRACE(law);
    Simulation simulation = LoadEvents("cube-launch", {{"law", law}});
    RunUntil(1.3, &simulation);
    const auto stops = EventsOf(simulation, EventKind::kStick, "cube");
    ASSERT_EQ(stops.size(), 1u);
    EXPECT_NEAR(stops[0].time, 6 / (0.5 * kG), 1e-9);
    EXPECT_EQ(stops[0].contacts, 4);
    EXPECT_NEAR(simulation.kinematics().X_WB[0].position.x(), 18 / (0.5 * kG), 1e-9);
    const VecX q = simulation.state().q;
    RunUntil(1.5, &simulation);
    EXPECT_EQ(simulation.state().q, q);
    EXPECT_TRUE(simulation.state().v.isZero(0));
    EXPECT_NEAR(simulation.energy().work.friction, -36, 1e-8);
    EXPECT_NEAR(simulation.energy().remainder, 0, 1e-8);
  }
}

// F sin(ωt) on a block: it slips where that reaches μ_s m g, moves under F sin(ωt) − μ_k m g, and sticks where its
// velocity is zero again.
TEST(EventDrivenTest, StickAndSlipUnderAnOscillatingForce) {
  const double m = 2.5, force = 15, omega = 4, still = 0.5, moving = 0.35;
  Simulation simulation = LoadEvents("cube-push", {{"materials.wood.friction", Text(still)},
                                                   {"materials.wood.friction_kinetic", Text(moving)},
                                                   {"forces.push.force", "[15*sin(4*t), 0, 0]"},
                                                   {"forces.push.point", "[0, 0, 0]"}});
  const double slip = std::asin(still * m * kG / force) / omega;
  const auto velocity = [&](double t) {
    return force / (m * omega) * (std::cos(omega * slip) - std::cos(omega * t)) - moving * kG * (t - slip);
  };
  double low = slip + 0.05, high = slip + 0.8;  // where the velocity is zero
  ASSERT_GT(velocity(low), 0);
  ASSERT_LT(velocity(high), 0);
  for (int k = 0; k < 100; ++k) (velocity(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  RunUntil(1.0, &simulation);
  const auto slips = EventsOf(simulation, EventKind::kSlip, "cube");
  const auto sticks = EventsOf(simulation, EventKind::kStick, "cube");
  ASSERT_GE(slips.size(), 1u);
  EXPECT_NEAR(slips[0].time, slip, 1e-8);
  ASSERT_GE(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0].time, low, 1e-8);
}

// A block that rocks about its lower edges: I₀ θ̈ = −m g R sin(α − θ) between impacts, I₀ = 4/3 m R², and each impact
// leaves 1 − 3/2 sin²α of the angular velocity (Housner 1963).
TEST(EventDrivenTest, RockingBlockIsHousners) {
  Simulation simulation = LoadEvents("rocking-block");
  const double alpha = std::atan(0.25), radius = std::hypot(0.1, 0.4), start = 0.5 * alpha;
  // quarter of a period: time to fall from rest at `amplitude` to θ = 0, and the rate there
  const auto fall = [&](double amplitude) {
    struct Fall {
      double time, rate;
    } result{};
    const auto rate = [&](const Vec2& y) { return Vec2(y[1], -0.75 * kG / radius * std::sin(alpha - y[0])); };
    Vec2 y(amplitude, 0);
    double h = 1e-4;
    while (h > 1e-14) {
      const Vec2 next = RungeKutta(rate, y, h, 1);
      if (next[0] < 0) {
        h *= 0.5;
        continue;
      }
      y = next;
      result.time += h;
    }
    result.rate = -y[1];
    return result;
  };
  const double kept = 1 - 1.5 * std::pow(std::sin(alpha), 2);
  const auto first = fall(start);
  RunUntil(6, &simulation);
  const auto impacts = EventsOf(simulation, EventKind::kImpact, "block");
  ASSERT_GE(impacts.size(), 5u);
  EXPECT_NEAR(impacts[0].time, first.time, 1e-8);
  // the speed of an edge is 2b times the angular velocity
  EXPECT_NEAR(impacts[0].speed, 0.2 * first.rate, 1e-8);
  EXPECT_NEAR(impacts[1].speed / impacts[0].speed, kept, 1e-8);
  EXPECT_NEAR(impacts[2].speed / impacts[1].speed, kept, 1e-8);
  // T = (4/p) acosh(1/(1 − θ₀/α)) holds for slender blocks, sin(α − θ) ≈ α − θ: here within α²/6
  const double p = std::sqrt(0.75 * kG / radius);
  EXPECT_NEAR(4 * impacts[0].time, 4 / p * std::acosh(1 / (1 - start / alpha)), alpha * alpha / 6 * 4 * first.time);
  EXPECT_EQ(EventsOf(simulation, EventKind::kAccumulation, "block").size(), 1u);
  EXPECT_TRUE(simulation.state().v.isZero(0)) << simulation.state().v.transpose();
  EXPECT_NEAR(simulation.energy().remainder, 0, 1e-7 * 400);
}

}  // namespace
}  // namespace slipstick::internal
