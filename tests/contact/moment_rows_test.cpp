#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/contact/energy_account.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/contact/motion_of.h"

// Rows of rolling and spinning friction, and contacts that give way, as a scene makes them.

namespace slipstick::internal {
namespace {

// Two balls, one on the ground and one on top of it a little aside, all turning.
Scene TwoBalls(const std::string& materials) {
  return ReadSceneText(R"(
format: slipstick-scene 1
gravity: [0, 0, -9.81]
)" + materials + R"(
world:
  shapes: [{type: plane, material: ground}]
bodies:
  - name: lower
    mass: 2
    position: [0, 0, 0.3]
    velocity: [0.5, -0.2, 0]
    angular_velocity: [3, 1, -2]
    shapes: [{type: sphere, radius: 0.3, material: ball}]
  - name: upper
    mass: 1
    position: [0.24, 0, 0.62]
    angular_velocity: [-1, 4, 5]
    shapes: [{type: sphere, radius: 0.1, material: ball}]
)",
                       "two-balls.yaml");
}

const std::string kRolling = R"(
materials:
  - {name: ball, rolling_friction: 0.02, spinning_friction: 0.01}
  - {name: ground}
material_pairs:
  - {between: [ball, ball], rolling_friction: 0, spinning_friction: 0.004}
)";

TEST(MomentRows, AreTheRelativeAngularVelocityOfTheBodies) {
  Simulation simulation = Simulation(TwoBalls(kRolling));
  const Kinematics before = simulation.kinematics();
  const StepRecord& record = simulation.Step();
  const ContactSet& contacts = record.problem.contacts;
  ASSERT_EQ(contacts.size(), 2);
  ASSERT_EQ(contacts.angular.groups(), 2);
  VecX turn(6);
  contacts.angular.Multiply(record.problem.velocity, turn);
  for (int i = 0; i < 2; ++i) {
    const auto omega = [&](int shape) {
      const int body = simulation.model().shapes[shape].body;
      return body == kWorld ? Vec3(0, 0, 0) : before.angular_velocity[body];
    };
    const Vec3 relative = omega(contacts.key[i].shape_a) - omega(contacts.key[i].shape_b);
    EXPECT_LE((contacts.FromComponents(i, Vec3(turn.segment<3>(3 * contacts.angular_group[i]))) - relative).norm(),
              1e-14);
    EXPECT_LE((contacts.Components(i, relative) - turn.segment<3>(3 * contacts.angular_group[i])).norm(), 1e-14);
    const bool ground = simulation.model().shapes[contacts.key[i].shape_b].body == kWorld;
    EXPECT_EQ(contacts.surface(i).rolling, ground ? 0.02 : 0.0);
    EXPECT_EQ(contacts.surface(i).spinning, ground ? 0.01 : 0.004);
    EXPECT_EQ(contacts.surface(i).normal_compliance, 0);
    EXPECT_EQ(contacts.surface(i).tangential_compliance, 0);
    // sphere: J M⁻¹ Jᵀ has (1 + 2 · 7/2)/m, the angular rows 3/(2/5 m r²), for a ball on the ground
    if (ground) {
      EXPECT_NEAR(contacts.angular_length[contacts.angular_group[i]], 0.3 * std::sqrt(16.0 / 15), 1e-14);
    }
  }
}

// Moments act on both bodies against each other, and their work is what the kinetic energy loses by them.
TEST(MomentRows, ImpulsesTurnBothBodiesAndDoWork) {
  Simulation simulation = Simulation(TwoBalls(kRolling));
  StepRecord record = simulation.Step();
  const ContactProblem& problem = record.problem;
  ContactSolution solution = record.solution;
  solution.contact.setZero();
  solution.moment.setZero();
  const int pair = simulation.model().shapes[problem.contacts.key[0].shape_b].body == kWorld ? 1 : 0;
  solution.moment.segment<3>(3 * problem.contacts.angular_group[pair]) = Vec3(0.01, 0.02, -0.03);
  ComputeVelocity(problem, &solution);
  const VecX change = solution.velocity - problem.free_velocity;
  VecX momentum(12);
  problem.mass.Multiply(change, momentum);
  const Vec3 world = problem.contacts.FromComponents(pair, Vec3(0.01, 0.02, -0.03));
  // free joint: angular velocity first; shape A is the lower ball
  EXPECT_LE((momentum.segment<3>(0) - world).norm(), 1e-15);
  EXPECT_LE((momentum.segment<3>(6) + world).norm(), 1e-15);
  EXPECT_EQ(momentum.segment<3>(3).norm() + momentum.segment<3>(9).norm(), 0.0);
  ContactProblem still = problem;
  still.free_velocity = problem.velocity;
  ComputeVelocity(still, &solution);
  const StepWork work = ComputeStepWork(still, solution, VecX::Zero(12));
  VecX before(12), after(12);
  still.mass.Multiply(still.velocity, before);
  still.mass.Multiply(solution.velocity, after);
  const double gain = 0.5 * (solution.velocity.dot(after) - still.velocity.dot(before));
  EXPECT_NEAR(work.rolling, gain, 1e-14);
  EXPECT_EQ(work.rolling, work.Sum());
}

TEST(ContactCompliance, ModuliAndStiffnessesOfTheMaterials) {
  // steel on rigid ground: 1/E* = (1 − ν²)/E; ball on ball: twice that; 1/G* = 2(2 − ν)(1 + ν)/E each
  const Scene scene = TwoBalls(R"(
materials:
  - {name: ball, young_modulus: 2.1e11, poisson_ratio: 0.25}
  - {name: ground, normal_stiffness: 1e6, tangential_stiffness: 2e6}
)");
  Simulation simulation = Simulation(scene);
  const Model& model = simulation.model();
  const PairProperties& on_ground = model.Pair(0, 2);
  EXPECT_NEAR(on_ground.contact_modulus, 2.1e11 / (1 - 0.0625), 1);
  EXPECT_NEAR(on_ground.shear_modulus, 2.1e11 / (2 * 1.75 * 1.25), 1);
  EXPECT_EQ(on_ground.normal_stiffness, 1e6);
  EXPECT_EQ(on_ground.tangential_stiffness, 2e6);
  const PairProperties& balls = model.Pair(0, 1);
  EXPECT_NEAR(balls.contact_modulus, 0.5 * 2.1e11 / (1 - 0.0625), 1);
  EXPECT_TRUE(std::isinf(balls.normal_stiffness));
  EXPECT_FALSE(model.Pair(0, 2).has_moments());
}

}  // namespace
}  // namespace slipstick::internal
