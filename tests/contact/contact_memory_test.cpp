#include "slipstick/contact/store_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/base/check.h"
#include "tests/law/random_problems.h"

namespace slipstick::internal {
namespace {

ContactKey Key(std::uint64_t low, std::uint64_t high = 0) { return ContactKey::From(high, low); }

ContactHistory Recalled(const ContactMemory& memory, const ContactKey& key) {
  int hint = 0;
  const int found = memory.Find(key, &hint);
  return found < 0 ? ContactHistory{} : memory.histories[found];
}

using testing::RandomNumbers;
using testing::RandomProblem;
using testing::SolveProblem;

TEST(ContactMemory, FindsWhatWasStoredByKey) {
  RandomNumbers random(41);
  ContactProblem problem = RandomProblem({.contacts = 4}, &random);
  problem.contacts.key = {Key(3), Key(70), Key(71), Key(0, 1)};
  const ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  ContactMemory memory;
  EXPECT_FALSE(Recalled(memory, Key(3)).known);
  StoreContacts(problem, solution, &memory);
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
    EXPECT_TRUE(memory.values.empty());
  }
  for (std::uint64_t key : {0ul, 2ul, 4ul, 69ul, 72ul, ~0ul}) EXPECT_FALSE(Recalled(memory, Key(key)).known) << key;
  EXPECT_FALSE(Recalled(memory, Key(1, 1)).known);
}

TEST(ContactMemory, ForgetsContactsThatAreGone) {
  RandomNumbers random(42);
  const Method method = testing::MethodOf("box");
  ContactMemory memory;
  ContactProblem first = RandomProblem({.contacts = 3}, &random), second = RandomProblem({.contacts = 2}, &random);
  first.contacts.key = {Key(1), Key(2), Key(3)};
  second.contacts.key = {Key(2), Key(9)};
  StoreContacts(first, SolveProblem(method, first), &memory);
  const ContactSolution solution = SolveProblem(method, second);
  StoreContacts(second, solution, &memory);
  EXPECT_EQ(memory.size(), 2);
  EXPECT_FALSE(Recalled(memory, Key(1)).known);
  EXPECT_FALSE(Recalled(memory, Key(3)).known);
  EXPECT_EQ(Recalled(memory, Key(2)).normal_force, solution.Normal(0) / second.step);
  EXPECT_EQ(Recalled(memory, Key(9)).normal_force, solution.Normal(1) / second.step);
  memory.Clear();
  EXPECT_EQ(memory.size(), 0);
  EXPECT_FALSE(Recalled(memory, Key(2)).known);
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
  StoreContacts(problem, solution, &memory);
  const Vec3 force = Recalled(memory, problem.contacts.key[0]).tangential_force;
  EXPECT_NEAR(force.norm(), 0.5 / problem.step, 1e-9);
  EXPECT_NEAR(force.dot(normal), 0, 1e-12 * force.norm());
  give_frame({normal, 0.6 * t1 + 0.8 * t2});
  const Vec2 turned = problem.contacts.Tangential(0, force) * problem.step;
  EXPECT_NEAR(turned[0], 0.6 * 0.3 - 0.8 * 0.4, 1e-12);
  EXPECT_NEAR(turned[1], -0.8 * 0.3 - 0.6 * 0.4, 1e-12);
}

// What a law keeps in slots of its own is found again beside the forces, and an answer without it is a broken law.
TEST(ContactMemory, SlotsOfLawsAreRemembered) {
  RandomNumbers random(44);
  ContactProblem problem = RandomProblem({.contacts = 2}, &random);
  problem.contacts.key = {Key(5), Key(6)};
  ContactSolution solution = SolveProblem(testing::MethodOf("coulomb"), problem);
  problem.contacts.slots = {{.name = "dwell", .unit = "s"},
                            {.name = "spring", .unit = "N", .kind = MemorySlot::Kind::kVector}};
  solution.contact_memory.resize(8);
  solution.contact_memory << 1, 0.1, 0.2, 0, 2, -0.3, 0.4, 0;
  ContactMemory memory;
  StoreContacts(problem, solution, &memory);
  EXPECT_EQ(memory.slots, problem.contacts.slots);
  int hint = 0;
  ASSERT_EQ(memory.Find(Key(6), &hint), 1);
  EXPECT_EQ(memory.values, (std::vector<double>{1, 0.1, 0.2, 0, 2, -0.3, 0.4, 0}));
  solution.contact_memory.resize(0);
  EXPECT_THROW(StoreContacts(problem, solution, &memory), BrokenInvariant);
  problem.contacts.slots.clear();
  StoreContacts(problem, solution, &memory);
  EXPECT_TRUE(memory.slots.empty() && memory.values.empty());
}

}  // namespace
}  // namespace slipstick::internal
