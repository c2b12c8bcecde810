#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/physics/every_law.h"
#include "tests/physics/scene_runs.h"

// Springs, servos and motors, theory (T4e), against closed forms.

namespace slipstick::internal {
namespace {

// A rotor of 2 kg m² about an upright axis: nothing but its joint acts on it.
Simulation Rotor(const std::string& joint, const std::string& drive, double step = 1e-3,
                 const std::string& law = "coulomb") {
  const std::string text =
      "format: slipstick-scene 1\n"
      "bodies: [{name: rotor, mass: 1, inertia: [2, 2, 2]}]\n"
      "joints: [{name: shaft, type: revolute, child: rotor" +
      joint +
      "}]\n"
      "drives: [{name: drive, joint: shaft, " +
      drive +
      "}]\n"
      "law: " +
      law + "\nstepper: {step: " + Text(step) + ", duration: 1}\n";
  return Simulation(ReadSceneText(text, "rotor.yaml"));
}

// I q̈ + d q̇ + k q = 0: order one, and at steps of many periods still a decay.
TEST(Drives, ASpringWithADamperOscillates) {
  const double k = 8, d = 1.6, start = 0.5;
  const double decay = d / 4, frequency = std::sqrt(k / 2 - decay * decay);
  const auto exact = [&](double t) {
    return start * std::exp(-decay * t) * (std::cos(frequency * t) + decay / frequency * std::sin(frequency * t));
  };
  double errors[3];
  int n = 0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Simulation rotor = Rotor(", position: 0.5", "type: spring, stiffness: 8, damping: 1.6", h);
    RunUntil(2, &rotor);
    errors[n++] = std::abs(rotor.state().q[0] - exact(2));
  }
  ExpectOrderTwo(errors[0], errors[1], errors[2], "angle of a damped oscillator");
  EXPECT_LT(errors[2], 2e-3);
}

// At a limit a stiff servo asks for the opposite limit, and there for this one: it must find what lies between, and
// comes to rest where it should.
TEST(Drives, StiffServosWithLittleEffortSettle) {
  for (const double h : {1e-3, 1e-2}) {
    Simulation rotor = Rotor("", "type: servo, stiffness: 1e6, damping: 0, position: 0.003, effort: 10", h);
    RunUntil(0.5, &rotor);
    if (h < 1e-2) continue;  // a step that resolves its oscillation does not damp it
    EXPECT_NEAR(rotor.state().q[0], 0.003, 1e-12);
    EXPECT_NEAR(rotor.state().v[0], 0, 1e-12);
  }
}

// Stiff beyond all measure, steps of a tenth of a second: the joint is where it should be at the end of the first step.
TEST(Drives, NoGainIsTooLarge) {
  Simulation spring = Rotor(", position: 0.5, velocity: 3", "type: spring, stiffness: 1e12, damping: 1e3", 0.1);
  double largest = 0.5;
  RunUntil(2, &spring, [&](const Simulation& s) {
    EXPECT_LE(std::abs(s.state().q[0]), largest * (1 + 1e-9));
    largest = std::max(std::abs(s.state().q[0]), 1e-9);
  });
  EXPECT_LT(std::abs(spring.state().q[0]), 1e-9);
  Simulation servo = Rotor(", position: 0", "type: servo, stiffness: 1e12, damping: 0, position: sin(3*t)", 0.1);
  // it is where it should be in the middle of each step, so that at its ends it is the mean of two middles
  RunUntil(2, &servo, [&](const Simulation& s) {
    const double t = s.state().time;
    if (t > 0.15) EXPECT_NEAR(s.state().q[0], 0.5 * (std::sin(3 * (t - 0.05)) + std::sin(3 * (t + 0.05))), 1e-9);
  });
}

class DrivesOfLaws : public ::testing::TestWithParam<const char*> {};

// Far from its target a servo of 1 N m turns 2 kg m² with 0.5 rad/s², then comes to the target and holds it.
TEST_P(DrivesOfLaws, AServoSaturates) {
  Simulation rotor = Rotor("", "type: servo, stiffness: 100, damping: 100, position: 1, effort: 1", 1e-3, GetParam());
  RunUntil(0.5, &rotor);
  EXPECT_NEAR(rotor.state().v[0], 0.25, 1e-9);
  RunUntil(12, &rotor);
  EXPECT_NEAR(rotor.state().q[0], 1, 1e-3);
  EXPECT_NEAR(rotor.state().v[0], 0, 1e-3);
}

// A motor of 3 N m takes 2 kg m² to 2 rad/s in 4/3 s, and holds that against friction of up to its effort.
TEST_P(DrivesOfLaws, AMotorReachesItsSpeed) {
  Simulation rotor = Rotor(", friction: 1", "type: motor, velocity: 2, effort: 4", 1e-3, GetParam());
  RunUntil(1, &rotor);
  EXPECT_NEAR(rotor.state().v[0], 1.5, 1e-9);
  RunUntil(2, &rotor);
  EXPECT_NEAR(rotor.state().v[0], 2, 1e-9);
  // friction takes 1 N m on the way, the motor has given it and the kinetic energy
  const EnergyAccount& energy = rotor.energy();
  EXPECT_NEAR(energy.work.bounded, -rotor.state().q[0], 3e-3);
  EXPECT_NEAR(energy.work.drives, rotor.state().q[0] + 0.5 * 2 * 4, 3e-3);
  EXPECT_NEAR(energy.remainder, 0, 1e-9);
  Simulation weak = Rotor(", friction: 1", "type: motor, velocity: 2, effort: 0.99", 1e-3, GetParam());
  RunUntil(1, &weak);
  EXPECT_EQ(weak.state().v[0], 0);
}

INSTANTIATE_TEST_SUITE_P(Every, DrivesOfLaws, EveryLaw(), LawTestName);

// What a spring takes from the motion is ½kq²; with v̄ the account is exact but for what an implicit step damps.
TEST(Drives, TheirWorkIsAccounted) {
  Simulation rotor = Rotor(", velocity: 1", "type: spring, stiffness: 8", 1e-4);
  RunUntil(M_PI / 4, &rotor);  // a quarter of the period
  const double k = 8, q = rotor.state().q[0];
  EXPECT_NEAR(rotor.energy().work.drives, -0.5 * k * q * q, 1e-3);
  EXPECT_NEAR(rotor.energy().remainder, 0, 1e-12);
  EXPECT_EQ(rotor.energy().work.bounded, 0);
}

// Lifting T with a worm: the motor does T (r₁/r₂) tan(γ + φ), whether that be little or much.
TEST(Drives, AMotorLiftsByAWorm) {
  for (const double friction : {0.0, 0.05, 0.3}) {
    Simulation gear = Load("worm-gear", {{"constraints.teeth.friction", Text(friction)},
                                         {"drives", "[{joint: worm-shaft, type: motor, velocity: -10}]"}});
    RunUntil(0.05, &gear);
    const double lead = 5 * M_PI / 180;
    const StepRecord& record = gear.last_step();
    const Eigen::Index motor = record.solution.bounded.size() - 1;
    EXPECT_NEAR(record.solution.bounded[motor] / record.problem.step,
                -5 * 0.02 / 0.1 * std::tan(lead + std::atan(friction)), 1e-9)
        << friction;
  }
}

// Sixteen joints of an arm with servos of small and large limits, thrown at: every step finds which are at their
// limits.
TEST(Drives, ManyDrivesReachTheirLimits) {
  std::string bodies, joints, drives;
  for (int i = 0; i < 16; ++i) {
    const std::string n = std::to_string(i);
    bodies += "  - {name: link" + n + ", mass: 1, inertia: [0.02, 0.02, 0.02], com: [0, 0, -0.1]}\n";
    joints += "  - {name: joint" + n + ", type: revolute, child: link" + n +
              (i > 0 ? ", parent: link" + std::to_string(i - 1) + ", parent_frame: {position: [0, 0, -0.2]}" : "") +
              ", axis: [" + (i % 2 == 0 ? "1, 0, 0" : "0, 1, 0") + "], effort_limit: " + std::to_string(1 + i % 5) +
              "}\n";
    drives += "  - {joint: joint" + n + ", type: servo, stiffness: 500, damping: 2, position: \"0.8*sin(" +
              std::to_string(2 + i % 7) + "*t)\"}\n";
  }
  Simulation arm = Simulation(ReadSceneText("format: slipstick-scene 1\nbodies:\n" + bodies + "joints:\n" + joints +
                                                "drives:\n" + drives + "stepper: {step: 0.005, duration: 1}\n",
                                            "arm.yaml"));
  long changes = 0;
  std::vector<DriveMode> before = arm.state().drive_modes;
  RunUntil(2, &arm, [&](const Simulation& s) {
    const std::vector<DriveMode> now = s.state().drive_modes;
    for (std::size_t i = 0; i < now.size(); ++i) changes += now[i] != before[i];
    before = now;
  });
  EXPECT_GT(changes, 50);
}

TEST(Drives, FaultsAreNamed) {
  const auto fault = [&](const std::string& drive, const std::string& stepper = "time-stepping") -> std::string {
    try {
      Simulation(
          ReadSceneText("format: slipstick-scene 1\n"
                        "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, "
                        "{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                        "joints: [{name: j, type: revolute, child: a}]\n"
                        "drives: [{" +
                            drive + "}]\nstepper: " + stepper + "\n",
                        "faults.yaml"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(fault("joint: k, type: motor, velocity: 1"), HasSubstr("'k'"));
  EXPECT_THAT(fault("joint: b, type: motor, velocity: 1"), HasSubstr("quaternion"));
  EXPECT_THAT(fault("joint: j, type: motor"), HasSubstr("velocity"));
  EXPECT_THAT(fault("joint: j, type: servo, position: 1"), HasSubstr("stiffness or damping"));
  EXPECT_THAT(fault("joint: j, type: servo, stiffness: -1"), HasSubstr("stiffness"));
  EXPECT_THAT(fault("joint: j, type: spring, stiffness: 1, velocity: 2"), HasSubstr("velocity"));
  EXPECT_THAT(fault("joint: j, type: winch"), HasSubstr("spring, servo, motor"));
  EXPECT_THAT(fault("joint: j, type: servo, stiffness: 1, effort: -2"), HasSubstr("effort"));
  EXPECT_THAT(fault("joint: j, type: motor, velocity: 1", "event-driven"), HasSubstr("motor"));
}

// A force that is not a number ends the run with a verdict, as everywhere.
TEST(Drives, ATargetThatEndsFailsTheStep) {
  Simulation rotor = Rotor("", "type: servo, stiffness: 1, position: sqrt(0.01-t)");
  for (int k = 0; k < 12; ++k) rotor.Step();
  EXPECT_FALSE(rotor.last_step().certificate.passed);
  EXPECT_TRUE(rotor.state().q.allFinite());
}

}  // namespace
}  // namespace slipstick::internal
