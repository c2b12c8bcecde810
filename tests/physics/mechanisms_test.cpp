#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

// --- four-bar linkage: crank 1, coupler 3.5, rocker 3, pivots 4 apart ------------------------------------------------

// Angles of coupler and rocker from the x axis for a crank angle, by the law of cosines (open branch).
Vec2 LinkAngles(double crank) {
  const Vec2 diagonal(4 - std::cos(crank), -std::sin(crank));  // from the crank's tip to the rocker's pivot
  const double d = diagonal.norm();
  const double coupler = std::atan2(diagonal.y(), diagonal.x()) + std::acos((3.5 * 3.5 + d * d - 9) / (7 * d));
  const Vec2 tip(std::cos(crank) + 3.5 * std::cos(coupler), std::sin(crank) + 3.5 * std::sin(coupler));
  return {coupler, std::atan2(tip.y(), tip.x() - 4)};
}

// Energy of the mechanism when its crank turns at 2 rad/s; rates by differences of the closed form.
double LinkageEnergy(double crank) {
  const double s = 1e-5, rate = 2;
  const Vec2 now = LinkAngles(crank);
  const Vec2 rates = rate * (LinkAngles(crank + s) - LinkAngles(crank - s)) / (2 * s);
  const Vec2 coupler_velocity =
      rate * Vec2(-std::sin(crank), std::cos(crank)) + 1.75 * rates[0] * Vec2(-std::sin(now[0]), std::cos(now[0]));
  const double kinetic = 0.5 * (1.0 / 3) * rate * rate + 0.5 * 3.5 * coupler_velocity.squaredNorm() +
                         0.5 * (3.5 * 3.5 * 3.5 / 12) * rates[0] * rates[0] + 0.5 * 9 * rates[1] * rates[1];
  const double potential =
      kG * (0.5 * std::sin(crank) + 3.5 * (std::sin(crank) + 1.75 * std::sin(now[0])) + 3 * 1.5 * std::sin(now[1]));
  return kinetic + potential;
}

struct LinkageErrors {
  double angle = 0, torque = 0;
};

LinkageErrors RunLinkage(const std::string& joint, double step) {
  Simulation simulation = Load("four-bar", {{"stepper.step", Text(step)}, {"constraints.closure.joint", joint}});
  LinkageErrors errors;
  RunUntil(3.0, &simulation, [&](const Simulation& s) {
    const double crank = M_PI / 2 + 2 * s.state().time;
    EXPECT_NEAR(s.state().q[0], crank, 1e-9);
    const Vec2 exact = LinkAngles(crank);
    errors.angle = std::max(
        {errors.angle, std::abs(s.state().q[0] + s.state().q[1] - exact[0]), std::abs(s.state().q[2] - exact[1])});
    // the drive's work is all that changes the energy: torque = dE/dφ at a constant rate
    const auto& solution = s.last_step().solution;
    const double torque = solution.bilateral[solution.bilateral.size() - 1] / step;
    const double middle = crank - step;
    const double expected = (LinkageEnergy(middle + 1e-4) - LinkageEnergy(middle - 1e-4)) / 2e-4;
    // the drift's correction needs some tens of steps to settle, and its changes of velocity are forces
    if (s.state().time > 0.2) errors.torque = std::max(errors.torque, std::abs(torque - expected));
  });
  return errors;
}

// In the plane a spherical closure has one redundant row, a revolute one three: none may show.
TEST(FourBarTest, FollowsTheLoopGeometryAndNeedsTheClosedFormTorque) {
  for (const char* joint : {"spherical", "revolute", "cylindrical"}) {
    SCOPED_TRACE(joint);
    const LinkageErrors a = RunLinkage(joint, 2e-3), b = RunLinkage(joint, 1e-3), c = RunLinkage(joint, 5e-4);
    EXPECT_LT(c.angle, 2e-5);
    EXPECT_GT(a.angle / b.angle, 1.7);
    EXPECT_GT(b.angle / c.angle, 1.7);
    // of the drift's correction something is left in it
    EXPECT_GT(a.torque / b.torque, 2);
    EXPECT_GT(b.torque / c.torque, 2);
    EXPECT_LT(c.torque, 1e-5);
    EXPECT_LT(c.torque, 0.5);  // of about 100 N m
  }
}

// --- rolling coin ----------------------------------------------------------------------------------------------------

struct CoinErrors {
  double position = 0, tilt = 0;
};

CoinErrors RunCoin(double step) {
  Simulation simulation = Load("coin", {{"stepper.step", Text(step)}});
  const double radius = simulation.state().q.segment<3>(4).head<2>().norm();
  CoinErrors errors;
  RunUntil(2.0, &simulation, [&](const Simulation& s) {
    const double angle = s.state().time - M_PI / 2;  // one radian a second, from −y
    const Vec3 exact(radius * std::cos(angle), radius * std::sin(angle), 0.5 * std::sin(70 * M_PI / 180));
    const Pose& pose = s.kinematics().X_WB[0];
    errors.position = std::max(errors.position, (pose.position - exact).norm());
    const double tilt = std::acos((pose.rotation * Vec3::UnitZ()).z());
    errors.tilt = std::max(errors.tilt, std::abs(tilt - 70 * M_PI / 180));
  });
  return errors;
}

TEST(CoinTest, RollsSteadilyInItsCircle) {
  const CoinErrors a = RunCoin(1e-3), b = RunCoin(5e-4), c = RunCoin(2.5e-4);
  ExpectOrderTwo(a.position, b.position, c.position, "position");
  ExpectOrderTwo(a.tilt, b.tilt, c.tilt, "tilt");
  EXPECT_LT(c.position, 0.02);  // of a way of 4.7 m
  EXPECT_LT(c.tilt, 2e-3);
}

// --- skate -----------------------------------------------------------------------------------------------------------

double SkateError(double step) {
  Simulation simulation = Load("skate", {{"stepper.step", Text(step)}});
  const double w = 1.5, pull = kG * std::sin(20 * M_PI / 180);
  double worst = 0;
  RunUntil(5.0, &simulation, [&](const Simulation& s) {
    const double t = s.state().time, sine = std::sin(w * t);
    const double x = pull * sine * sine / (2 * w * w), y = pull * (t - std::sin(2 * w * t) / (2 * w)) / (2 * w);
    worst = std::max(worst, std::hypot(s.state().q[0] - x, s.state().q[1] - y));
    EXPECT_NEAR(s.state().v[2], w, 1e-12);
  });
  return worst;
}

TEST(SkateTest, DriftsInACycloid) {
  const double a = SkateError(2e-3), b = SkateError(1e-3), c = SkateError(5e-4);
  ExpectOrderTwo(a, b, c, "position");
  EXPECT_LT(c, 5e-3);
}

// --- dry friction in a hinge -----------------------------------------------------------------------------------------

TEST(JointFrictionTest, HoldsWhatItCanAndNoMore) {
  // gravity's moment is 4.905 sin θ N m, friction's limit 1 N m: the angle of friction is 11.76°
  for (const char* law : {"coulomb", "regularized"}) {
    Simulation held = Load("joint-friction", {{"joints.hinge.position", "11.7*deg"}, {"law", law}});
    RunUntil(1.0, &held, [](const Simulation& s) { EXPECT_LT(std::abs(s.state().v[0]), 1e-14); });
    EXPECT_NEAR(held.state().q[0], 11.7 * M_PI / 180, 1e-14);
    Simulation let_go = Load("joint-friction", {{"joints.hinge.position", "11.8*deg"}, {"law", law}});
    RunUntil(1.0, &let_go);
    EXPECT_LT(let_go.state().q[0], 11.8 * M_PI / 180 - 1e-4);
  }
}

TEST(JointFrictionTest, SlowsDownLinearlyToAStandstill) {
  // gravity along the axis: I ω̇ = −1 N m with I = 1/3
  for (const char* law : {"coulomb", "bristle"}) {
    Simulation simulation =
        Load("joint-friction", {{"gravity", "[0, -9.81, 0]"}, {"joints.hinge.velocity", "3"}, {"law", law}});
    RunUntil(1.5, &simulation,
             [](const Simulation& s) { EXPECT_NEAR(s.state().v[0], std::max(3 - 3 * s.state().time, 0.0), 1e-12); });
    EXPECT_LT(std::abs(simulation.state().v[0]), 1e-15);
    EXPECT_NEAR(simulation.energy().work.bounded, -1.5, 1e-12);  // all of ½ I ω²
  }
}

TEST(JointFrictionTest, SwingsOutAndStaysWithinTheAngleOfFriction) {
  Simulation simulation = Load("joint-friction");
  const double initial = simulation.energy().Total();
  RunUntil(5.0, &simulation);
  EXPECT_NEAR(simulation.state().v[0], 0, 1e-14);
  EXPECT_LE(std::abs(4.905 * std::sin(simulation.state().q[0])), 1 + 1e-9);
  // what is gone, friction took
  EXPECT_NEAR(simulation.energy().Total() - initial, simulation.energy().work.bounded, 1e-3);
}

}  // namespace
}  // namespace slipstick::internal
