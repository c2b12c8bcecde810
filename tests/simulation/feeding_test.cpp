#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_file.h"
#include "tests/base/scratch.h"

// What a program feeds into a simulation between steps, and what it reads, against closed forms.

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

constexpr const char* kBlock = R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.5}]
bodies: [{name: block, mass: 2, position: [0, 0, 0.1], shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}]
stepper: {step: 0.001, duration: 1}
)";
constexpr const char* kPendulum = R"(
format: slipstick-scene 1
bodies: [{name: arm, mass: 2, inertia: [0.02, 0.02, 0.02]}]
joints: [{name: hinge, type: revolute, axis: [0, 1, 0], child: arm, child_frame: {position: [-0.5, 0, 0]}}]
drives: [{name: servo, joint: hinge, type: servo, stiffness: 0, damping: 0, position: 0}]
stepper: {step: 0.001, duration: 1}
)";

Simulation Of(const std::string& text) { return Simulation(ReadSceneText(text, "case.yaml")); }

TEST(Feeding, AForceBelowFrictionHoldsAndOneAboveSlides) {
  Simulation simulation = Of(kBlock);
  const int block = simulation.FindBody("block");
  const double limit = 0.5 * 2 * kG;
  simulation.SetWrench(block, Vec3(0.99 * limit, 0, 0), Vec3::Zero(), Vec3(0, 0, -0.1));
  for (int k = 0; k < 200; ++k) ASSERT_TRUE((simulation.Step(), simulation.certificate().passed));
  EXPECT_LT(simulation.BodyVelocity(block).norm(), 1e-12);
  // action and reaction: the ground carries weight and push
  int contacts = 0;
  const Vec3 ground = simulation.ContactForce(block, Simulation::kWorldBody, &contacts);
  EXPECT_EQ(contacts, 4);
  EXPECT_LT((ground - Vec3(-0.99 * limit, 0, 2 * kG)).norm(), 1e-8);
  simulation.SetWrench(block, Vec3(1.5 * limit, 0, 0), Vec3::Zero(), Vec3(0, 0, -0.1));
  for (int k = 0; k < 100; ++k) simulation.Step();
  EXPECT_NEAR(simulation.BodyVelocity(block).x(), 0.1 * 0.5 * limit / 2, 1e-6);
  for (const ContactReading& contact : simulation.Contacts()) {
    EXPECT_NEAR(contact.slip.x(), simulation.BodyVelocity(block).x(), 1e-9);
    EXPECT_EQ(contact.body_a, block);
  }
  // its work is in the account
  EXPECT_GT(simulation.energy().work.applied, 0);
  EXPECT_LT(std::abs(simulation.energy().remainder), 1e-6);
}

TEST(Feeding, AnEffortThatCarriesTheWeightHolds) {
  Simulation simulation = Of(kPendulum);
  const int hinge = simulation.FindVelocity("hinge");
  ASSERT_GE(hinge, 0);
  // the arm points along x, the axis along y: gravity turns it by +m g l
  simulation.SetEffort(hinge, -2 * kG * 0.5);
  for (int k = 0; k < 100; ++k) simulation.Step();
  EXPECT_LT(std::abs(simulation.state().q[simulation.FindCoordinate("hinge")]), 1e-12);
  simulation.SetEffort(hinge, 0);
  simulation.Step();
  EXPECT_NEAR(simulation.state().v[hinge], 0.001 * 2 * kG * 0.5 / (0.02 + 2 * 0.25), 1e-6);
}

TEST(Feeding, TargetsAndGainsOfDrives) {
  Simulation simulation = Of(kPendulum);
  const int servo = simulation.FindDrive("servo");
  simulation.SetDrive(servo, {.position = 0.4, .stiffness = 4000, .damping = 400});
  for (int k = 0; k < 3000; ++k) simulation.Step();
  // k (target − q) carries the weight
  const double q = simulation.state().q[0];
  EXPECT_NEAR(4000 * (0.4 - q), -2 * kG * 0.5 * std::cos(q), 1e-6);
  simulation.SetDriveTarget(servo, -0.2);
  for (int k = 0; k < 3000; ++k) simulation.Step();
  EXPECT_NEAR(simulation.state().q[0], -0.2, 0.01);
  // back to the scene's: no gains, it swings
  simulation.SetInputs({});
  for (int k = 0; k < 300; ++k) simulation.Step();
  EXPECT_GT(std::abs(simulation.state().q[0] + 0.2), 0.1);
}

TEST(Feeding, AServoOfOnesOwnIsTheScenes) {
  // explicit feedback at a short step goes to the same rest as the implicit drive
  Simulation simulation = Of(kPendulum);
  const int hinge = simulation.FindVelocity("hinge");
  int calls = 0;
  simulation.BeforeEachStep([&](Simulation& s) {
    ++calls;
    s.SetEffort(hinge, 200 * (0.3 - s.state().q[0]) - 20 * s.state().v[hinge]);
  });
  for (int k = 0; k < 3000; ++k) simulation.Step();
  EXPECT_EQ(calls, 3000);
  const double q = simulation.state().q[0];
  EXPECT_NEAR(200 * (0.3 - q), -2 * kG * 0.5 * std::cos(q), 1e-6);
}

TEST(Feeding, PositionsAndVelocities) {
  Simulation simulation = Of(kPendulum);
  simulation.SetPositions(VecX::Constant(1, 0.7));
  simulation.SetVelocities(VecX::Constant(1, -2));
  EXPECT_EQ(simulation.state().q[0], 0.7);
  EXPECT_NEAR(simulation.BodyPose(0).position.z(), -0.5 * std::sin(0.7), 1e-12);
  EXPECT_NEAR(simulation.energy().kinetic, 0.5 * (0.02 + 2 * 0.25) * 4, 1e-12);
  EXPECT_NEAR(simulation.energy().remainder, 0, 1e-12);
  simulation.Step();
  EXPECT_LT(std::abs(simulation.energy().remainder), 1e-2);
}

// Inputs are part of the state: a copy of it, and a replay of what was fed in, give the same bits.
TEST(Feeding, InputsAreRestored) {
  Simulation simulation = Of(kBlock);
  const auto feed = [](int k, Simulation* s) { s->SetWrench(0, Vec3(10 * std::sin(0.1 * k), 3, 0), Vec3(0, 0, 0.5)); };
  for (int k = 0; k < 100; ++k) {
    feed(k, &simulation);
    simulation.Step();
  }
  const State middle = simulation.state();
  for (int k = 0; k < 50; ++k) simulation.Step();  // what was given last holds
  const State end = simulation.state();
  Simulation other = Of(kBlock);
  other.SetState(middle);
  for (int k = 0; k < 50; ++k) other.Step();
  EXPECT_TRUE(other.state() == end);
}

// What was fed in, kept in a file and fed in again, gives the same bits.
TEST(Feeding, RecordedInputsAreReplayed) {
  const testing::Scratch scratch;
  Simulation simulation = Of(kBlock);
  simulation.RecordInputs();
  for (int k = 0; k < 200; ++k) {
    if (k % 3 == 0) simulation.SetWrench(0, Vec3(15 * std::sin(0.1 * k), 3, 0), Vec3(0, 0, 0.5));
    if (k == 70) simulation.SetVelocities(2 * simulation.state().v);
    if (k == 90) simulation.SetInputs({});
    simulation.Step();
  }
  EXPECT_EQ(simulation.recorded_inputs().size(), 68u);
  SaveInputs(scratch / "inputs.h5", simulation.recorded_inputs());
  const InputLog log = ReadInputs(scratch / "inputs.h5");
  EXPECT_TRUE(log == simulation.recorded_inputs());
  Simulation again = Of(kBlock);
  again.ReplayInputs(log);
  for (int k = 0; k < 200; ++k) again.Step();
  EXPECT_TRUE(again.state() == simulation.state());
}

// A parameter that is changed while the scene runs is the scene with that number from there on.
TEST(Feeding, Parameters) {
  const std::string text = std::string(kBlock) + R"(
forces: [{name: push, body: block, force: [6, 0, 0], point: [0, 0, -0.1]}]
parameters:
  - {name: friction, key: materials.default.friction, least: 0, most: 1}
  - {name: push, key: forces.push.force.0, least: 0, most: 20, unit: N}
)";
  Simulation simulation = Of(text);
  for (int k = 0; k < 50; ++k) simulation.Step();
  EXPECT_LT(simulation.BodyVelocity(0).norm(), 1e-12);
  simulation.SetParameter("friction", 0.1);
  for (int k = 0; k < 100; ++k) simulation.Step();
  EXPECT_NEAR(simulation.BodyVelocity(0).x(), 0.1 * (6 - 0.1 * 2 * kG) / 2, 1e-6);
  const State middle = simulation.state();
  simulation.SetParameter("push", 10);
  for (int k = 0; k < 100; ++k) simulation.Step();
  EXPECT_NEAR(simulation.BodyVelocity(0).x(), 0.1 * (6 - 0.1 * 2 * kG) / 2 + 0.1 * (10 - 0.1 * 2 * kG) / 2, 1e-6);
  EXPECT_LT(std::abs(simulation.energy().remainder), 1e-6);
  // it is part of the state
  Simulation other = Of(text);
  other.SetState(middle);
  other.SetParameter("push", 10);
  for (int k = 0; k < 100; ++k) other.Step();
  EXPECT_TRUE(other.state() == simulation.state());
  EXPECT_THROW(other.SetParameter("friction", 2), InputError);
  EXPECT_THROW(other.SetParameter("colour", 2), InputError);
}

TEST(Feeding, WorksFromEventToEvent) {
  Simulation simulation = Of(R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.5}]
bodies: [{name: block, mass: 2, position: [0, 0, 0.1], shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}]
stepper: {name: event-driven, step: 0.01, duration: 1}
)");
  const double limit = 0.5 * 2 * kG;
  simulation.SetWrench(0, Vec3(0.9 * limit, 0, 0), Vec3::Zero(), Vec3(0, 0, -0.1));
  for (int k = 0; k < 10; ++k) simulation.Step();
  EXPECT_LT(simulation.BodyVelocity(0).norm(), 1e-9);
  simulation.SetWrench(0, Vec3(2 * limit, 0, 0), Vec3::Zero(), Vec3(0, 0, -0.1));
  for (int k = 0; k < 10; ++k) simulation.Step();
  EXPECT_NEAR(simulation.BodyVelocity(0).x(), 0.1 * limit / 2, 1e-6);
}

// A step without an answer leaves the state as it was.
TEST(Feeding, AFailedStepChangesNothing) {
  Simulation simulation = Of(kPendulum);
  State broken = simulation.state();
  broken.v[0] = 1e200;
  simulation.SetState(broken);
  const State before = simulation.state();
  simulation.Step();
  EXPECT_FALSE(simulation.certificate().finite);
  EXPECT_TRUE(simulation.state() == before);
}

TEST(Feeding, WhatCannotBeIsRefused) {
  Simulation simulation = Of(kPendulum);
  const double nan = std::nan("");
  EXPECT_THROW(simulation.SetEffort(1, 0), InputError);
  EXPECT_THROW(simulation.SetEffort(0, nan), InputError);
  EXPECT_THROW(simulation.SetWrench(-1, Vec3::Zero(), Vec3::Zero()), InputError);
  EXPECT_THROW(simulation.SetWrench(0, Vec3(0, nan, 0), Vec3::Zero()), InputError);
  EXPECT_THROW(simulation.SetDrive(0, {.stiffness = -1}), InputError);
  EXPECT_THROW(simulation.SetDriveTarget(7, 0), InputError);
  EXPECT_THROW(simulation.SetPositions(VecX::Zero(2)), InputError);
  EXPECT_THROW(simulation.SetVelocities(VecX::Constant(1, nan)), InputError);
  const auto refuses = [&](const std::function<void(State*)>& damage) {
    State other = simulation.state();
    damage(&other);
    EXPECT_THROW(simulation.SetState(other), InputError);
  };
  refuses([](State* s) { s->q.resize(3); });
  refuses([](State* s) { s->released = 1; });
  refuses([](State* s) { s->step_count = -1; });
  refuses([](State* s) { s->drive_modes.resize(2); });
  refuses([](State* s) { s->contacts.keys.resize(1); });
  refuses([](State* s) {
    s->contacts.keys = {{.shape_a = 100, .shape_b = 200}};
    s->contacts.histories.resize(1);
  });
  refuses([](State* s) { s->contacts.values.resize(5); });
  refuses([](State* s) { s->events.steps_since = 5; });
  refuses([](State* s) { s->events.modes.contacts.resize(1), s->events.modes.contacts[0].key.shape_b = 9; });
  refuses([](State* s) { s->inputs.efforts.resize(7); });
  EXPECT_TRUE(simulation.inputs().wrenches.empty());
  simulation.Step();
  EXPECT_TRUE(simulation.certificate().passed);
}

}  // namespace
}  // namespace slipstick::internal
