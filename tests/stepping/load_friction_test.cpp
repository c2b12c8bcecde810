#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/assembly/joint_loads.h"
#include "tests/physics/scene_runs.h"

// Friction that depends on what a joint carries, theory (T4d), against closed forms.

namespace slipstick::internal {
namespace {

constexpr double kLead = 5 * M_PI / 180, kWormRadius = 0.02, kWheelRadius = 0.1, kTorque = 5;
constexpr double kWormInertia = 1e-4, kWheelInertia = 1e-2;

Simulation WormGear(double friction, Overrides overrides = {}) {
  overrides.insert(overrides.begin(), {"constraints.teeth.friction", Text(friction)});
  return Load("worm-gear", overrides);
}

class WormGearOfLaws : public ::testing::TestWithParam<const char*> {};

// φ > γ: the worm cannot be driven from the wheel. With the least more friction than tan γ not even by rounding.
TEST_P(WormGearOfLaws, LocksJustAboveTheLeadAngle) {
  Simulation gear = WormGear(1.001 * std::tan(kLead), {{"law", GetParam()}});
  RunUntil(0.2, &gear);
  EXPECT_EQ(gear.state().q, VecX::Zero(2));
  // the friction in use is what holds, just within its limit
  const StepRecord& record = gear.last_step();
  const double normal = std::abs(record.solution.bilateral[0]), friction = std::abs(record.solution.bounded[0]);
  EXPECT_NEAR(friction / normal, std::tan(kLead), 1e-9);
  EXPECT_NEAR(record.problem.bounded.upper[0], 1.001 * std::tan(kLead) * normal, 1e-9 * normal);
}

// φ < γ: it turns, with T/(I₂ + I₁ (r₂/r₁)² cot γ cot(γ − φ)).
TEST_P(WormGearOfLaws, TurnsJustBelowTheLeadAngle) {
  for (const double share : {0.0, 0.5, 0.99, 0.999}) {
    const double friction = share * std::tan(kLead), angle = std::atan(friction);
    Simulation gear = WormGear(friction, {{"law", GetParam()}});
    RunUntil(0.2, &gear);
    const double ratio = kWheelRadius / kWormRadius;
    const double expected =
        kTorque / (kWheelInertia + kWormInertia * ratio * ratio / std::tan(kLead) / std::tan(kLead - angle));
    EXPECT_NEAR(gear.state().v[1] / gear.state().time, expected, 1e-6 * expected) << share;
    EXPECT_NEAR(gear.state().v[0], ratio / std::tan(kLead) * gear.state().v[1], 1e-9 * gear.state().v[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, WormGearOfLaws,
                         ::testing::Values("coulomb", "cone", "regularized", "polygonal", "max-dissipation"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Let run backwards by its own inertia with more friction than the lead allows, the worm comes to rest and stays.
TEST(LoadFriction, ARunningWormStops) {
  const double speed = 20;
  Simulation gear =
      WormGear(0.2, {{"joints.worm-shaft.velocity", Text(speed)},
                     {"joints.wheel-shaft.velocity", Text(speed * kWormRadius / kWheelRadius * std::tan(kLead))}});
  RunUntil(0.5, &gear);
  EXPECT_EQ(gear.state().v, VecX::Zero(2));
}

// sin θ = μr/L is the steepest angle at which the weight on the pin holds the pendulum.
TEST(LoadFriction, ThePinHoldsWithinItsDeadBand) {
  const double band = std::asin(0.2 * 0.02 / 0.5);
  for (const double share : {0.2, 0.999, -0.999}) {
    Simulation held = Load("journal-bearing", {{"joints.pin.position", Text(share * band)}});
    RunUntil(0.5, &held);
    EXPECT_EQ(held.state().q[0], share * band) << share;
  }
  Simulation falls = Load("journal-bearing", {{"joints.pin.position", Text(1.001 * band)}});
  RunUntil(0.5, &falls);
  EXPECT_LT(falls.state().q[0], 1.001 * band - 1e-6);
}

// m r̈ = −g sin θ − sgn(θ̇) (μ r/L) √((g cos θ + L θ̇²)² + (…)²): the load of the motion itself, by another integrator.
TEST(LoadFriction, SwingsOnThePin) {
  constexpr double g = 9.81, L = 0.5, lever = 0.2 * 0.02, mass = 2, inertia = 1e-6;
  const double start = 1.0;
  // the first swing alone, in which θ̇ < 0: the force on the bob is m (a − g), friction τ = lever |force|
  const auto rate = [&](const Vec2& y) {
    double torque = 0, acceleration = 0;
    for (int k = 0; k < 60; ++k) {
      acceleration = (-mass * g * L * std::sin(y[0]) + torque) / (mass * L * L + inertia);
      const double along = mass * (g * std::cos(y[0]) + L * y[1] * y[1]);
      const double across = mass * (L * acceleration + g * std::sin(y[0]));
      torque = lever * std::hypot(along, across);
    }
    return Vec2(y[1], acceleration);
  };
  const Vec2 exact = RungeKutta(rate, Vec2(start, 0.0), 0.6, 20000);
  double errors[3];
  int n = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Simulation pendulum = Load("journal-bearing", {{"joints.pin.position", Text(start)}, {"stepper.step", Text(h)}});
    RunUntil(0.6, &pendulum);
    errors[n++] = std::abs(pendulum.state().q[0] - exact[0]);
  }
  ExpectOrderTwo(errors[0], errors[1], errors[2], "angle after 0.6 s");
  EXPECT_LT(errors[2], 1e-6);
}

// Small swings: the load is the weight, each swing loses 2 μr/L, and the last one ends within the dead band.
TEST(LoadFriction, SmallSwingsDecayByTheSameAngle) {
  const double loss = 2 * 0.2 * 0.02 / 0.5;
  Simulation pendulum = Load("journal-bearing", {{"stepper.step", "0.0002"}});
  std::vector<double> peaks = {0.1};
  double last = 0;
  RunUntil(8, &pendulum, [&](const Simulation& s) {
    const double v = s.state().v[0];
    if (v * last < 0) peaks.push_back(std::abs(s.state().q[0]));
    if (v != 0) last = v;
  });
  ASSERT_GE(peaks.size(), 5u);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(peaks[k - 1] - peaks[k], loss, 0.02 * loss) << k;
  EXPECT_EQ(pendulum.state().v[0], 0);
  EXPECT_LT(std::abs(std::sin(pendulum.state().q[0])), loss / 2);
}

// The same pendulum, once on a joint of the tree and once held by a loop: the same motion by two ways to the load.
TEST(LoadFriction, LoopsAndTreesAgree) {
  const std::string bearing = "bearing: {friction: 0.3, radius: 0.05, thrust_radius: 0.1, span: 0.4}";
  const auto pendulum = [&](const std::string& holding) {
    const std::string text =
        "format: slipstick-scene 1\ngravity: [1, 3, -9]\n"
        "bodies: [{name: bob, mass: 2, inertia: [0.02, 0.03, 0.025], com: [0.1, 0.05, -0.5]}]\n" +
        holding + "stepper: {step: 0.0005, duration: 1, drift_correction: 0.2}\n";
    return Simulation(ReadSceneText(text, "pendulum.yaml"));
  };
  Simulation tree = pendulum("joints: [{name: hinge, type: revolute, child: bob, axis: [0, 0, 1], " + bearing +
                             ", parent_frame: {rotation: {axis: [1, 0, 0], angle: 90*deg}}, "
                             "child_frame: {rotation: {axis: [1, 0, 0], angle: 90*deg}}}]\n");
  Simulation loop = pendulum("constraints: [{type: loop, joint: revolute, between: [bob, world], " + bearing +
                             ", frames: [{rotation: {axis: [1, 0, 0], angle: 90*deg}}, "
                             "{rotation: {axis: [1, 0, 0], angle: 90*deg}}]}]\n");
  Simulation free = pendulum("joints: [{name: hinge, type: revolute, child: bob, axis: [0, -1, 0]}]\n");
  RunUntil(0.5, &tree);
  RunUntil(0.5, &loop);
  RunUntil(0.5, &free);
  const auto turned = [](const Simulation& s) { return s.kinematics().X_WB[0].rotation; };
  EXPECT_LT(turned(tree).angularDistance(turned(loop)), 2e-4);
  EXPECT_GT(turned(tree).angularDistance(turned(free)), 0.05);
  EXPECT_NEAR(tree.energy().work.bounded, loop.energy().work.bounded, 1e-2 * std::abs(tree.energy().work.bounded));
}

// A slider on a bar, pushed at a distance e from it: with a guide of length L it jams where 2 μ e > L, however hard one
// pushes. (A drawer.)
TEST(LoadFriction, ADrawerJams) {
  const double friction = 0.2, span = 0.1;
  for (const double share : {0.98, 1.02}) {
    const double arm = share * span / (2 * friction);
    const std::string text =
        "format: slipstick-scene 1\ngravity: [0, 0, 0]\n"
        "bodies: [{name: drawer, mass: 1, inertia: [0.1, 0.1, 0.1]}]\n"
        "joints: [{name: guide, type: prismatic, child: drawer, axis: [1, 0, 0], bearing: {friction: 0.2, span: "
        "0.1}}]\n"
        "forces: [{body: drawer, force: [50, 0, 0], point: [0, " +
        Text(arm) +
        ", 0]}]\n"
        "stepper: {step: 0.001, duration: 1}\n";
    Simulation drawer = Simulation(ReadSceneText(text, "drawer.yaml"));
    RunUntil(0.2, &drawer);
    if (share > 1) {
      EXPECT_EQ(drawer.state().q[0], 0);
    } else {
      // the guide carries 2 · 50 e/L across, and rubs with μ times that
      EXPECT_NEAR(drawer.state().v[0], 0.2 * 50 * (1 - share), 1e-6);
    }
  }
}

TEST(LoadFriction, TwoBearingsShareForceAndMoment) {
  BearingFriction bearing{0.5, 0.02, 0.03, 0.2};
  const Vec3 axis(0, 0, 1);
  // a force on one of the bearings is carried by that one alone
  EXPECT_NEAR(BearingLimit(bearing, axis, Vec3(10, 0, 0), Vec3(0, 10 * 0.1, 0)), 0.5 * 0.02 * 10, 1e-12);
  // beyond it the lever lifts: at twice the half span one carries 15, the other −5
  EXPECT_NEAR(BearingLimit(bearing, axis, Vec3(10, 0, 0), Vec3(0, 10 * 0.2, 0)), 0.5 * 0.02 * 20, 1e-12);
  EXPECT_NEAR(BearingLimit(bearing, axis, Vec3(0, 0, -7), Vec3(0, 0, 3)), 0.5 * 0.03 * 7, 1e-12);
  bearing.span = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(BearingLimit(bearing, axis, Vec3(3, 4, 1), Vec3(1, 2, 3)), 0.5 * (0.02 * 5 + 0.03), 1e-12);
}

// A snapshot goes on to the bit, though the search for loads begins at those of the last step.
TEST(LoadFriction, SnapshotsGoOnToTheBit) {
  Simulation pendulum = Load("journal-bearing", {{"joints.pin.position", "1"}});
  RunUntil(0.3, &pendulum);
  const State snapshot = pendulum.state();
  RunUntil(0.5, &pendulum);
  const std::uint64_t once = pendulum.StateHash();
  Simulation other = Load("journal-bearing", {{"joints.pin.position", "1"}});
  other.SetState(snapshot);
  RunUntil(0.5, &other);
  EXPECT_EQ(other.StateHash(), once);
}

TEST(LoadFriction, FaultsAreNamed) {
  const auto read = [](const std::string& rest) {
    return Simulation(
        ReadSceneText("format: slipstick-scene 1\n"
                      "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, "
                      "{name: b, mass: 1, inertia: [1, 1, 1]}]\n" +
                          rest,
                      "faults.yaml"));
  };
  const auto fault = [&](const std::string& rest) -> std::string {
    try {
      read(rest);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(fault("joints: [{name: j, type: spherical, child: a, bearing: {friction: 1}}]\n"), HasSubstr("bearing"));
  EXPECT_THAT(fault("joints: [{name: j, type: revolute, child: a, bearing: {friction: 1}}]\n"), HasSubstr("radius"));
  EXPECT_THAT(fault("joints: [{name: j, type: prismatic, child: a, bearing: {friction: 1, radius: 1}}]\n"),
              HasSubstr("what slides has no radius"));
  EXPECT_THAT(fault("joints: [{name: j, type: revolute, child: a, bearing: {friction: -1, radius: 1}}]\n"),
              HasSubstr("friction"));
  EXPECT_THAT(fault("constraints: [{type: loop, between: [a, b], friction: 1}]\n"),
              HasSubstr("revolute or prismatic loop"));
  EXPECT_THAT(fault("joints: [{name: i, type: revolute, child: a}, {name: j, type: revolute, child: b}]\n"
                    "constraints: [{type: coupling, friction: 1, coordinates: [{joint: i, ratio: 1}, {joint: j, "
                    "ratio: 1}]}]\n"),
              HasSubstr("slide"));
  EXPECT_THAT(fault("joints: [{name: j, type: revolute, child: a, bearing: {friction: 1, radius: 1}}]\n"
                    "stepper: event-driven\n"),
              HasSubstr("bearing"));
}

}  // namespace
}  // namespace slipstick::internal
