#include "slipstick/stepping/foresight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/collision/detect_contacts.h"
#include "slipstick/model/compile_model.h"
#include "slipstick/model/drift.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/stepping/contact_selection.h"

namespace slipstick::internal {
namespace {

constexpr double kStep = 0.01;

// One body and one shape of the world, no gravity, and where the body is a step later if nothing holds it.
struct Turning {
  Turning(const std::string& fixed, const std::string& shape, double height, const std::string& tilt,
          const std::string& motion)
      : model(CompileModel(ReadSceneText("format: slipstick-scene 1\ngravity: [0, 0, 0]\nworld: {shapes: [" + fixed +
                                             "]}\nbodies:\n  - {name: b, density: 1000, position: [0, 0, " +
                                             std::to_string(height) + "], " + tilt + ", " + motion + ", shapes: [" +
                                             shape + "]}\n",
                                         "turning.yaml"))) {
    ComputeKinematics(model, model.initial_state, &now);
    MotionState later = model.initial_state;
    Drift(model, kStep, &later);
    ComputeKinematics(model, later, &ahead);
    ComputeBodyVelocities(model, now, kStep * model.initial_state.v, &moved);
    ComputeBodyVelocities(model, now, model.initial_state.v, &velocities);
  }
  StepMotion motion() const { return {now, ahead, moved}; }
  double DeepestAhead() const {
    ContactDetector detector(model);
    double deepest = 0;
    for (const ContactPoint& point : detector.Detect(model, ahead, 0)) deepest = std::max(deepest, -point.gap);
    return deepest;
  }

  Model model;
  Kinematics now, ahead;
  BodyVelocities moved, velocities;
};

bool TakeInTurning(const Turning& body, ContactSelection* selection) {
  return selection->MayTurn(body.now, body.moved) && selection->TakeInTurning(body.model, body.motion());
}

// A coin that falls flat: its lowest point now is on one side, and a step later on the other.
const std::string kGround = "{type: plane}";
const std::string kCoin = "{type: cylinder, radius: 0.1, length: 0.02}";
Turning FallingCoin() {
  return {kGround, kCoin, 0.1 * std::sin(0.1) + 0.01 * std::cos(0.1), "rotation: {axis: [0, 1, 0], angle: 0.1}",
          "angular_velocity: [0, -30, 0]"};
}

TEST(Foresight, TheOtherSideOfACoinThatFallsFlat) {
  const Turning coin = FallingCoin();
  ASSERT_GT(coin.DeepestAhead(), 0.005);
  ContactSelection selection(coin.model, {.step = kStep, .gap_correction = 0.2});
  selection.Choose(coin.model, coin.now, coin.velocities);
  ASSERT_EQ(selection.chosen().size(), 1u);
  const ContactPoint lowest = selection.points()[selection.chosen()[0]];
  EXPECT_NEAR(lowest.gap, 0, 1e-6);
  EXPECT_TRUE(TakeInTurning(coin, &selection));
  ASSERT_EQ(selection.chosen().size(), 2u);
  EXPECT_EQ(selection.points()[selection.chosen()[0]], lowest);
  const ContactPoint& opposite = selection.points()[selection.chosen()[1]];
  EXPECT_LT(lowest.key, opposite.key);
  EXPECT_NEAR((opposite.position() - lowest.position()).head<2>().norm(), 0.2, 0.01);
  // nothing is new where the answer is the same
  EXPECT_FALSE(TakeInTurning(coin, &selection));
}

// A box turns by θ in its place, below a ball of radius r that is fixed at (x, 0, t + r + gap), t the half-extent. The
// face goes up to it by xθ at first, and at the end −x sin θ + (t + r + gap) cos θ − t − r is left.
TEST(Foresight, WhatAFaceThatTurnsTakesOffTheGap) {
  const double x = 0.05, r = 0.05, t = 0.1, gap = 0.001, theta = 0.3;
  const Turning box("{type: sphere, radius: 0.05, position: [0.05, 0, 0.151]}", "{type: box, size: [0.2, 0.2, 0.2]}", 0,
                    "rotation: {axis: [0, 1, 0], angle: 0}", "angular_velocity: [0, -30, 0]");
  ContactSelection selection(box.model, {.step = kStep, .gap_correction = 0.2});
  selection.Choose(box.model, box.now, box.velocities);
  ASSERT_EQ(selection.points().size(), 1u);
  const ContactPoint before = selection.points()[0];
  ASSERT_NEAR(before.gap, gap, 1e-12);
  ASSERT_TRUE(TakeInTurning(box, &selection));
  ASSERT_EQ(selection.points().size(), 1u);
  EXPECT_EQ(selection.points()[0], before);
  EXPECT_NEAR(selection.lost()[0], (t + r + gap) * (1 - std::cos(theta)) - x * (theta - std::sin(theta)), 1e-9);
}

TEST(Foresight, WhatDoesNotTurnAndBallsNeedNothing) {
  const Turning falls(kGround, "{type: box, size: [0.2, 0.2, 0.2]}", 0.11, "rotation: {axis: [0, 1, 0], angle: 0}",
                      "velocity: [0, 0, -5]");
  const Turning spins(kGround, "{type: sphere, radius: 0.1}", 0.11, "rotation: {axis: [0, 1, 0], angle: 0}",
                      "velocity: [0, 0, -5], angular_velocity: [50, 20, 0]");
  for (const Turning* body : {&falls, &spins}) {
    ContactSelection selection(body->model, {.step = kStep, .gap_correction = 0.2});
    selection.Choose(body->model, body->now, body->velocities);
    ASSERT_GT(body->DeepestAhead(), 0.01);  // the problem's rows see that themselves
    EXPECT_FALSE(TakeInTurning(*body, &selection));
    EXPECT_TRUE(selection.lost().empty());
  }
}

}  // namespace
}  // namespace slipstick::internal
