#include <gtest/gtest.h>

#include "slipstick/model/dynamics.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/law/random_problems.h"

// Law max-dissipation on heaps: by sweeps as by dense programs, and what a heap must do.

namespace slipstick::internal {
namespace {

constexpr const char* kHeap = R"(
format: slipstick-scene 1
materials:
  - {name: grain, friction: 0.5}
world:
  shapes:
    - {type: plane, material: grain}
    - {type: plane, material: grain, position: [-0.15, 0, 0], rotation: {axis: [0, 1, 0], angle: 90*deg}}
    - {type: plane, material: grain, position: [0.15, 0, 0], rotation: {axis: [0, 1, 0], angle: -90*deg}}
    - {type: plane, material: grain, position: [0, -0.15, 0], rotation: {axis: [1, 0, 0], angle: -90*deg}}
    - {type: plane, material: grain, position: [0, 0.15, 0], rotation: {axis: [1, 0, 0], angle: 90*deg}}
groups:
  - name: grain
    template: {density: 1000, shapes: [{type: sphere, radius: 0.04, material: grain}]}
    lattice: {counts: [3, 3, 6], spacing: 0.09, origin: [-0.09, -0.09, 0.05], jitter: 0.003, count: 50}
law: max-dissipation
solver: {name: contact-sweep, speed_tolerance: 1e-3, max_iterations: 5000}
stepper: {step: 0.01, duration: 1, gap_correction: 1}
certificate: {law: 0.05}
)";

// Problems of the run, as they come up: collisions first, a heap at the end.
TEST(DissipationHeapTest, SweepsGiveTheMotionOfDensePrograms) {
  Simulation simulation = Simulation(ReadSceneText(kHeap, "heap.yaml", {}));
  std::vector<Fault> faults;
  Method dense = testing::MethodOf("max-dissipation");
  Method sweeps = MakeMethod("max-dissipation", {}, "contact-sweep",
                             {{"speed_tolerance", 1e-5}, {"max_iterations", 200000.0}}, &faults);
  ASSERT_TRUE(faults.empty());
  int compared = 0;
  for (int k = 0; k < 60; ++k) {
    const StepRecord& record = simulation.Step();
    ASSERT_TRUE(record.certificate.passed) << "step " << k << ": " << record.certificate.reason;
    if (k % 10 != 9 || record.problem.contacts.size() < 40) continue;
    SCOPED_TRACE(::testing::Message() << "step " << k << ", contacts " << record.problem.contacts.size());
    const LawAnswer exact = dense.law->Solve(record.problem, dense.solver);
    const LawAnswer swept = sweeps.law->Solve(record.problem, sweeps.solver);
    EXPECT_EQ(exact.report.status, SolveStatus::kSolved);
    EXPECT_EQ(swept.report.status, SolveStatus::kSolved) << swept.report.residual;
    const VecX difference =
        testing::DenseJacobian(record.problem) * (exact.solution.velocity - swept.solution.velocity);
    EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-3);
    ++compared;
  }
  EXPECT_GE(compared, 4);
}

TEST(DissipationHeapTest, ComesToRestAndStays) {
  Simulation simulation = Simulation(ReadSceneText(kHeap, "heap.yaml", {}));
  double highest = 0, late = 0;
  // the last balls find their places after some 1.6 s
  for (int k = 0; k < 260; ++k) {
    const StepRecord& record = simulation.Step();
    ASSERT_TRUE(record.certificate.passed) << "step " << k << ": " << record.certificate.reason;
    EXPECT_LE(record.work.normal + record.work.friction, 1e-3);
    const double energy = KineticEnergy(simulation.model(), simulation.kinematics());
    highest = std::max(highest, energy);
    if (k >= 220) late = std::max(late, energy);
  }
  EXPECT_GT(highest, 1.0);
  EXPECT_LT(late, 1e-4 * highest);
}

}  // namespace
}  // namespace slipstick::internal
