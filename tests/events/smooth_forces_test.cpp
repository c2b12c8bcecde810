#include "slipstick/events/smooth_forces.h"

#include "tests/events/ball_instant.h"

// Forces and accelerations of a ball on the ground with its mode given, in closed form.

namespace slipstick::internal {
namespace {

using Ball = BallInstant;
constexpr double kWeight = Ball::kMass * Ball::kG;

SmoothForces ForcesOf(BallInstant* ball, const Modes& modes, double viscous = 0) {
  return ComputeSmoothForces(ball->instant, modes, {.viscous = viscous}, &ball->evaluator);
}

TEST(SmoothForces, WithoutContactsABallFalls) {
  BallInstant ball({2, 0, 0}, {0, 0, 0}, {0, 3, 0});
  const SmoothForces forces = ForcesOf(&ball, {});
  ASSERT_TRUE(forces.is_solved);
  EXPECT_LT((forces.acceleration.tail<3>() - Vec3(2, 0, -Ball::kG)).norm(), 1e-12);
  EXPECT_LT(forces.acceleration.head<3>().norm(), 1e-12);
  EXPECT_TRUE(forces.contact.empty());
}

// A force F on the centre of a ball that sticks: 5/7 F/m, and friction takes 2/7 F.
TEST(SmoothForces, ABallThatSticksRolls) {
  BallInstant ball({3.5, 0, 0}, {0, 0, 0}, {0, 0, 0});
  const SmoothForces forces = ForcesOf(&ball, ball.Closed(ClosedMode::kSticking));
  ASSERT_TRUE(forces.is_solved);
  EXPECT_NEAR(forces.contact[0][0], kWeight, 1e-10);
  EXPECT_NEAR(forces.contact[0].tail<2>().norm(), 1, 1e-8);
  EXPECT_LT((forces.acceleration.tail<3>() - Vec3(2.5 / Ball::kMass, 0, 0)).norm(), 1e-8);
  EXPECT_LT((forces.acceleration.head<3>() - Vec3(0, 25, 0)).norm(), 1e-7);
  EXPECT_EQ(forces.friction_static[0], Ball::kMu);
}

// Rolling keeps on rolling: the contact point moves over ball and ground, which is no slip.
TEST(SmoothForces, ABallThatRollsGoesOn) {
  BallInstant ball({0, 0, 0}, {0.7, 0, 0}, {0, 7, 0});
  const SmoothForces forces = ForcesOf(&ball, ball.Closed(ClosedMode::kSticking));
  ASSERT_TRUE(forces.is_solved);
  EXPECT_LT(forces.acceleration.norm(), 1e-6);
  EXPECT_LT(forces.contact[0].tail<2>().norm(), 1e-6);
  EXPECT_LT(forces.slip[0].norm(), 1e-12);
  EXPECT_NEAR(forces.power.friction, 0, 1e-6);
}

TEST(SmoothForces, ABallThatSlidesIsSlowedByFriction) {
  for (const double viscous : {0.0, 0.3}) {
    BallInstant ball({0, 0, 0}, {3, -4, 0}, {0, 0, 0});
    const SmoothForces forces = ForcesOf(&ball, ball.Closed(ClosedMode::kSliding), viscous);
    ASSERT_TRUE(forces.is_solved);
    const Vec3 friction = -(Ball::kMu * kWeight + 5 * viscous) * Vec3(0.6, -0.8, 0);
    EXPECT_NEAR(forces.contact[0][0], kWeight, 1e-9);
    EXPECT_NEAR(forces.contact[0].tail<2>().norm(), friction.norm(), 1e-9);
    EXPECT_LT((forces.slip[0] - Vec3(3, -4, 0)).norm(), 1e-12);
    EXPECT_LT((forces.acceleration.tail<3>() - friction / Ball::kMass).norm(), 1e-8);
    const Vec3 moment = Vec3(0, 0, -Ball::kRadius).cross(friction);
    EXPECT_LT((forces.acceleration.head<3>() - moment / Ball::kInertia).norm(), 1e-7);
    EXPECT_NEAR(forces.power.friction, -5 * friction.norm(), 1e-8);
    EXPECT_NEAR(forces.power.normal, 0, 1e-10);
    EXPECT_NEAR(forces.give[0], 1, 1e-9);  // the normal goes through the centre
  }
}

// Velocities are changed by an impulse at the contact alone, which takes the slip: a bowling ball keeps 5/7 of its
// speed.
TEST(SmoothForces, ProjectVelocityIsThatOfAnImpulse) {
  BallInstant ball({0, 0, 0}, {7, 0, 0}, {0, 0, 0});
  VecX velocity = ball.instant.state.v;
  ProjectVelocity(ball.instant, ball.Closed(ClosedMode::kSticking), &ball.evaluator, &velocity);
  EXPECT_LT((velocity - (VecX(6) << 0, 50, 0, 5, 0, 0).finished()).norm(), 1e-9);
  velocity = ball.instant.state.v + 0.3 * VecX::Unit(6, 5);
  ProjectVelocity(ball.instant, ball.Closed(ClosedMode::kSliding), &ball.evaluator, &velocity);
  EXPECT_LT((velocity - ball.instant.state.v).norm(), 1e-12);
}

// What is left by the integrator is taken back; bodies that were put into each other stay so.
TEST(SmoothForces, ProjectPositionClosesTheGap) {
  BallInstant ball({0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  const MotionState& state = ball.instant.state;
  for (const double gap : {5e-7, -5e-7, -1e-3}) {
    const bool is_deep = gap == -1e-3;
    MotionState moved = state;
    moved.q[6] += gap;  // after the quaternion and x, y
    const double corrected = ProjectPosition(ball.Closed(ClosedMode::kSticking), &ball.evaluator, &moved);
    EXPECT_NEAR(corrected, is_deep ? 0 : 5e-7, 1e-15);
    EXPECT_NEAR(moved.q[6] - state.q[6], is_deep ? gap : 0, 1e-14);
    moved.q[6] = state.q[6];
    EXPECT_LT((moved.q - state.q).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace slipstick::internal
