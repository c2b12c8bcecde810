#include <gtest/gtest.h>

#include <cmath>

#include "tests/physics/every_law.h"
#include "tests/physics/scene_runs.h"

// Friction and stops of joints, theory (T4c), against closed forms.

namespace slipstick::internal {
namespace {

// A rotor of 2 kg m² about an upright axis: nothing but its joint acts on it.
Simulation Rotor(const std::string& joint, double step = 1e-3, const std::string& law = "coulomb") {
  const std::string text =
      "format: slipstick-scene 1\n"
      "bodies: [{name: rotor, mass: 1, inertia: [2, 2, 2]}]\n"
      "joints: [{name: shaft, type: revolute, child: rotor, " +
      joint +
      "}]\n"
      "law: " +
      law + "\nstepper: {step: " + Text(step) + ", duration: 1}\n";
  return Simulation(ReadSceneText(text, "rotor.yaml"));
}

// 1 kg at 0.5 m from a level axis.
Simulation Pendulum(const std::string& joint, const std::string& law = "coulomb") {
  const std::string text =
      "format: slipstick-scene 1\ngravity: [0, 0, -10]\n"
      "bodies: [{name: bob, mass: 1, inertia: [1e-3, 1e-3, 1e-3], com: [0, 0, -0.5]}]\n"
      "joints: [{name: hinge, type: revolute, child: bob, axis: [0, 1, 0], " +
      joint +
      "}]\n"
      "law: " +
      law + "\nstepper: {step: 0.001, duration: 1}\n";
  return Simulation(ReadSceneText(text, "pendulum.yaml"));
}

// v̇ = −(c/I) v: first order in the step.
TEST(JointResistance, ViscousFrictionDecaysExponentially) {
  double before = 0;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    Simulation rotor = Rotor("velocity: 3, viscous_friction: 4", h);
    RunUntil(1, &rotor);
    const double error = std::abs(rotor.state().v[0] - 3 * std::exp(-2.0));
    EXPECT_LT(error, 3 * h * h);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.02);
    }
    before = error;
  }
}

// A limit far above what stops the rotor in one step: it stops, and is not thrown back.
TEST(JointResistance, NoStepIsTooLarge) {
  Simulation rotor = Rotor("velocity: 3, friction: 100, viscous_friction: 1e4", 0.1);
  rotor.Step();
  EXPECT_EQ(rotor.state().v[0], 0);
  RunUntil(1, &rotor);
  EXPECT_EQ(rotor.state().v[0], 0);
}

// v₀ = 3, dry and viscous: v = (v₀ + τ/c) e^(−ct/I) − τ/c until it stops at t = (I/c) ln(1 + c v₀/τ).
TEST(JointResistance, DryAndViscousTogether) {
  const double stop = 2 / 4.0 * std::log(1 + 4 * 3 / 5.0);
  Simulation rotor = Rotor("velocity: 3, friction: 5, viscous_friction: 4", 1e-4);
  double last = 0;
  RunUntil(1, &rotor, [&](const Simulation& s) {
    if (s.state().v[0] != 0) last = s.state().time;
  });
  EXPECT_NEAR(last, stop, 5e-4);
}

// At 30° the weight turns with 2.5 N m: held by static friction, though sliding friction would not do.
TEST(JointResistance, StaticFrictionHolds) {
  const std::string joint = "position: 30*deg, friction: 1, static_friction: 2.6";
  Simulation held = Pendulum(joint);
  const double start = held.state().q[0];
  RunUntil(1, &held);
  EXPECT_EQ(held.state().q[0], start);
  Simulation falls = Pendulum("position: 30*deg, friction: 1, static_friction: 2.4");
  falls.Step();
  EXPECT_NEAR(falls.state().v[0], -1e-3 * (2.5 - 2.4) / 0.251, 1e-9);
  // moving, with what sliding friction leaves
  falls.Step();
  falls.Step();
  const double before = falls.state().v[0];
  falls.Step();
  EXPECT_NEAR((falls.state().v[0] - before) / 1e-3, -(2.5 - 1) / 0.251, 1e-3);
}

class StopsOfLaws : public ::testing::TestWithParam<const char*> {};

// Falls onto a stop at −20° and stays, the stop carrying what the weight asks for: 10 · 0.5 sin 20° N m.
TEST_P(StopsOfLaws, APendulumLeansOnItsStop) {
  Simulation pendulum = Pendulum("position: 60*deg, limits: [20*deg, 90*deg]", GetParam());
  const double stop = M_PI / 9;
  double least = 10;
  RunUntil(2, &pendulum, [&](const Simulation& s) { least = std::min(least, s.state().q[0]); });
  EXPECT_GT(least, stop - 1e-9);
  EXPECT_NEAR(pendulum.state().q[0], stop, 1e-9);
  EXPECT_NEAR(pendulum.state().v[0], 0, 1e-9);
  const StepRecord& record = pendulum.last_step();
  ASSERT_EQ(record.solution.bounded.size(), 1);
  EXPECT_NEAR(record.solution.bounded[0] / 1e-3, 5 * std::sin(stop), 1e-6);
}

// The upper one, reached by its velocity alone; then it stays, since stops do not bounce.
TEST_P(StopsOfLaws, ARotorRunsIntoItsStop) {
  Simulation rotor = Rotor("velocity: 3, limits: [-1, 0.7]", 1e-3, GetParam());
  double most = 0;
  RunUntil(1, &rotor, [&](const Simulation& s) { most = std::max(most, s.state().q[0]); });
  EXPECT_NEAR(most, 0.7, 1e-9);
  EXPECT_NEAR(rotor.state().q[0], 0.7, 1e-9);
  EXPECT_NEAR(rotor.state().v[0], 0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Every, StopsOfLaws, EveryLaw(), LawTestName);

TEST(JointResistance, FaultsAreNamed) {
  for (const char* joint : {"friction: 2, static_friction: 1", "viscous_friction: -1", "limits: [1, -1]",
                            "limits: [1, 2]", "limits: [0]"}) {
    EXPECT_THROW(Rotor(joint), InputError) << joint;
  }
  EXPECT_THROW(ReadSceneText("format: slipstick-scene 1\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                             "joints: [{name: j, type: planar, child: b, limits: [0, 1]}]\n",
                             "planar.yaml"),
               InputError);
}

// The arm of figure 8 at a step of 10 ms: held by friction, every joint to the last bit.
TEST(JointResistance, TheArmRests) {
  const Scene plain = ReadScene(FindScene("arm"));
  Overrides overrides = {{"stepper.step", "0.01"}};
  for (const SceneJoint& joint : plain.joints) {
    overrides.push_back({"joints." + joint.name + ".friction", "5"});
    overrides.push_back({"joints." + joint.name + ".viscous_friction", "0"});
  }
  ASSERT_EQ(overrides.size(), 17u);
  Simulation arm = Load("arm", overrides);
  const VecX start = arm.state().q;
  RunUntil(1, &arm);
  EXPECT_EQ(arm.state().q, start);
}

// What pushes need not be in a joint's own motion: a ball that comes, a motor, another joint. The slider has 1 mm left
// and stops there, plastically.
TEST_P(StopsOfLaws, NothingIsPushedThroughAStop) {
  const std::string slider =
      "format: slipstick-scene 1\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: slider, mass: 1, shapes: [{type: sphere, radius: 0.1}]}\n"
      "  - {name: other, mass: 1, position: [-0.25, 0, 0], velocity: [5, 0, 0], shapes: [{type: sphere, radius: "
      "0.1}]}\n";
  const std::string stop = "{name: j, type: prismatic, child: slider, axis: [1, 0, 0], limits: [-0.1, 0.001]}";
  // its interior points do not come to the end of a larger one
  const char* effort = std::string(GetParam()) == "max-dissipation" ? "50" : "1e6";
  const std::string pushes[] = {
      "joints: [" + stop + "]\n",
      "joints: [" + stop + "]\ndrives: [{name: m, joint: j, type: motor, velocity: 20, effort: " + std::string(effort) +
          "}]\n",
      "joints: [" + stop +
          ", {name: k, type: prismatic, child: other, axis: [1, 0, 0], parent_frame: {position: [-1, 0, 0]}}]\n"
          "constraints: [{type: coupling, coordinates: [{joint: j, ratio: 1}, {joint: k, ratio: -1}]}]\n"
          "forces: [{joint: k, effort: 100}]\n"};
  const std::string law = GetParam();
  for (const std::string& push : pushes) {
    for (const double step : {1e-3, 1e-2}) {
      SCOPED_TRACE(push);
      std::string bodies = slider;
      if (push.find("{name: k") != std::string::npos) {
        bodies.erase(bodies.find(", position: [-0.25, 0, 0], velocity: [5, 0, 0]"), 46);
      }
      const std::string text = bodies + push + "law: " + law + "\nstepper: {step: " + Text(step) + ", duration: 1}\n";
      Simulation simulation = Simulation(ReadSceneText(text, "stop.yaml"));
      double most = 0;
      RunUntil(0.3, &simulation, [&](const Simulation& s) { most = std::max(most, s.state().q[0]); });
      EXPECT_NEAR(most, 0.001, 1e-9);
      EXPECT_NEAR(simulation.state().q[0], 0.001, 1e-9);
    }
  }
}

// A platform with a box on it sinks to its stop and stays; a motor of any effort carries a box along.
TEST_P(StopsOfLaws, StopsAndMotorsWithoutLimitBesideContacts) {
  const auto scene = [](const std::string& joint, const std::string& more, const std::string& law) {
    return Simulation(
        ReadSceneText("format: slipstick-scene 1\nmaterials: [{name: default, friction: 0.5}]\nbodies:\n"
                      "  - {name: platform, mass: 1, shapes: [{type: box, size: [2, 1, 0.1]}]}\n"
                      "  - {name: box, mass: 1, position: [0, 0, 0.1], shapes: [{type: box, size: [0.1, 0.1, 0.1]}]}\n"
                      "joints: [{name: j, type: prismatic, child: platform, " +
                          joint + "}]\n" + more + "law: " + law + "\nstepper: {step: 0.001, duration: 1}\n",
                      "platform.yaml"));
  };
  Simulation sinking = scene("axis: [0, 0, 1], limits: [-0.2, 0.2]", "", GetParam());
  RunUntil(0.4, &sinking);
  EXPECT_NEAR(sinking.state().q[0], -0.2, 1e-6);
  Simulation carried =
      scene("axis: [1, 0, 0]", "drives: [{name: m, joint: j, type: motor, velocity: 2*t}]\n", GetParam());
  RunUntil(0.3, &carried);
  EXPECT_NEAR(carried.state().v[0], 0.6, 1e-9);
  EXPECT_NEAR(carried.kinematics().linear_velocity[1].x(), 0.6, 1e-4);
}

}  // namespace
}  // namespace slipstick::internal
