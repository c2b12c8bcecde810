#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "slipstick/run/run_simulation.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// The same scene gives the same bits: run twice, sampled otherwise, or taken up again from a snapshot.

namespace slipstick::internal {
namespace {

// Bodies that fall on each other and slide: contacts come and go, so that their order and their memory matter.
constexpr const char* kHeap = R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.4, restitution: 0.3, tangential_stiffness: 1e6}]
bodies:
  - {name: low, mass: 1, position: [0, 0, 0.1], shapes: [{type: sphere, radius: 0.1}]}
  - {name: beside, mass: 2, position: [0.19, 0.02, 0.12], velocity: [-0.5, 0, 0], shapes: [{type: sphere, radius: 0.1}]}
  - {name: high, mass: 0.5, position: [0.08, 0.01, 0.35], angular_velocity: [3, 5, 1], shapes: [{type: sphere, radius: 0.1}]}
joints:
  - {name: pendulum, type: revolute, axis: [0, 1, 0], child: arm, parent_frame: {position: [0.3, 0, 0.6]}, child_frame: {position: [0, 0, 0.3]}, position: 1, friction: 0.01}
stepper: {step: 0.002, duration: 0.6}
)";
constexpr const char* kArm = "  - {name: arm, mass: 0.3, shapes: [{type: sphere, radius: 0.1}]}\n";

Scene Heap(const std::string& law) {
  std::string text = kHeap;
  text.insert(text.find("joints:"), kArm);
  return ReadSceneText(text, "heap.yaml", {{"law", law}});
}

const char* const kLaws[] = {"coulomb", "regularized", "{name: regularized, bounds: iterated}", "bristle", "liang",
                             "box",     "polygonal"};

RunResult RunHeap(const std::string& law, double sample_every) {
  Simulation simulation = Simulation(Heap(law));
  RunOptions options;
  options.duration = simulation.duration();
  options.sample_every = sample_every;
  return RunSimulation(&simulation, options);
}

bool SameBits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

class Determinism : public ::testing::TestWithParam<const char*> {};

TEST_P(Determinism, TwoRunsAreEqualToTheBit) {
  const RunResult one = RunHeap(GetParam(), 0), other = RunHeap(GetParam(), 0);
  EXPECT_EQ(one.summary.state_hash, other.summary.state_hash);
  EXPECT_EQ(one.trajectory.total, other.trajectory.total);
  EXPECT_EQ(one.trajectory.normal_force, other.trajectory.normal_force);
  EXPECT_GE(one.summary.largest_contacts, 3);  // so that there was something to go wrong
}

TEST_P(Determinism, SamplingDoesNotChangeTheRun) {
  const RunResult every = RunHeap(GetParam(), 0);
  for (double interval : {0.01, 0.1, 7.0}) {
    const RunResult some = RunHeap(GetParam(), interval);
    EXPECT_EQ(some.summary.state_hash, every.summary.state_hash);
    EXPECT_LT(some.trajectory.size(), every.trajectory.size());
    EXPECT_EQ(some.summary.law_residual.worst, every.summary.law_residual.worst);
    // the last state is always a sample
    EXPECT_EQ(some.trajectory.time.back(), every.trajectory.time.back());
    EXPECT_EQ(some.trajectory.total.back(), every.trajectory.total.back());
  }
}

TEST_P(Determinism, SnapshotsHaveTheSameFuture) {
  Simulation simulation = Simulation(Heap(GetParam()));
  for (int k = 0; k < 120; ++k) simulation.Step();
  const State snapshot = simulation.state();
  const std::uint64_t middle = simulation.StateHash();
  for (int k = 0; k < 150; ++k) simulation.Step();
  const std::uint64_t end = simulation.StateHash();
  const VecX q = simulation.state().q, v = simulation.state().v;
  const EnergyAccount energy = simulation.energy();
  EXPECT_NE(middle, end);

  // in the same simulation, whose workspaces hold what came later
  simulation.SetState(snapshot);
  EXPECT_EQ(simulation.StateHash(), middle);
  for (int k = 0; k < 150; ++k) simulation.Step();
  EXPECT_EQ(simulation.StateHash(), end);
  EXPECT_TRUE(SameBits(simulation.state().q, q) && SameBits(simulation.state().v, v));
  EXPECT_EQ(simulation.energy().remainder, energy.remainder);
  EXPECT_EQ(simulation.energy().work.friction, energy.work.friction);

  // and in one that has seen nothing
  Simulation fresh = Simulation(Heap(GetParam()));
  fresh.SetState(snapshot);
  for (int k = 0; k < 150; ++k) fresh.Step();
  EXPECT_EQ(fresh.StateHash(), end);
  EXPECT_EQ(fresh.energy().remainder, energy.remainder);
}

INSTANTIATE_TEST_SUITE_P(Laws, Determinism, ::testing::ValuesIn(kLaws));

TEST(DeterminismOfTheHash, SeesTheLastBit) {
  Simulation simulation = Simulation(Heap("coulomb"));
  const std::uint64_t before = simulation.StateHash();
  EXPECT_EQ(before, Simulation(Heap("coulomb")).StateHash());
  for (int part = 0; part < 3; ++part) {
    State snapshot = simulation.state();
    double& value = part == 0 ? snapshot.time : part == 1 ? snapshot.q[4] : snapshot.v[2];
    value = std::nextafter(value, 1e9);
    Simulation changed = Simulation(Heap("coulomb"));
    changed.SetState(snapshot);
    EXPECT_NE(changed.StateHash(), before);
  }
}

// Contacts are in an order of their own, not in that in which they are found or in which bodies were written: the
// wheel's run depends on nothing but its scene.
TEST(DeterminismOfTheWheel, TwoRunsAreEqual) {
  const auto run = [] {
    Simulation simulation = Simulation(ReadScene(FindScene("wheel"), {{"stepper.duration", "0.5"}}));
    RunOptions options;
    options.duration = simulation.duration();
    return RunSimulation(&simulation, options).summary.state_hash;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace slipstick::internal
