#include <cstring>

#include "tests/physics/scene_runs.h"

// Bodies that take part from a time on.

namespace slipstick::internal {
namespace {

Simulation Prepare(const std::string& text, const Overrides& overrides = {}) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\n" + text, "release.yaml", overrides));
}

constexpr const char* kBalls = R"(
world: {shapes: [{type: plane}]}
bodies:
  - {name: floor, mass: 1, position: [0, 0, 0.1], shapes: [{type: sphere, radius: 0.1}]}
  - {name: late, mass: 2, position: [0, 0, 0.25], release: 0.3, velocity: [0.5, 0, 0], angular_velocity: [0, 3, 1],
     shapes: [{type: sphere, radius: 0.1}]}
  - {name: later, mass: 3, position: [5, 0, 4], velocity: [1, 2, 3], release: 0.7, shapes: [{type: sphere, radius: 0.1}]}
stepper: {step: 0.01, duration: 1}
)";

// `late` overlaps `floor` all the while that it waits: nothing comes of it.
TEST(Release, AWaitingBodyTakesNoPart) {
  Simulation simulation = Prepare(kBalls);
  const VecX start = simulation.state().q;
  EXPECT_EQ(simulation.state().v.norm(), 0);
  EXPECT_NEAR(simulation.energy().initial, 9.81 * 0.1, 1e-12);
  RunUntil(0.3, &simulation, [&](const Simulation& s) {
    EXPECT_EQ(std::memcmp(s.state().q.data(), start.data(), 21 * sizeof(double)), 0) << s.state().time;
    EXPECT_EQ(s.state().v.tail<12>().norm(), 0);
    EXPECT_EQ(s.last_step().problem.contacts.size(), 1);
    EXPECT_EQ(s.energy().kinetic, 0);
  });
  EXPECT_EQ(simulation.state().released, 0);
}

// The first step that starts at or after the release, for steps whose multiples round up and down.
TEST(Release, ComesAtTheFirstStepThatStartsAtItOrAfter) {
  for (const double h : {0.1, 0.01, 0.001, 0.03, 0.3, 1.0 / 3}) {
    for (int k : {1, 3, 7, 29, 57}) {
      for (const double shift : {-0.5, 0.0, 0.5}) {
        const double release = (k + shift) * h;
        Simulation simulation = Prepare(
            kBalls,
            {{"stepper.step", Text(h)}, {"bodies.later.release", Text(release)}, {"bodies.late.release", "1000"}});
        int steps = 0;
        while (simulation.state().released == 0 && steps < 100) {
          simulation.Step();
          ++steps;
        }
        // step number n starts at (n − 1) h
        EXPECT_EQ(steps - 1, shift > 0 ? k + 1 : k) << "h " << h << " release " << release;
      }
    }
  }
}

// Free flight from the release on, which the midpoint step has exactly: z = z₀ + v τ − ½ g τ².
TEST(Release, FliesFromItsReleaseOn) {
  Simulation simulation = Prepare(kBalls, {{"bodies.late.position", "[-5, 0, 3]"}});
  RunUntil(1, &simulation);
  const double tau = 0.3;
  const Vec3 expected = Vec3(5, 0, 4) + tau * Vec3(1, 2, 3) - 0.5 * 9.81 * tau * tau * Vec3::UnitZ();
  EXPECT_LT((simulation.kinematics().X_WB[2].position - expected).norm(), 1e-12);
  EXPECT_LT((simulation.kinematics().angular_velocity[1] - Vec3(0, 3, 1)).norm(), 1e-12);
  // and the account: what came in
  const EnergyAccount& energy = simulation.energy();
  const double brought_late = 0.5 * 2 * 0.25 + 0.5 * (0.4 * 2 * 0.01) * 10 + 2 * 9.81 * 3;
  const double brought_later = 0.5 * 3 * 14 + 3 * 9.81 * 4;
  EXPECT_NEAR(energy.released, brought_late + brought_later, 1e-10);
  EXPECT_NEAR(energy.remainder, 0, 1e-9);
}

// Given forces wait too.
TEST(Release, ForcesWaitForTheirBody) {
  Simulation simulation = Prepare(std::string(kBalls) + "forces: [{body: later, force: [0, 0, 3*9.81]}]\n",
                                  {{"bodies.late.release", "1000"}});
  RunUntil(1, &simulation);
  EXPECT_LT((simulation.kinematics().X_WB[2].position - Vec3(5.3, 0.6, 4.9)).norm(), 1e-12);
  EXPECT_NEAR(simulation.energy().work.applied, 3 * 9.81 * 0.9, 1e-10);
  EXPECT_NEAR(simulation.energy().remainder, 0, 1e-10);
}

// From a snapshot taken before, between and after the releases the same bits follow, also backwards.
TEST(Release, SnapshotsHaveTheSameFuture) {
  Simulation simulation = Prepare(kBalls, {{"bodies.late.position", "[0, 0, 0.6]"}});
  std::vector<State> snapshots;
  std::vector<std::uint64_t> hashes;
  for (int k = 0; k < 90; ++k) {
    if (k % 15 == 0) snapshots.push_back(simulation.state());
    simulation.Step();
    hashes.push_back(simulation.StateHash());
  }
  EXPECT_EQ(simulation.state().released, 2);
  for (int s = static_cast<int>(snapshots.size()) - 1; s >= 0; --s) {
    simulation.SetState(snapshots[s]);
    for (int k = 15 * s; k < 90; ++k) {
      simulation.Step();
      ASSERT_EQ(simulation.StateHash(), hashes[k]) << "snapshot " << s << ", step " << k;
    }
    EXPECT_EQ(simulation.energy().released, snapshots.back().energy.released);
  }
}

TEST(Release, WhatIsJoinedMayNotWait) {
  const std::string arm =
      "bodies:\n  - {name: base, mass: 1, inertia: [1, 1, 1], release: 1}\n  - {name: arm, mass: 1, inertia: [1, 1, "
      "1]}\n";
  EXPECT_THROW(Prepare(arm + "joints: [{name: j, type: revolute, parent: base, child: arm}]\n"), InputError);
  EXPECT_THROW(Prepare(arm + "constraints: [{type: distance, between: [base, arm], length: 1}]\n"), InputError);
  EXPECT_THROW(Prepare(arm + "constraints: [{type: motion, coordinate: base, rate: 1}]\n"), InputError);
  Prepare(arm);
}

// A poured heap: every stone arrives, the account stays closed, and two runs are equal to the bit.
TEST(Release, PouredStonesComeToRest) {
  constexpr const char* kPour = R"(
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.6}]
groups:
  - name: stone
    template: {density: 2000, velocity: [0, 0, -1], shapes: [{type: sphere, radius: 0.0225}]}
    pour: {count: 20, rate: 100, region: {center: [0, 0, 0.4], size: [0.1, 0.1, 0.1]}}
stepper: {step: 0.005, duration: 0.6}
)";
  Simulation one = Prepare(kPour), other = Prepare(kPour);
  RunUntil(0.6, &one);
  RunUntil(0.6, &other);
  EXPECT_EQ(one.state().released, 19);  // the first one is there from the start
  EXPECT_EQ(one.StateHash(), other.StateHash());
  for (int i = 0; i < 20; ++i) EXPECT_LT(one.kinematics().X_WB[i].position.z(), 0.2);
  const EnergyAccount& energy = one.energy();
  EXPECT_NEAR(energy.Total(), energy.initial + energy.released + energy.work.Sum() + energy.remainder, 1e-12);
  // semi-implicit steps lose ½ m g² h a second of free flight, here at most 0.3 s of it; the rest is the turn of M
  const double mass = 20 * one.model().bodies[0].mass;
  EXPECT_LT(std::abs(energy.remainder), 0.5 * mass * 9.81 * 9.81 * 0.005 * 0.6);
}

}  // namespace
}  // namespace slipstick::internal
