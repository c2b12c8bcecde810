#include "slipstick/simulation/joint_readings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/measure/trajectory.h"
#include "slipstick/run/run_simulation.h"
#include "tests/physics/scene_runs.h"

// Efforts of drives and reactions of joints against closed forms and against the bodies' motion.

namespace slipstick::internal {
namespace {

constexpr double kGravity = 9.81;
using Wrench = JointReadings::Wrench;

Simulation FromText(const std::string& text) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml"));
}

// 2 kg at 0.5 m from a hinge about y; at position 0 it hangs, at a right angle it lies along −x.
constexpr double kMass = 2, kArm = 0.5;
Simulation Arm(const std::string& joint, const std::string& rest) {
  return FromText(
      "bodies: [{name: arm, mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1]}]\n"
      "joints: [{name: hinge, type: revolute, child: arm, axis: [0, 1, 0], parent_frame: {position: [1, 2, 3]}" +
      joint + "}]\n" + rest);
}

double EffortOf(const Simulation& simulation, const std::string& name) {
  const JointGauges gauges = ListJointGauges(simulation.model());
  const JointReadings readings = ComputeJointReadings(simulation);
  EXPECT_EQ(readings.efforts.size(), gauges.efforts.size());
  for (std::size_t i = 0; i < gauges.efforts.size(); ++i) {
    if (gauges.efforts[i].name == name) return readings.efforts[i];
  }
  ADD_FAILURE() << "no effort " << name;
  return std::nan("");
}

Wrench ReactionOf(const Simulation& simulation, const std::string& name) {
  const JointGauges gauges = ListJointGauges(simulation.model());
  const JointReadings readings = ComputeJointReadings(simulation);
  EXPECT_EQ(readings.reactions.size(), gauges.reactions.size());
  for (std::size_t i = 0; i < gauges.reactions.size(); ++i) {
    if (gauges.reactions[i].name == name) return readings.reactions[i];
  }
  ADD_FAILURE() << "no reaction " << name;
  return {};
}

void ExpectNear(const Vec3& found, const Vec3& expected, double tolerance, const std::string& what = "") {
  EXPECT_LE((found - expected).norm(), tolerance)
      << what << ": " << found.transpose() << " instead of " << expected.transpose();
}

TEST(JointReadings, AHangingPendulumCarriesItsWeight) {
  for (const char* stepper : {"time-stepping", "event-driven"}) {
    Simulation arm = Arm("", std::string("stepper: {name: ") + stepper + ", step: 0.01, duration: 1}\n");
    RunUntil(0.05, &arm);
    const Wrench hinge = ReactionOf(arm, "hinge");
    ExpectNear(hinge.force, Vec3(0, 0, kMass * kGravity), 1e-10, stepper);
    ExpectNear(hinge.torque, Vec3::Zero(), 1e-10, stepper);
  }
}

TEST(JointReadings, ARotatingArmIsPulledInwards) {
  Simulation arm = Arm(", position: 0.3, velocity: 4", "gravity: [0, 0, 0]\nstepper: {step: 0.01, duration: 1}\n");
  for (int k = 0; k < 7; ++k) {
    const double angle = arm.state().q[0] + 0.5 * 0.01 * 4;  // in the middle of the step, where its forces act
    arm.Step();
    const Vec3 inwards(std::sin(angle), 0, std::cos(angle));
    ExpectNear(ReactionOf(arm, "hinge").force, kMass * kArm * 16 * inwards, 1e-10);
  }
}

// A swinging pendulum: along the arm m (g cos φ + l ω²), whichever velocity moves the positions, and whatever computes
// the motion.
TEST(JointReadings, ASwingingPendulum) {
  for (const char* stepper :
       {"step: 0.001", "step: 0.001, position_update: old-velocity", "name: event-driven, step: 0.001"}) {
    Simulation arm = Arm(", position: 1.2, velocity: 0.7", std::string("stepper: {duration: 1, ") + stepper + "}\n");
    for (int k = 0; k < 200; ++k) {
      const State before = arm.state();
      arm.Step();
      // events: of the end; semi-implicit: of the start; else of the middle
      double angle = arm.state().q[0], rate = arm.state().v[0], tolerance = 1e-9;
      if (std::string(stepper).find("old-velocity") != std::string::npos) {
        angle = before.q[0];
        rate = before.v[0];
      } else if (arm.events() == nullptr) {
        angle = before.q[0] + 0.5e-3 * before.v[0];
        rate = 0.5 * (before.v[0] + rate);
        tolerance = 1e-6;  // what the iteration of Coriolis forces leaves (T2c)
      }
      const Vec3 inwards(std::sin(angle), 0, std::cos(angle));
      const Wrench hinge = ReactionOf(arm, "hinge");
      ASSERT_NEAR(hinge.force.dot(inwards), kMass * (kGravity * std::cos(angle) + kArm * rate * rate), tolerance)
          << stepper;
      // across it what is left of gravity by the acceleration α = −m g l sin φ / (I + m l²)
      const double alpha = -kMass * kGravity * kArm * std::sin(angle) / (0.1 + kMass * kArm * kArm);
      const Vec3 across(-std::cos(angle), 0, std::sin(angle));
      ASSERT_NEAR(hinge.force.dot(across), kMass * (kGravity * std::sin(angle) + kArm * alpha), tolerance) << stepper;
      ASSERT_LE(hinge.torque.norm(), tolerance) << stepper;
    }
  }
}

TEST(JointReadings, AServoHoldsAnArmHorizontally) {
  Simulation arm =
      Arm(", position: 90*deg",
          "drives: [{name: servo, joint: hinge, type: servo, stiffness: 1e10, damping: 1e6, position: 90*deg}]\n"
          "stepper: {step: 0.001, duration: 1}\n");
  RunUntil(0.2, &arm);
  const double moment = kMass * kGravity * kArm;
  EXPECT_NEAR(EffortOf(arm, "servo"), moment, 1e-6);
  const Wrench hinge = ReactionOf(arm, "hinge");
  ExpectNear(hinge.force, Vec3(0, 0, kMass * kGravity), 1e-6);
  ExpectNear(hinge.torque, Vec3(0, moment, 0), 1e-6);
}

// What a servo gives is what turns the arm, within its limit and at it.
TEST(JointReadings, AServoAtItsLimit) {
  Simulation arm = Arm("",
                       "gravity: [0, 0, 0]\n"
                       "drives: [{name: servo, joint: hinge, type: servo, stiffness: 100, damping: 20, "
                       "position: -1, effort: 3}]\n"
                       "stepper: {step: 0.001, duration: 2}\n");
  const double inertia = 0.1 + kMass * kArm * kArm;
  int limited = 0, within = 0;
  for (int k = 0; k < 1500; ++k) {
    const double before = arm.state().v[0];
    arm.Step();
    const double effort = EffortOf(arm, "servo");
    ASSERT_NEAR(effort, inertia * (arm.state().v[0] - before) / 1e-3, 1e-9);
    ASSERT_NEAR(ReactionOf(arm, "hinge").torque.y(), effort, 1e-9);
    ++(std::abs(effort) == 3 ? limited : within);
    ASSERT_TRUE(k > 0 || effort == -3);
  }
  EXPECT_GT(limited, 100);
  EXPECT_GT(within, 100);
}

TEST(JointReadings, AMotorAtItsLimit) {
  // friction of 1 N m acts beside it, so that its row is not the only one
  for (const double sign : {1.0, -1.0}) {
    Simulation arm =
        Arm(", friction: 1", "gravity: [0, 0, 0]\ndrives: [{name: motor, joint: hinge, type: motor, velocity: " +
                                 Text(2 * sign) + ", effort: 4}]\nstepper: {step: 0.001, duration: 2}\n");
    RunUntil(0.1, &arm);
    EXPECT_NEAR(EffortOf(arm, "motor"), 4 * sign, 1e-9);
    RunUntil(1, &arm);
    EXPECT_NEAR(EffortOf(arm, "motor"), sign, 1e-9);            // holds its speed against friction
    EXPECT_NEAR(ReactionOf(arm, "hinge").torque.y(), 0, 1e-9);  // both are within the joint
  }
}

// τ turns 2 kg m² and, through 1 : 2, another 3: the coupling takes what the second needs.
TEST(JointReadings, ACoupling) {
  Simulation shafts = FromText(
      "gravity: [0, 0, 0]\n"
      "bodies: [{name: a, mass: 1, inertia: [2, 2, 2]}, {name: b, mass: 1, inertia: [3, 3, 3]}]\n"
      "joints: [{name: first, type: revolute, child: a}, {name: second, type: revolute, child: b}]\n"
      "constraints: [{name: gear, type: coupling, coordinates: [{joint: first, ratio: 2}, {joint: second, ratio: "
      "-4}]}]\n"
      "forces: [{joint: first, effort: 5}]\n");
  shafts.Step();
  const double acceleration = 5 / (2 + 3.0 / 4);
  EXPECT_NEAR(EffortOf(shafts, "gear"), -3.0 / 4 * acceleration, 1e-9);
  EXPECT_EQ(ListJointGauges(shafts.model()).efforts[0].unit, "N m");
}

// The world may be the first of the two.
TEST(JointReadings, WhatHangsFromARod) {
  for (const bool world_first : {true, false}) {
    Simulation ball = FromText(std::string("bodies: [{name: ball, mass: 3, inertia: [1, 1, 1], position: [0, 0, -2]}]\n"
                                           "constraints: [{name: rod, type: distance, length: 2, between: ") +
                               (world_first ? "[world, ball]" : "[ball, world]") + "}]\n");
    ball.Step();
    const Wrench rod = ReactionOf(ball, "rod");
    ExpectNear(rod.force, Vec3(0, 0, world_first ? -3 * kGravity : 3 * kGravity), 1e-9);
    ExpectNear(rod.torque, Vec3::Zero(), 1e-9);
    EXPECT_EQ(ListJointGauges(ball.model()).reactions[0].on, world_first ? "world" : "ball");
  }
}

// Power that the prescribed crank takes is what the energy of a four-bar linkage gains.
TEST(JointReadings, TheCrankOfAFourBarLinkage) {
  constexpr double kStep = 1e-4, kSpeed = 2;  // [s], [rad/s]
  Simulation linkage = Load("four-bar", {{"stepper.step", Text(kStep)}});
  double largest = 0;
  for (int k = 1; k <= 3000; ++k) {
    const double before = linkage.energy().Total();
    linkage.Step();
    if (k % 100 != 0) continue;
    const double gained = (linkage.energy().Total() - before) / kStep;
    EXPECT_NEAR(kSpeed * EffortOf(linkage, "drive"), gained, 0.1);
    largest = std::max(largest, std::abs(gained));
  }
  EXPECT_GT(largest, 20);  // [W]
}

// Of each body: all forces and moments on it against the change of its momentum, which the kinematics before and after
// tell. The difference is of the order of the step.
struct Imbalance {
  double force = 0, moment = 0, largest_force = 0, largest_moment = 0;
};
struct BodyMomentum {
  Vec3 linear, angular;  // about the centre of mass
};
BodyMomentum MomentumOf(const ModelBody& body, const Kinematics& kin, int i) {
  const Mat3 inertia = kin.R_WB[i] * body.inertia * kin.R_WB[i].transpose();
  return {body.mass * kin.VelocityOfPoint(i, kin.X_WB[i] * body.com), inertia * kin.angular_velocity[i]};
}

Imbalance ImbalanceOfStep(Simulation* simulation) {
  const Model& model = simulation->model();
  const Kinematics before = simulation->kinematics();
  simulation->Step();
  const StepRecord& record = simulation->last_step();
  const double h = record.problem.step;
  std::vector<Vec3> force(model.bodies.size(), Vec3::Zero()), moment = force;
  const auto add = [&](int body, const Vec3& point, const Vec3& f, const Vec3& m) {
    if (body == kWorld) return;
    force[body] += f;
    moment[body] += m + (point - before.X_WB[body] * model.bodies[body].com).cross(f);
  };
  const JointReadings readings = ComputeJointReadings(*simulation);
  std::size_t next = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    force[i] += body.mass * model.gravity;
    if (body.joint == JointType::kFree) continue;
    const Wrench& joint = readings.reactions[next++];
    const Vec3 origin = before.X_WB[i] * body.X_MB.Inverse().position;
    add(static_cast<int>(i), origin, joint.force, joint.torque);
    add(body.parent, origin, -joint.force, -joint.torque);
  }
  for (const ModelConstraint& constraint : model.constraints) {
    const auto* loop = std::get_if<LoopConstraint>(&constraint.kind);
    if (loop == nullptr) continue;
    const Vec3 point = before.PoseOf(loop->body[0]) * loop->frame[0].position;
    const Wrench& reaction = readings.reactions[next++];
    add(loop->body[0], point, reaction.force, reaction.torque);
    add(loop->body[1], point, -reaction.force, -reaction.torque);
  }
  EXPECT_EQ(next, readings.reactions.size());
  const ContactSet& contacts = record.problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const ContactKey& name = contacts.key[i];
    const Vec3 f = contacts.FromComponents(i, record.solution.contact.segment<3>(3 * i)) / h;
    const Vec3 m = contacts.FromComponents(i, record.solution.Moment(record.problem, i)) / h;
    add(model.shapes[name.shape_a].body, contacts.position[i], f, m);
    add(model.shapes[name.shape_b].body, contacts.position[i], -f, -m);
  }
  Imbalance imbalance;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodyMomentum from = MomentumOf(model.bodies[i], before, static_cast<int>(i));
    const BodyMomentum to = MomentumOf(model.bodies[i], simulation->kinematics(), static_cast<int>(i));
    imbalance.force = std::max(imbalance.force, (force[i] - (to.linear - from.linear) / h).norm());
    imbalance.moment = std::max(imbalance.moment, (moment[i] - (to.angular - from.angular) / h).norm());
  }
  for (const Wrench& reaction : readings.reactions) {
    imbalance.largest_force = std::max(imbalance.largest_force, reaction.force.norm());
    imbalance.largest_moment = std::max(imbalance.largest_moment, reaction.torque.norm());
  }
  return imbalance;
}

struct BalanceCase {
  const char* name;
  const char* scene;
  Overrides overrides;
};
class Balance : public ::testing::TestWithParam<BalanceCase> {};

TEST_P(Balance, OfEveryBody) {
  double errors[2][2];
  double largest_force = 0, largest_moment = 0;
  for (int n = 0; n < 2; ++n) {
    const double h = n == 0 ? 1e-4 : 5e-5;
    Overrides overrides = GetParam().overrides;
    overrides.push_back({"stepper.step", Text(h)});
    Simulation simulation = Load(GetParam().scene, overrides);
    RunUntil(0.1, &simulation);
    const Imbalance imbalance = ImbalanceOfStep(&simulation);
    errors[0][n] = imbalance.force;
    errors[1][n] = imbalance.moment;
    largest_force = imbalance.largest_force;
    largest_moment = imbalance.largest_moment;
  }
  const double rounding = 1e-9 * largest_force;
  EXPECT_LT(errors[0][1], 2e-3 * largest_force);
  EXPECT_LT(errors[1][1], 2e-3 * std::max(largest_moment, 0.1 * largest_force));
  for (const auto& error : errors) EXPECT_LT(error[1], 0.6 * error[0] + rounding) << error[0] << " " << error[1];
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, Balance,
    ::testing::Values(BalanceCase{"Joints", "double-pendulum", {}}, BalanceCase{"JointFriction", "joint-friction", {}},
                      BalanceCase{"ALoop", "four-bar", {}},
                      BalanceCase{"ALoopThatRubs",
                                  "four-bar",
                                  {{"constraints.closure.joint", "revolute"}, {"constraints.closure.friction", "5"}}},
                      BalanceCase{"SliderCrank", "slider-crank", {}},
                      BalanceCase{"DrivesACouplingAndContacts", "gripper", {}},
                      BalanceCase{"DrivesOnAFreeBody", "walker", {}}),
    [](const auto& one) { return one.param.name; });

TEST(JointReadings, BeforeTheFirstStepNothingIsKnown) {
  const Simulation arm = Arm("", "");
  const JointReadings readings = ComputeJointReadings(arm);
  ASSERT_EQ(readings.reactions.size(), 1u);
  EXPECT_TRUE(std::isnan(readings.reactions[0].force.x()));
}

TEST(JointReadings, FreeBodiesHaveNone) {
  Simulation cube = Load("cube-launch");
  cube.Step();
  EXPECT_TRUE(ListJointGauges(cube.model()).empty());
  EXPECT_TRUE(ComputeJointReadings(cube).reactions.empty());
}

// Of more joints than can be told apart some have curves; those of tracked bodies where some are named.
TEST(JointReadings, CurvesOfAChosenFew) {
  Simulation robot = Load("walker");
  const JointGauges gauges = ListJointGauges(robot.model());
  ASSERT_FALSE(gauges.efforts.empty());
  RunOptions options;
  options.duration = 0.01;
  options.reads_joints = true;
  const std::string body = gauges.reactions.back().on;
  options.tracked_bodies = {body};
  const Trajectory t = RunSimulation(&robot, options).trajectory;
  ASSERT_TRUE(t.joints.has_value());
  ASSERT_FALSE(t.joints->reactions.empty());
  for (const int i : t.joints->reactions) EXPECT_EQ(gauges.reactions[i].on, body);
  EXPECT_LE(t.joints->efforts.size(), kMostJointCurves);
  for (const auto& curve : t.joints->force) {
    ASSERT_EQ(static_cast<int>(curve.size()), t.size());
    EXPECT_TRUE(std::isnan(curve.front()));
    EXPECT_GT(curve.back(), 0);
  }
  EXPECT_EQ(t.joints->last.reactions.size(), gauges.reactions.size());
  Simulation again = Load("walker");
  options.reads_joints = false;
  EXPECT_FALSE(RunSimulation(&again, options).trajectory.joints.has_value());
}

}  // namespace
}  // namespace slipstick::internal
