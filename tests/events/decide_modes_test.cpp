#include "slipstick/events/decide_modes.h"

#include "tests/events/ball_instant.h"

// Which mode the contact of a ball with the ground takes up, by the limits in closed form.

namespace slipstick::internal {
namespace {

using Ball = BallInstant;

Decision Decide(BallInstant* ball, double eased = 0) {
  Method method = ball->simulation.method();
  const CertificateTolerances tolerances;
  const LawQuestions questions(*method.law, method.solver, tolerances, &ball->evaluator);
  return DecideModes(ball->instant, ball->instant.points, questions, {}, {.resting_slip = 1e-8, .eased = eased},
                     &ball->evaluator);
}

// Rolling takes 2/7 F of friction: up to F = 7/2 μ m g the ball sticks.
TEST(DecideModes, ABallSticksUpToItsLimit) {
  const double limit = 3.5 * Ball::kMu * Ball::kMass * Ball::kG;
  for (const double share : {0.0, 0.5, 0.999, 1.001, 3.0}) {
    SCOPED_TRACE(share);
    BallInstant ball(share * limit * Vec3(0.6, 0.8, 0), {0, 0, 0}, {0, 0, 0});
    const Decision decision = Decide(&ball);
    ASSERT_EQ(decision.kind, Decision::Kind::kModes);
    ASSERT_EQ(decision.modes.contacts.size(), 1u);
    const ClosedContact& contact = decision.modes.contacts[0];
    const double friction = decision.forces.contact[0].tail<2>().norm();
    EXPECT_NEAR(decision.forces.contact[0][0], Ball::kMass * Ball::kG, 1e-8);
    if (share < 1) {
      EXPECT_EQ(contact.mode, ClosedMode::kSticking);
      EXPECT_NEAR(friction, share * Ball::kMu * Ball::kMass * Ball::kG, 1e-6);
    } else {
      EXPECT_EQ(contact.mode, ClosedMode::kSliding);
      EXPECT_TRUE(contact.begins);
      EXPECT_LT((contact.direction - Vec3(0.6, 0.8, 0)).norm(), 1e-6);
      EXPECT_NEAR(friction, Ball::kMu * Ball::kMass * Ball::kG, 1e-6);
    }
    EXPECT_EQ(decision.is_indefinite, std::vector<char>{0});
  }
}

// What has reached its limit up to rounding slips, and does not stick again: static friction is then taken a little
// lower.
TEST(DecideModes, EasedFrictionSlipsAtItsLimit) {
  const double limit = 3.5 * Ball::kMu * Ball::kMass * Ball::kG;
  BallInstant ball({(1 - 1e-8) * limit, 0, 0}, {0, 0, 0}, {0, 0, 0});
  EXPECT_EQ(Decide(&ball).modes.contacts.at(0).mode, ClosedMode::kSticking);
  EXPECT_EQ(Decide(&ball, 1e-6).modes.contacts.at(0).mode, ClosedMode::kSliding);
}

TEST(DecideModes, WhatMovesSlidesAlongItsVelocity) {
  BallInstant ball({0, 0, 0}, {-3, 4, 0}, {0, 0, 0});
  const Decision decision = Decide(&ball);
  ASSERT_EQ(decision.kind, Decision::Kind::kModes);
  ASSERT_EQ(decision.modes.contacts.size(), 1u);
  EXPECT_EQ(decision.modes.contacts[0].mode, ClosedMode::kSliding);
  EXPECT_FALSE(decision.modes.contacts[0].begins);
  EXPECT_LT((decision.modes.contacts[0].direction - Vec3(-0.6, 0.8, 0)).norm(), 1e-9);
}

TEST(DecideModes, WhatIsLiftedHoldsNothing) {
  for (const double share : {0.999, 1.001}) {
    BallInstant ball({0, 0, share * Ball::kMass * Ball::kG}, {0, 0, 0}, {0, 0, 0});
    const Decision decision = Decide(&ball);
    ASSERT_EQ(decision.kind, Decision::Kind::kModes);
    EXPECT_EQ(decision.modes.contacts.size(), share < 1 ? 1u : 0u);
    EXPECT_NEAR(decision.forces.acceleration[5], share < 1 ? 0.0 : (share - 1) * Ball::kG, 1e-8);
  }
}

// 1 + 3 cos θ (cos θ − μ sin θ) at 60°: below zero with μ = 2, where no acceleration keeps the tip from sinking in.
TEST(DecideModes, PainlevesRodNeedsAnImpulse) {
  for (const double mu : {1.2, 2.0}) {
    Simulation simulation = Load("painleve", {{"materials.chalk.friction", Text(mu)}});
    InstantEvaluator evaluator(simulation.model());
    evaluator.SetMargins(std::vector<double>(simulation.model().shapes.size(), 1e-4));
    Instant instant;
    evaluator.Evaluate(simulation.model().initial_state, &instant);
    ASSERT_EQ(instant.points.size(), 1u);
    const CertificateTolerances tolerances;
    Method method = simulation.method();
    const LawQuestions questions(*method.law, method.solver, tolerances, &evaluator);
    const Decision decision = DecideModes(instant, instant.points, questions, {}, {.resting_slip = 1e-8}, &evaluator);
    EXPECT_EQ(decision.kind, mu < 4.0 / 3 ? Decision::Kind::kModes : Decision::Kind::kImpulse) << mu;
  }
}

}  // namespace
}  // namespace slipstick::internal
