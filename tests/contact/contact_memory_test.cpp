#include "slipstick/contact/contact_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/law/random_problems.h"

namespace slipstick::internal {
namespace {

ContactHistory Recalled(const ContactMemory& memory, std::uint64_t key) {
  int hint = 0;
  const ContactHistory* found = memory.Find(key, &hint);
  return found == nullptr ? ContactHistory{} : *found;
}

using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

TEST(ContactMemory, FindsWhatWasStoredByKey) {
  RandomNumbers random(41);
  ContactProblem problem = RandomProblem({.contacts = 4}, &random);
  problem.contacts.key = {3, 70, 71, std::uint64_t{1} << 60};
  const ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  ContactMemory memory;
  EXPECT_FALSE(Recalled(memory, 3).known);
  memory.Store(problem, solution);
  EXPECT_EQ(memory.size(), 4);
  VecX velocities(12);
  problem.contacts.jacobian.Multiply(solution.velocity, velocities);
  for (int i = 0; i < 4; ++i) {
    const ContactHistory history = Recalled(memory, problem.contacts.key[i]);
    EXPECT_TRUE(history.known);
    EXPECT_EQ(history.normal_force, solution.Normal(i) / problem.step);
    // world axes: the contacts' tangents are x and y
    EXPECT_LE((history.tangential_force.head<2>() - solution.Tangential(i) / problem.step).norm(), 1e-12);
    EXPECT_EQ(history.tangential_force.z(), 0);
    EXPECT_FALSE(memory.has_springs());
  }
  for (std::uint64_t key : {0ul, 2ul, 4ul, 69ul, 72ul, ~0ul}) EXPECT_FALSE(Recalled(memory, key).known) << key;
}

TEST(ContactMemory, ForgetsContactsThatAreGone) {
  RandomNumbers random(42);
  const Method method = testing::MethodOf("box");
  ContactMemory memory;
  ContactProblem first = RandomProblem({.contacts = 3}, &random), second = RandomProblem({.contacts = 2}, &random);
  first.contacts.key = {1, 2, 3};
  second.contacts.key = {2, 9};
  memory.Store(first, SolveProblem(method, first));
  const ContactSolution solution = SolveProblem(method, second);
  memory.Store(second, solution);
  EXPECT_EQ(memory.size(), 2);
  EXPECT_FALSE(Recalled(memory, 1).known);
  EXPECT_FALSE(Recalled(memory, 3).known);
  EXPECT_EQ(Recalled(memory, 2).normal_force, solution.Normal(0) / second.step);
  EXPECT_EQ(Recalled(memory, 9).normal_force, solution.Normal(1) / second.step);
  memory.Clear();
  EXPECT_EQ(memory.size(), 0);
  EXPECT_FALSE(Recalled(memory, 2).known);
}

// Forces are kept in world axes, so they are right also where the tangents have turned by the next step.
TEST(ContactMemory, ForcesSurviveTurnedTangents) {
  RandomNumbers random(43);
  ContactProblem problem = RandomProblem({.contacts = 1}, &random);
  const Vec3 normal = Vec3(0.3, -0.5, 0.8).normalized();
  Vec3 t1, t2;
  CompleteFrame(normal, &t1, &t2);
  const auto give_frame = [&](const BlockRows::Frame& frame) {
    const BlockRows before = problem.contacts.jacobian;
    problem.contacts.jacobian.Reset(before.layout());
    problem.contacts.jacobian.Append(frame, before.block_a(0), before.block_b(0));
    if (before.block_a(0) >= 0) problem.contacts.jacobian.piece_a(0) = before.piece_a(0);
    if (before.block_b(0) >= 0) problem.contacts.jacobian.piece_b(0) = before.piece_b(0);
  };
  give_frame({normal, t1});
  ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  solution.contact << 2, 0.3, -0.4;
  ContactMemory memory;
  memory.Store(problem, solution);
  const Vec3 force = Recalled(memory, problem.contacts.key[0]).tangential_force;
  EXPECT_NEAR(force.norm(), 0.5 / problem.step, 1e-9);
  EXPECT_NEAR(force.dot(normal), 0, 1e-12 * force.norm());
  give_frame({normal, 0.6 * t1 + 0.8 * t2});
  const Vec2 turned = problem.contacts.Tangential(0, force) * problem.step;
  EXPECT_NEAR(turned[0], 0.6 * 0.3 - 0.8 * 0.4, 1e-12);
  EXPECT_NEAR(turned[1], -0.8 * 0.3 - 0.6 * 0.4, 1e-12);
}

// The springs' part of friction, where a law has one, is remembered apart.
TEST(ContactMemory, SpringsAreRemembered) {
  RandomNumbers random(44);
  ContactProblem problem = RandomProblem({.contacts = 2}, &random);
  problem.contacts.key = {5, 6};
  ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  solution.spring = Eigen::Vector4d(0.1, 0.2, -0.3, 0.4);
  ContactMemory memory;
  memory.Store(problem, solution);
  ASSERT_TRUE(memory.has_springs());
  int hint = 0;
  const ContactHistory* found = memory.Find(6, &hint);
  ASSERT_NE(found, nullptr);
  EXPECT_LT((memory.SpringForce(*found) * problem.step - Vec3(-0.3, 0.4, 0)).norm(), 1e-15);
  solution.spring.resize(0);
  memory.Store(problem, solution);
  EXPECT_FALSE(memory.has_springs());
  EXPECT_EQ(memory.SpringForce(*memory.Find(6, &hint)), memory.Find(6, &hint)->tangential_force);
}

}  // namespace
}  // namespace slipstick::internal
