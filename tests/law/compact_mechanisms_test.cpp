#include "slipstick/law/compact_mechanisms.h"

#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

// Balls with eccentric masses, which no contact of is redundant, in what mechanisms make of a step.
constexpr const char* kBalls = R"(
  - {name: odd, mass: 2, inertia: [0.01, 0.02, 0.015], com: [0.01, -0.02, 0.03], position: [0.02, 0, 0.121],
     velocity: [0.3, 0.1, 0], angular_velocity: [0.1, 1, 2], shapes: [{type: sphere, radius: 0.1}]}
  - {name: top, mass: 1, position: [0.1, 0.01, 0.306], velocity: [0, 0.2, -0.1], shapes: [{type: sphere, radius: 0.1}]}
  - {name: other, mass: 3, position: [-0.2, 0.01, 0.121], velocity: [0.2, 0, 0], shapes: [{type: sphere, radius: 0.1}]}
)";

// A platform that turns and slides on joints with friction, driven within a limit.
constexpr const char* kDriven = R"(
joints:
  - {name: slide, child: carriage, type: prismatic, axis: [1, 0, 0], friction: 0.5}
  - {name: turn, parent: carriage, child: platform, type: revolute, axis: [0, 1, 0], friction: 0.2}
drives:
  - {joint: slide, type: motor, velocity: 0.4, effort: 6}
  - {joint: turn, type: servo, position: 0.05, stiffness: 60, damping: 3}
)";
constexpr const char* kCarriage = R"(
  - {name: carriage, mass: 1.5, inertia: [0.02, 0.02, 0.02]}
  - {name: platform, mass: 1, shapes: [{type: box, size: [0.8, 0.6, 0.04]}]}
)";

// A parallelogram of four bars that a loop closes, with a prescribed crank; the balls lie on its coupler.
constexpr const char* kLoop = R"(
joints:
  - {name: left, child: crank, type: revolute, axis: [0, 1, 0], parent_frame: {position: [-0.3, 0, -0.2]}}
  - {name: middle, parent: crank, child: coupler, type: revolute, axis: [0, 1, 0],
     parent_frame: {position: [0, 0, 0.2]}, child_frame: {position: [-0.3, 0, 0]}}
  - {name: right, child: rocker, type: revolute, axis: [0, 1, 0], parent_frame: {position: [0.3, 0, -0.2]}}
constraints:
  - {type: loop, between: [coupler, rocker], joint: spherical,
     frames: [{position: [0.3, 0, 0]}, {position: [0, 0, 0.2]}]}
  - {type: motion, coordinate: left, rate: 0.5}
)";
constexpr const char* kBars = R"(
  - {name: crank, mass: 0.5, inertia: [0.01, 0.01, 0.01]}
  - {name: coupler, mass: 1, shapes: [{type: box, size: [0.8, 0.6, 0.04]}]}
  - {name: rocker, mass: 0.5, inertia: [0.01, 0.01, 0.01]}
)";

struct Mechanism {
  const char *name, *bodies, *joints;
};
void PrintTo(const Mechanism& mechanism, std::ostream* out) { *out << mechanism.name; }

Simulation Made(const Mechanism& mechanism, const std::string& law, const std::string& solver,
                const std::string& material = "{name: default, friction: 0.4}") {
  const std::string text = "format: slipstick-scene 1\nmaterials: [" + material + "]\nbodies:" + mechanism.bodies +
                           std::string(kBalls).substr(1) + mechanism.joints + "law: " + law + "\nsolver: " + solver +
                           "\nstepper: {step: 0.002, duration: 0.1}\n";
  return Simulation(ReadSceneText(text, "mechanism.yaml"));
}

class CompactMechanisms : public testing::TestWithParam<Mechanism> {};

constexpr const char* kSweeps = "{name: contact-sweep, max_iterations: 50000}";

// The same motion by sweeps and by the ladder, which has all rows in one program; bilateral impulses too.
TEST_P(CompactMechanisms, MoveAsWithTheLadder) {
  for (const char* law : {"coulomb", "cone"}) {
    Simulation rows = Made(GetParam(), law, "auto"), sweeps = Made(GetParam(), law, kSweeps);
    int contacts = 0;
    for (int k = 0; k < 50; ++k) {
      const StepRecord &one = rows.Step(), &other = sweeps.Step();
      ASSERT_TRUE(one.certificate.passed) << one.certificate.reason;
      ASSERT_TRUE(other.certificate.passed) << other.certificate.reason;
      if (other.problem.contacts.size() > 0) {
        EXPECT_EQ(other.report.solver, "contact-sweep") << law << k;
      }
      contacts = std::max(contacts, other.problem.contacts.size());
      ASSERT_EQ(one.solution.bilateral.size(), other.solution.bilateral.size());
      if (one.solution.bilateral.size() == 0) continue;
      EXPECT_LT((one.solution.bilateral - other.solution.bilateral).lpNorm<Eigen::Infinity>(),
                1e-5 * (1 + one.solution.bilateral.lpNorm<Eigen::Infinity>()));
    }
    EXPECT_GE(contacts, 3);
    EXPECT_LT((rows.state().q - sweeps.state().q).lpNorm<Eigen::Infinity>(), 1e-7) << law;
    EXPECT_LT((rows.state().v - sweeps.state().v).lpNorm<Eigen::Infinity>(), 1e-5) << law;
  }
}

TEST_P(CompactMechanisms, RollingFrictionToo) {
  const char* rough = "{name: default, friction: 0.4, rolling_friction: 0.004, spinning_friction: 0.002}";
  Simulation rows = Made(GetParam(), "cone", "auto", rough), sweeps = Made(GetParam(), "cone", kSweeps, rough);
  for (int k = 0; k < 50; ++k) {
    const StepRecord &one = rows.Step(), &other = sweeps.Step();
    ASSERT_TRUE(one.certificate.passed) << one.certificate.reason;
    ASSERT_TRUE(other.certificate.passed) << other.certificate.reason;
    if (other.problem.contacts.size() > 0) {
      EXPECT_EQ(other.report.solver, "contact-sweep") << k;
    }
  }
  EXPECT_LT((rows.state().v - sweeps.state().v).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST_P(CompactMechanisms, SameBitsForAnyNumberOfThreads) {
  Simulation one = Made(GetParam(), "coulomb", "contact-sweep"),
             three = Made(GetParam(), "coulomb", "{name: contact-sweep, threads: 3}");
  for (int k = 0; k < 50; ++k) {
    one.Step();
    three.Step();
  }
  EXPECT_EQ(one.state().q, three.state().q);
  EXPECT_EQ(one.state().v, three.state().v);
}

INSTANTIATE_TEST_SUITE_P(All, CompactMechanisms,
                         testing::Values(Mechanism{"driven", kCarriage, kDriven}, Mechanism{"loop", kBars, kLoop}));

// What bilateral rows hold does not move: impulses on a coordinate whose motion is prescribed change nothing.
TEST(HeldMechanisms, InverseMassIsThatOfWhatIsFree) {
  Simulation simulation = Made({"loop", kBars, kLoop}, "coulomb", "auto");
  const ContactProblem& problem = simulation.Step().problem;
  HeldMechanisms held;
  slipstick::internal::CompactMechanisms mechanisms;
  ASSERT_TRUE(held.Read(problem, &mechanisms));
  ASSERT_EQ(mechanisms.list.size(), 1U);
  const auto& mechanism = mechanisms.list[0];
  EXPECT_EQ(mechanism.size, 3);
  // the crank is driven, and all others follow it
  EXPECT_LT(mechanism.inverse_mass.cwiseAbs().maxCoeff(), 1e-12 * mechanism.loose.maxCoeff());
  VecX rows(problem.bilateral.target.size()), velocity = VecX::Zero(problem.free_velocity.size());
  for (int b = 0; b < problem.mass.layout().count(); ++b) {
    if (!mechanisms.has(b)) continue;
    velocity.segment(problem.mass.layout().offset[b], problem.mass.layout().size[b]) =
        mechanisms.velocity.segment(mechanisms.coordinate[b], problem.mass.layout().size[b]);
  }
  problem.bilateral.jacobian.Multiply(velocity, rows);
  EXPECT_LT((rows - problem.bilateral.target).lpNorm<Eigen::Infinity>(), 1e-12);
}

// A drum of many boxes on a driven axle: no step leaves the sweeps.
TEST(CompactMechanismsDrum, StaysOnSweeps) {
  std::string shapes;
  for (int k = 0; k < 12; ++k) {
    const std::string angle = std::to_string(k * 0.5235987755982988);
    shapes += "      - {type: box, size: [0.06, 0.5, 0.36], position: ['0.6*cos(" + angle + ")', 0, '0.6*sin(" + angle +
              ")'], rotation: {axis: [0, 1, 0], angle: -" + angle + "}}\n";
  }
  const std::string text = R"(
format: slipstick-scene 1
bodies:
  - name: drum
    mass: 20
    inertia: [5, 8, 5]
    shapes:
)" + shapes + R"(
groups:
  - name: grain
    template: {density: 1000, shapes: [{type: sphere, radius: 0.04}]}
    lattice: {counts: [7, 4, 6], spacing: 0.09, origin: [-0.27, -0.135, -0.25], jitter: 0.003, count: 168}
joints:
  - {name: axle, child: drum, type: revolute, axis: [0, 1, 0]}
drives:
  - {joint: axle, type: motor, velocity: 2, effort: 500}
law: coulomb
solver: {name: contact-sweep, speed_tolerance: 1e-3}
certificate: {law: 0.05}
stepper: {step: 0.002, duration: 0.3, gap_correction: 1}
)";
  Simulation simulation(ReadSceneText(text, "drum.yaml"));
  int contacts = 0;
  for (int k = 0; k < 150; ++k) {
    const StepRecord& record = simulation.Step();
    ASSERT_TRUE(record.certificate.passed) << record.certificate.reason;
    if (record.problem.contacts.size() > 0) {
      ASSERT_EQ(record.report.solver, "contact-sweep") << k;
    }
    contacts = std::max(contacts, record.problem.contacts.size());
  }
  EXPECT_GT(contacts, 150);
}

}  // namespace
}  // namespace slipstick::internal
