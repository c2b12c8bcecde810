#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/base/random_numbers.h"

// Laws through the whole path, scene to motion, where the motion is known in closed form.

namespace slipstick::internal {
namespace {

// Gravity is turned instead of the ground, so that sliding is along x. A point-like slider: sphere joints keep it
// upright.
constexpr const char* kSlope = R"(
format: slipstick-scene 1
gravity: [9.81*sin(20*deg), 0, -9.81*cos(20*deg)]
materials:
  - {name: default, friction: 0.4, friction_kinetic: 0.3}
world: {shapes: [{type: plane}]}
bodies:
  - {name: block, mass: 2, inertia: [1, 1, 1], shapes: [{type: sphere, radius: 0.1}]}
joints:
  - name: guide
    child: block
    chain:
      - {name: x, type: prismatic, axis: [1, 0, 0]}
      - {name: y, type: prismatic, axis: [0, 1, 0]}
      - {name: z, type: prismatic, axis: [0, 0, 1], position: 0.1}
stepper: {step: 0.001, duration: 1}
)";

const char* const kLaws[] = {
    "coulomb", "regularized", "{name: regularized, bounds: iterated}",    "bristle",        "liang",
    "box",     "polygonal",   "{name: polygonal, form: stewart-trinkle}", "max-dissipation"};

Simulation Prepare(const char* text, std::vector<Override> overrides) {
  return Simulation(ReadSceneText(text, "test.yaml", overrides));
}

class LawScenes : public ::testing::TestWithParam<const char*> {
 protected:
  static void Run(Simulation* simulation, int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepRecord& record = simulation->Step();
      ASSERT_TRUE(record.certificate.passed) << "step " << k << ": " << record.certificate.reason;
    }
  }
};

// tan 20° = 0.364 lies between kinetic and static friction: what rests stays, what slides goes on sliding.
TEST_P(LawScenes, StaticFrictionHoldsTheBlockOnTheSlope) {
  Simulation simulation = Prepare(kSlope, {{"law", GetParam()}});
  Run(&simulation, 1000);
  EXPECT_LE(std::abs(simulation.state().q[0]), 1e-9);
  EXPECT_LE(simulation.state().v.norm(), 1e-9);
}

TEST_P(LawScenes, KineticFrictionLetsItSlide) {
  Simulation simulation = Prepare(kSlope, {{"law", GetParam()}, {"joints.guide.chain.x.velocity", "1"}});
  Run(&simulation, 1000);
  const double angle = 20 * M_PI / 180, g = 9.81;
  const double acceleration = g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR(simulation.state().v[0], 1 + acceleration, 1e-9);
  EXPECT_NEAR(simulation.state().q[0], 1 + acceleration / 2, 1e-9);
}

// Pushed up the slope it comes to rest within some step, and static friction holds it there.
TEST_P(LawScenes, StaysWhereItComesToRest) {
  for (const char* speed : {"-0.5", "-0.497", "-0.4913"}) {
    Simulation simulation = Prepare(kSlope, {{"law", GetParam()}, {"joints.guide.chain.x.velocity", speed}});
    Run(&simulation, 300);
    const double angle = 20 * M_PI / 180, v = std::stod(speed);
    const double braking = 9.81 * (std::sin(angle) + 0.3 * std::cos(angle));
    EXPECT_LE(simulation.state().v.norm(), 1e-9);
    EXPECT_NEAR(simulation.state().q[0], -v * v / (2 * braking), 1e-3 * std::abs(v));
  }
}

TEST_P(LawScenes, SteeperThanStaticFrictionSlides) {
  Simulation simulation = Prepare(kSlope, {{"law", GetParam()}, {"materials.default.friction", "0.35"}});
  Run(&simulation, 500);
  EXPECT_GT(simulation.state().v[0], 0.1);
}

// Dry friction in the guide and at the contact together: both are bounded, one by a number, one by the load.
TEST_P(LawScenes, JointFrictionAndContactTogether) {
  const double joint = 1.5, mass = 2, g = 9.81;
  Simulation simulation = Prepare(kSlope, {{"law", GetParam()},
                                           {"gravity", "[0, 0, -9.81]"},
                                           {"joints.guide.chain.x.velocity", "3"},
                                           {"joints.guide.chain.x.friction", "1.5"}});
  Run(&simulation, 500);
  EXPECT_NEAR(simulation.state().v[0], 3 - 0.5 * (0.3 * g + joint / mass), 1e-9);
  const StepRecord& record = simulation.last_step();
  EXPECT_NEAR(record.solution.bounded[0], -1e-3 * joint, 1e-12);
  Run(&simulation, 500);  // comes to rest after 0.81 s, and both hold it
  EXPECT_LE(simulation.state().v.norm(), 1e-9);
}

// Bilateral and contact: y is driven at a given rate; friction then points against the sum of both velocities for the
// isotropic laws, so that less of it is left along x.
TEST_P(LawScenes, DrivenAcrossWhileItSlides) {
  const std::string law = GetParam();
  const std::string scene =
      std::string(kSlope) + "constraints:\n  - {type: motion, name: drive, coordinate: y, rate: 2}\n";
  Simulation simulation = Prepare(scene.c_str(), {{"law", law},
                                                  {"gravity", "[0, 0, -9.81]"},
                                                  {"joints.guide.chain.x.velocity", "3"},
                                                  {"joints.guide.chain.y.velocity", "2"}});
  Run(&simulation, 200);
  EXPECT_NEAR(simulation.state().v[1], 2, 1e-12);
  // v̇x = −μ g vx/√(vx² + 4): 4-th order Runge–Kutta here, semi-implicit Euler there
  double v = 3;
  const auto rate = [](double x) { return -0.3 * 9.81 * x / std::hypot(x, 2); };
  for (int k = 0; k < 200; ++k) {
    const double h = 1e-3, a = rate(v), b = rate(v + h / 2 * a), c = rate(v + h / 2 * b), d = rate(v + h * c);
    v += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const bool isotropic = law.starts_with("coulomb") || law.find("regularized") != std::string::npos || law == "liang" ||
                         law == "max-dissipation";
  if (isotropic) {
    EXPECT_NEAR(simulation.state().v[0], v, 1e-3);
  } else {
    EXPECT_GT(std::abs(simulation.state().v[0] - v), 0.05);  // full friction along x, whatever y does
  }
}

// Two crates that slide and spin, one on the other: eight contacts whose loads are not unique, some of them nothing.
TEST_P(LawScenes, CratesOnEachOther) {
  Simulation simulation = Prepare(R"(
format: slipstick-scene 1
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.4, tangential_stiffness: 1e7}]
bodies:
  - name: crate
    mass: 2
    position: [0, 0, 0.1]
    velocity: [2, 1, 0]
    angular_velocity: [0, 0, 5]
    shapes: [{type: box, size: [0.4, 0.3, 0.2]}]
  - name: top
    mass: 1
    position: [0.05, 0.02, 0.25]
    velocity: [2, 1, 0]
    angular_velocity: [0, 0, 5]
    shapes: [{type: box, size: [0.2, 0.2, 0.1]}]
stepper: {step: 0.002, duration: 1}
)",
                                  {{"law", GetParam()}});
  Run(&simulation, 500);
  EXPECT_LE(simulation.state().v.norm(), 1e-6);  // friction has stopped both
  double weight = 0;
  const StepRecord& record = simulation.last_step();
  for (int i = 0; i < record.problem.contacts.size(); ++i) weight += record.solution.Normal(i) / record.problem.step;
  EXPECT_NEAR(weight, (2 + 1 + 1) * 9.81, 1e-6);
}

// A tenth of a percent more than friction holds: it slides with what is left, by laws that are isotropic.
TEST(LawSlope, SlidesByATenthOfAPercent) {
  const double angle = 20 * M_PI / 180, mu = 0.999 * std::tan(angle);
  const double acceleration = 9.81 * (std::sin(angle) - mu * std::cos(angle));
  for (const char* law : {"coulomb", "regularized", "liang"}) {
    for (const double yaw : {0.0, 0.6}) {
      SCOPED_TRACE(::testing::Message() << law << " yaw " << yaw);
      Simulation simulation =
          Prepare(R"(
format: slipstick-scene 1
gravity: [9.81*sin(20*deg), 0, -9.81*cos(20*deg)]
world: {shapes: [{type: plane}]}
materials: [{name: default, friction: 0.999*tan(20*deg)}]
bodies:
  - {name: plate, mass: 8, position: [0, 0, 0.025], shapes: [{type: box, size: [0.4, 0.4, 0.05]}]}
stepper: {step: 0.001, duration: 1}
)",
                  {{"law", law}, {"bodies.plate.rotation", fmt::format("{{axis: [0, 0, 1], angle: {}}}", yaw)}});
      for (int k = 0; k < 500; ++k) ASSERT_TRUE(simulation.Step().certificate.passed) << k;
      EXPECT_NEAR(simulation.kinematics().linear_velocity[0].x(), 0.5 * acceleration, 1e-3 * acceleration);
    }
  }
}

std::string RandomToss(double restitution, testing::RandomNumbers* random) {
  const double mu = random->Between(0.18, 0.3), angle = random->Between(0, 3);
  const auto vector = [&](double most) {
    const Vec3 v = random->Vector(most);
    return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  };
  const std::string axis = vector(1), velocity = vector(2), spin = vector(15);
  return fmt::format(R"(
format: slipstick-scene 1
world: {{shapes: [{{type: plane}}]}}
materials: [{{name: default, friction: {}, restitution: {}}}]
bodies:
  - name: cube
    mass: 0.37
    position: [0, 0, 0.12]
    rotation: {{axis: {}, angle: {}}}
    velocity: {}
    angular_velocity: {}
    shapes: [{{type: box, size: [0.1, 0.1, 0.1]}}]
stepper: {{step: 0.001, duration: 1}}
)",
                     mu, restitution, axis, angle, velocity, spin);
}

// Iterated limits have an end in every step of a tumbling cube's hits.
TEST(LawTosses, LimitsBelongToEveryStep) {
  testing::RandomNumbers random(17);
  for (int toss = 0; toss < 10; ++toss) {
    const std::string scene = RandomToss(toss % 2 == 0 ? 0.0 : 0.1, &random);
    for (const char* law : {"regularized", "liang", "box", "bristle"}) {
      for (const char* bounds : {"previous", "iterated"}) {
        SCOPED_TRACE(::testing::Message() << "toss " << toss << ": " << law << ", " << bounds);
        Simulation simulation = Prepare(scene.c_str(), {{"law", fmt::format("{{name: {}, bounds: {}}}", law, bounds)}});
        for (int k = 0; k < 300; ++k) {
          const StepRecord& record = simulation.Step();
          EXPECT_TRUE(record.certificate.passed) << "step " << k << ": " << record.certificate.reason;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, LawScenes, ::testing::ValuesIn(kLaws));

}  // namespace
}  // namespace slipstick::internal
