#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/physics/scene_runs.h"

// Driven mechanisms in contact: gripper, arm on a table, walker.

namespace slipstick::internal {
namespace {

int BodyOf(const Simulation& simulation, const std::string& name) {
  const auto& bodies = simulation.model().bodies;
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const ModelBody& body) { return body.name == name; });
  EXPECT_NE(found, bodies.end());
  return static_cast<int>(found - bodies.begin());
}

Vec3 PositionOf(const Simulation& simulation, const std::string& name) {
  return simulation.kinematics().X_WB[BodyOf(simulation, name)].position;
}

constexpr double kNeeded = 9.81 / 40;  // mg/2F of the gripper

class GripperOfLaws : public ::testing::TestWithParam<const char*> {};

// Held with 1 % more friction than needed: from the pedestal's leaving on nothing but rounding in a minute.
TEST_P(GripperOfLaws, HoldsForAMinute) {
  Simulation gripper = Load("gripper", {{"law", GetParam()}, {"materials.rubber.friction", Text(1.01 * kNeeded)}});
  RunUntil(2, &gripper);
  const Vec3 before = PositionOf(gripper, "box");
  RunUntil(60, &gripper);
  EXPECT_LT((PositionOf(gripper, "box") - before).norm(), 1e-12);
  EXPECT_NEAR(before.z(), 0.05, 1e-3);
}

// With 1 % less it slides with g (1 − 0.99).
TEST_P(GripperOfLaws, DropsWithALittleLess) {
  Simulation gripper = Load("gripper", {{"law", GetParam()}, {"materials.rubber.friction", Text(0.99 * kNeeded)}});
  const int down = gripper.model().bodies[BodyOf(gripper, "box")].v_offset + 5;
  RunUntil(0.8, &gripper);
  const double speed = gripper.state().v[down];
  RunUntil(1.1, &gripper);
  EXPECT_NEAR((gripper.state().v[down] - speed) / 0.3, -0.01 * 9.81, 1e-6);
  RunUntil(3, &gripper);
  EXPECT_NEAR(PositionOf(gripper, "box").z(), -0.15, 1e-4);  // fallen on the pedestal
}

INSTANTIATE_TEST_SUITE_P(Every, GripperOfLaws, ::testing::Values("coulomb", "regularized"));

// At rest, by friction of joints and table together: what the table carries is part of the arm's weight.
TEST(Robots, TheArmRestsOnTheTable) {
  for (const char* law : {"coulomb", "regularized", "max-dissipation"}) {
    Simulation arm = Load("arm-on-table", {{"law", law}});
    RunUntil(4, &arm);
    EXPECT_LT(arm.state().v.norm(), 1e-9) << law;
    const double carried = ContactForce(arm).z();
    EXPECT_GT(std::abs(carried), 0.2) << law;
    EXPECT_LT(std::abs(carried), 1.81 * 9.81) << law;
    // the hand is on the table, whose top is at 0.55 m
    EXPECT_GT(PositionOf(arm, "hand").z(), 0.55) << law;
    EXPECT_LT(PositionOf(arm, "hand").z(), 0.7) << law;
  }
}

TEST(Robots, TheWalkerWalks) {
  Simulation walker = Load("walker");
  double least = 1, tilt = 0;
  RunUntil(0.5, &walker);
  // stands on its four feet
  EXPECT_NEAR(ContactForce(walker).z(), (4 + 4 * 0.45) * 9.81, 0.1);
  RunUntil(10, &walker, [&](const Simulation& s) {
    const Pose& trunk = s.kinematics().X_WB[BodyOf(s, "trunk")];
    least = std::min(least, trunk.position.z());
    tilt = std::max(tilt, std::acos(std::min(1.0, (trunk.rotation * Vec3::UnitZ()).z())));
  });
  EXPECT_GT(least, 0.25);
  EXPECT_LT(tilt, 0.2);
  const Vec3 way = PositionOf(walker, "trunk");
  EXPECT_GT(way.x(), 3);
  EXPECT_LT(std::abs(way.y()), 1);
}

// Flat pads touch at four points each, whose forces are not unique: a box that two motors press on rests, from the
// first step on and to the last bit, where μ is a hundredth above mg/2F, and falls where it is a hundredth below.
TEST(GripperTest, FlatPadsHoldWhatFrictionCan) {
  constexpr double kMass = 1.7, kForce = 33, kNeeded = kMass * 9.81 / (2 * kForce);
  const auto grip = [&](const std::string& law, double friction, double step) {
    return Simulation(ReadSceneText(
        "format: slipstick-scene 1\nmaterials: [{name: default, friction: " + Text(friction) +
            "}]\nbodies:\n"
            "  - {name: box, mass: 1.7, shapes: [{type: box, size: [0.06, 0.05, 0.08]}]}\n"
            "  - {name: left, mass: 0.2, shapes: [{type: box, size: [0.02, 0.03, 0.03], position: [-0.01, 0, 0]}]}\n"
            "  - {name: right, mass: 0.3, shapes: [{type: box, size: [0.02, 0.03, 0.03], position: [0.01, 0, 0]}]}\n"
            "joints:\n  - {name: l, type: prismatic, child: left, axis: [1, 0, 0], parent_frame: {position: [-0.03, 0, "
            "0]}}\n"
            "  - {name: r, type: prismatic, child: right, axis: [-1, 0, 0], parent_frame: {position: [0.03, 0, 0]}}\n"
            "drives:\n  - {joint: l, type: motor, velocity: 0.05, effort: 33}\n"
            "  - {joint: r, type: motor, velocity: 0.05, effort: 33}\n"
            "law: " +
            law + "\nlaws: {regularized: {sticking_limits: round}}\nstepper: {step: " + Text(step) + ", duration: 1}\n",
        "grip.yaml"));
  };
  for (const std::string law : {"coulomb", "regularized"}) {
    for (const double step : {5e-4, 1e-3, 5e-3}) {
      SCOPED_TRACE(law + Text(step));
      Simulation held = grip(law, 1.01 * kNeeded, step);
      RunUntil(1, &held);
      EXPECT_NEAR(held.kinematics().X_WB[0].position.z(), 0, 1e-14);
      Simulation dropped = grip(law, 0.99 * kNeeded, step);
      RunUntil(0.2, &dropped);
      // 0.01 g without turning; it may fall faster, as it turns out of the pads
      EXPECT_LT(dropped.kinematics().X_WB[0].position.z(), -0.9 * 0.5 * 0.01 * 9.81 * 0.04);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
