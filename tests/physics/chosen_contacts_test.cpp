#include <fmt/format.h>

#include "slipstick/base/random_source.h"
#include "tests/physics/scene_runs.h"

// Only points that matter are in a step's problem, docs/theory.md (T1b): the answer must be that of all points.

namespace slipstick::internal {
namespace {

Simulation Prepare(const std::string& text, const Overrides& overrides = {}) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\n" + text, "chosen.yaml", overrides));
}

// Goes on from where `chosen` is with all points within a metre, for one step.
VecX StepWithAllPoints(const Simulation& chosen, Simulation* all) {
  all->SetState(chosen.state());
  all->Step();
  return all->state().v;
}

// A row of balls, each a millimetre from the next, hit by one at 5 m/s: how far a step of 5 ms passes the hit on nobody
// can foresee.
TEST(ChosenContacts, AHitGoesThroughARowOfBalls) {
  std::string row = "gravity: [0, 0, 0]\nbodies:\n";
  for (int i = 0; i < 6; ++i) {
    row += fmt::format(
        "  - {{name: b{}, mass: 1, position: [{}, 0, 0], velocity: [{}, 0, 0], shapes: [{{type: sphere, "
        "radius: 0.05}}]}}\n",
        i, 0.101 * i + (i > 0 ? 0.01 : 0), i > 0 ? 0 : 5);
  }
  row += "law: coulomb\nstepper: {step: 0.005, duration: 0.1, gap_correction: 1}\n";
  Simulation chosen = Prepare(row), all = Prepare(row, {{"stepper.contact_margin", "1"}});
  int most_programs = 0;
  for (int k = 0; k < 12; ++k) {
    const VecX expected = StepWithAllPoints(chosen, &all);
    const StepRecord& record = chosen.Step();
    EXPECT_TRUE(record.certificate.passed) << record.certificate.reason;
    EXPECT_LE((chosen.state().v - expected).cwiseAbs().maxCoeff(), 1e-5) << k;
    EXPECT_LE(record.problem.contacts.size(), all.last_step().problem.contacts.size());
    most_programs = std::max(most_programs, record.programs);
  }
  EXPECT_GT(most_programs, 1);  // or nothing was left out that mattered
  EXPECT_LT(chosen.JudgePresentPositions().penetration, 1e-6);
}

// Without friction v⁺ is unique, whatever the contacts.
TEST(ChosenContacts, ACloudOfBallsMovesAsWithAllPoints) {
  RandomSource random(5);
  std::string cloud = "materials: [{name: default, friction: 0}]\nworld: {shapes: [{type: plane}]}\nbodies:\n";
  int count = 0;
  for (int x = 0; x < 3; ++x) {
    for (int y = 0; y < 3; ++y) {
      for (int z = 0; z < 3; ++z) {
        const auto jitter = [&] { return random.Uniform(-0.02, 0.02); };
        cloud += fmt::format(
            "  - {{name: b{}, mass: 1, position: [{}, {}, {}], velocity: [{}, {}, {}], shapes: [{{type: sphere, "
            "radius: 0.05}}]}}\n",
            count++, 0.15 * x + jitter(), 0.15 * y + jitter(), 0.1 + 0.15 * z + jitter(), -5 * (x - 1), -5 * (y - 1),
            random.Uniform(-4, 0));
      }
    }
  }
  cloud += "law: coulomb\nstepper: {step: 0.005, duration: 0.2}\n";
  Simulation chosen = Prepare(cloud), all = Prepare(cloud, {{"stepper.contact_margin", "0.2"}});
  double chosen_points = 0, all_points = 0;
  for (int k = 0; k < 8; ++k) {
    const VecX expected = StepWithAllPoints(chosen, &all);
    const StepRecord& record = chosen.Step();
    EXPECT_LE((chosen.state().v - expected).cwiseAbs().maxCoeff(), 1e-4 * record.problem.velocity_scale) << k;
    chosen_points += record.problem.contacts.size();
    all_points += all.last_step().problem.contacts.size();
  }
  EXPECT_LT(chosen_points, 0.3 * all_points);
  EXPECT_GT(chosen_points, 50);
}

}  // namespace
}  // namespace slipstick::internal
