#include "slipstick/model/joint_reactions.h"

#include <gtest/gtest.h>

#include "slipstick/model/dynamics.h"
#include "tests/model/random_models.h"

// Reactions of joints (T4d), on random trees of all joints with massless links.

namespace slipstick::internal {
namespace {

struct Example {
  Model model;
  MotionState state;
  Kinematics kinematics;
  VecX acceleration;
};

Example MakeExample(int number, RandomModels* random) {
  Example example;
  do {
    example.model = CompileModel(random->MakeScene(1 + number % 20));
  } while (example.model.v_size() == 0);
  example.state = random->AnyState(example.model);
  example.kinematics = KinematicsOf(example.model, example.state);
  example.acceleration.resize(example.model.v_size());
  for (double& value : example.acceleration) value = random->Number();
  return example;
}

// Along a joint's motions its reaction is the effort that the equations of motion ask for: M v̇ + c − f. The forces on
// the bodies come in by another way than those of the model.
TEST(JointReactions, AlongTheMotionsTheyAreEfforts) {
  RandomModels random(7);
  for (int n = 0; n < 60; ++n) {
    Example e = MakeExample(n, &random);
    for (int k = 0; k < 3; ++k) {
      BodyForce force;
      force.body = random.Integer(0, static_cast<int>(e.model.bodies.size()) - 1);
      force.point = random.Vector();
      force.in_body_axes = k == 1;
      for (int i = 0; i < 3; ++i) {
        force.force[i] = TimeFunction(random.Number());
        force.torque[i] = TimeFunction(random.Number());
      }
      e.model.body_forces.push_back(force);
    }
    DynamicsWorkspace work;
    BlockDiagonal mass;
    VecX bias, gravity, applied, inertia(e.model.v_size());
    ComputeMassMatrix(e.model, e.kinematics, &work, &mass);
    ComputeBiasForces(e.model, e.kinematics, &work, &bias);
    ComputeGravityForces(e.model, e.kinematics, &work, &gravity);
    ComputeAppliedForces(e.model, e.kinematics, 0, &applied);
    mass.Multiply(e.acceleration, inertia);
    const VecX efforts = inertia + bias - gravity - applied;
    BodyWrenches wrenches;
    wrenches.Reset(e.model.bodies.size());
    AddGivenWrenches(e.model, e.kinematics, 0, &wrenches);
    ComputeJointReactions(e.model, e.kinematics, e.acceleration, &wrenches);
    for (const int i : e.model.linked_bodies) {
      const ModelBody& body = e.model.bodies[i];
      for (int c = body.v_offset; c < body.v_offset + body.v_count; ++c) {
        const double along = e.kinematics.angular_columns.col(c).dot(wrenches.torque[i]) +
                             e.kinematics.linear_columns.col(c).dot(wrenches.force[i]);
        EXPECT_NEAR(along, efforts[c], 1e-9 * (1 + efforts.norm())) << n;
      }
    }
  }
}

// What the roots carry is what changes the momentum of all above them, from momenta at neighbouring times.
TEST(JointReactions, AtTheRootTheyChangeTheMomentum) {
  RandomModels random(8);
  int trees = 0;
  for (int n = 0; n < 30; ++n) {
    const Example e = MakeExample(n, &random);
    BodyWrenches wrenches;
    wrenches.Reset(e.model.bodies.size());
    ComputeJointReactions(e.model, e.kinematics, e.acceleration, &wrenches);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), weight = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t i = 0; i < e.model.bodies.size(); ++i) {
      const ModelBody& body = e.model.bodies[i];
      const Vec3 mg = body.mass * e.model.gravity;
      weight += mg;
      moment += (e.kinematics.X_WB[i] * body.com).cross(mg);
      if (body.parent != kWorld) continue;
      ++trees;
      force += wrenches.force[i];
      torque += wrenches.torque[i] + e.kinematics.X_WB[i].position.cross(wrenches.force[i]);
    }
    if (!e.model.lone_bodies.empty()) continue;  // what no joint holds has no reaction
    const double dt = 1e-5;
    const auto momentum = [&](double t) {
      MotionState state = e.state;
      state.v += t * e.acceleration;
      AdvancePositions(e.model, e.state.v + 0.5 * t * e.acceleration, t, &state.q);
      Vec3 linear, angular;
      Momentum(e.model, KinematicsOf(e.model, state), &linear, &angular);
      return std::pair(linear, angular);
    };
    const auto after = momentum(dt), before = momentum(-dt);
    EXPECT_LT(((after.first - before.first) / (2 * dt) - force - weight).norm(), 1e-6 * (1 + force.norm())) << n;
    EXPECT_LT(((after.second - before.second) / (2 * dt) - torque - moment).norm(), 1e-6 * (1 + torque.norm())) << n;
  }
  EXPECT_GT(trees, 20);
}

}  // namespace
}  // namespace slipstick::internal
