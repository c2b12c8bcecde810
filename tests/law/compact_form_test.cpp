#include "slipstick/law/compact_form.h"

#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

// Balls with eccentric masses that roll and slide against each other: nothing is symmetric, and no contact is
// redundant, because then sliding has more than one answer.
constexpr const char* kHeap = R"(
format: slipstick-scene 1
materials: [{name: default, friction: 0.4}]
world: {shapes: [{type: plane}]}
bodies:
  - {name: odd, mass: 2, inertia: [0.01, 0.02, 0.015], com: [0.01, -0.02, 0.03], position: [0, 0, 0.1],
     velocity: [0.3, 0.1, 0], angular_velocity: [0.1, 1, 2], shapes: [{type: sphere, radius: 0.1}]}
  - {name: top, mass: 1, position: [0.1, 0, 0.2735], velocity: [0, 0.2, -0.1], shapes: [{type: sphere, radius: 0.1}]}
  - {name: other, mass: 3, position: [0.2, 0.01, 0.1], velocity: [-0.2, 0, 0], shapes: [{type: sphere, radius: 0.1}]}
law: coulomb
solver: SOLVER
stepper: {step: 0.002, duration: 0.1}
)";

Simulation Heap(const std::string& solver) {
  std::string text = kHeap;
  text.replace(text.find("SOLVER"), 6, solver);
  return Simulation(ReadSceneText(text, "heap.yaml"));
}

// The same motion by rows and W with the ladder, and by arms with sweeps.
TEST(CompactForm, SameMotionAsWithRows) {
  Simulation rows = Heap("auto"), compact = Heap("{name: contact-sweep, max_iterations: 20000}");
  int contacts = 0;
  for (int k = 0; k < 50; ++k) {
    const StepRecord &one = rows.Step(), &other = compact.Step();
    ASSERT_TRUE(one.certificate.passed) << one.certificate.reason;
    ASSERT_TRUE(other.certificate.passed) << other.certificate.reason;
    EXPECT_EQ(other.report.solver, "contact-sweep");
    contacts = std::max(contacts, other.problem.contacts.size());
  }
  EXPECT_GE(contacts, 4);
  EXPECT_LT((rows.state().q - compact.state().q).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_LT((rows.state().v - compact.state().v).lpNorm<Eigen::Infinity>(), 1e-5);
}

// Read from dense pieces, as a saved problem has them, or from frames and arms: the same program.
TEST(CompactForm, DensePiecesGiveTheSameArms) {
  Simulation simulation = Heap("auto");
  ContactProblem problem = simulation.Step().problem;
  std::vector<double> friction;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    friction.push_back(problem.contacts.surface(i).friction_static);
  }
  const CompactTerms terms{.friction = friction, .target = problem.contacts.normal_target};
  CompactProgram program, again;
  CompactImpulses impulses;
  HeldMechanisms mechanisms;
  const ContactProblem before = problem;
  ASSERT_TRUE(ToCompactProgram(before, terms, &mechanisms, &program, &impulses));
  const BlockRows& rigid = before.contacts.jacobian;
  problem.contacts.jacobian.Reset(rigid.layout());
  for (int g = 0; g < rigid.groups(); ++g) {
    problem.contacts.jacobian.Append(rigid.frame(g), rigid.block_a(g), rigid.block_b(g));
    problem.contacts.jacobian.piece_a(g) = rigid.piece_a(g);
    problem.contacts.jacobian.piece_b(g) = rigid.piece_b(g);
  }
  ASSERT_TRUE(ToCompactProgram(problem, terms, &mechanisms, &again, &impulses));
  ASSERT_GT(program.size(), 0);
  for (int i = 0; i < program.size(); ++i) {
    const CompactContact one = program.contact(i), other = again.contact(i);
    EXPECT_LT((one.arm_a - other.arm_a).norm(), 1e-15);
    EXPECT_LT((one.arm_b - other.arm_b).norm(), 1e-15);
    EXPECT_EQ(one.normal, other.normal);
    EXPECT_EQ(one.friction, other.friction);
    EXPECT_EQ(one.rolling, other.rolling);
    EXPECT_EQ(one.target, other.target);
  }
  // rows that are no body's
  problem.contacts.jacobian.piece_a(0)(0, 0) += 0.1;
  EXPECT_FALSE(ToCompactProgram(problem, terms, &mechanisms, &again, &impulses));
}

}  // namespace
}  // namespace slipstick::internal
