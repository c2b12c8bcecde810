#include <gmock/gmock.h>

#include <fstream>
#include <numbers>
#include <random>

#include "tests/physics/scene_runs.h"

// Stepper event-driven on whole scenes: Painlevé's rod, Newton's cradle, mechanisms, what time stepping converges to,
// and that nothing breaks or gains energy where many contacts come and go.

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

Simulation LoadEvents(const std::string& scene, Overrides overrides = {}) {
  overrides.insert(overrides.begin(), {"stepper.name", "event-driven"});
  return Load(scene, overrides);
}

long CountOf(const Simulation& simulation, EventKind kind) {
  return simulation.events()->counts[static_cast<std::size_t>(kind)];
}

Simulation LoadText(const std::string& text) {
  const std::string file = ::testing::TempDir() + "slipstick_event_scene.yaml";
  std::ofstream(file) << text;
  return Simulation(ReadScene(file, {}));
}

// N M⁻¹ (N − μ D)ᵀ = (1 + 3 cos θ (cos θ − μ sin θ))/m is below zero at 60° with μ = 2: no acceleration keeps the tip
// from sinking in. The impulse stops the tip, takes energy, and the motion goes on.
TEST(EventScenesTest, PainleveRodHasAnImpulse) {
  {
    Simulation simulation = LoadEvents("painleve");
    simulation.Step();
    ASSERT_GE(CountOf(simulation, EventKind::kPainleve), 1);
    const MotionEvent& first = simulation.events()->listed.front();
    EXPECT_EQ(first.kind, EventKind::kPainleve);
    EXPECT_EQ(first.time, 0);
    EXPECT_THAT(first.remark, ::testing::HasSubstr("impulse without a collision"));
    EXPECT_LT(simulation.energy().Total(), simulation.energy().initial);
    double last = simulation.energy().Total();
    RunUntil(1, &simulation, [&](const Simulation& s) {
      EXPECT_LE(s.energy().Total(), last + 1e-6);
      last = s.energy().Total();
    });
  }
  // below the critical coefficient of 4/3 it slides
  Simulation slides = LoadEvents("painleve", {{"materials.chalk.friction", "1.2"}});
  slides.Step();
  EXPECT_EQ(CountOf(slides, EventKind::kPainleve), 0);
  // maximum dissipation, whose normals are in sum no more than without friction, has an answer that is no Coulomb
  // friction: short steps of it
  Simulation short_steps = LoadEvents("painleve", {{"law", "max-dissipation"}});
  const StepRecord& record = short_steps.Step();
  EXPECT_TRUE(record.certificate.finite);
  EXPECT_GE(CountOf(short_steps, EventKind::kShortStep), 1);
  EXPECT_LE(short_steps.energy().Total(), short_steps.energy().initial + 1e-9);
}

// Two collisions one after the other, however small the gap: all of the motion is handed on. Balls that touch are hit
// at once and share it, theory §5.8.
TEST(EventScenesTest, NewtonsCradle) {
  Simulation simulation = LoadEvents("newton-cradle", {{"stepper.step", "0.01"}});
  RunUntil(0.6, &simulation);
  ASSERT_EQ(CountOf(simulation, EventKind::kImpact), 2);
  const std::vector<MotionEvent>& events = simulation.events()->listed;
  EXPECT_NEAR(events[1].speed, events[0].speed, 1e-4 * events[0].speed);
  EXPECT_NEAR(simulation.energy().Total(), simulation.energy().initial, 1e-8);
  // the first two are left near rest
  EXPECT_LT(simulation.state().v.head<2>().norm(), 0.01 * std::abs(simulation.state().v[2]));
}

// Mechanisms: no events, energy to the integrator's tolerance where nothing drives, constraints kept.
TEST(EventScenesTest, MechanismsKeepEnergyAndConstraints) {
  Simulation pendulum = LoadEvents("double-pendulum", {{"stepper.step", "0.01"}});
  RunUntil(2, &pendulum);
  EXPECT_NEAR(pendulum.energy().Total(), pendulum.energy().initial, 1e-9);
  for (const char* scene : {"four-bar", "coin"}) {
    SCOPED_TRACE(scene);
    Simulation simulation = LoadEvents(scene, {{"stepper.step", "0.01"}});
    RunUntil(1, &simulation, [](const Simulation& s) { EXPECT_LE(s.last_step().certificate.drift, 1e-8); });
    EXPECT_NEAR(simulation.energy().remainder, 0, 1e-7);
  }
}

// Time stepping converges to it in proportion to the step: a block that slides, stops and holds; a pendulum with joint
// friction; a double pendulum.
TEST(EventScenesTest, TimeSteppingConvergesToIt) {
  const struct {
    const char* scene;
    double time;
    Overrides overrides;
  } cases[] = {{"cube-launch", 1.2, {}}, {"joint-friction", 0.8, {}}, {"double-pendulum", 0.48, {}}};
  for (const auto& [scene, time, overrides] : cases) {
    Overrides given = overrides;
    given.insert(given.begin(), {"stepper.name", "time-stepping"});
    Simulation exact = LoadEvents(scene, {{"stepper.step", "0.04"}});
    RunUntil(time, &exact);
    double errors[3];
    for (int k = 0; k < 3; ++k) {
      Overrides with_step = given;
      with_step.push_back({"stepper.step", Text(0.004 / (1 << k))});
      Simulation steps = Load(scene, with_step);
      RunUntil(time, &steps);
      errors[k] = (steps.state().q - exact.state().q).norm();
    }
    if (errors[0] < 1e-12) continue;  // slides straight on: exact at any step
    ExpectOrderTwo(errors[0], errors[1], errors[2], scene);
  }
}

TEST(EventScenesTest, RedundantContactsRest) {
  Simulation box = LoadEvents("box-on-corners", {{"law", "coulomb"}, {"stepper.step", "0.02"}});
  const VecX q = box.state().q;
  RunUntil(1, &box);
  EXPECT_LE((box.state().q - q).norm(), 1e-12);
  EXPECT_NEAR(ContactForce(box).z(), 3 * kG, 1e-6);
  Simulation stack = LoadEvents("stack", {{"stepper.step", "0.02"}});
  const VecX start = stack.state().q;
  RunUntil(0.1, &stack);
  EXPECT_LE((stack.state().q - start).norm(), 1e-10);
}

// Bodies thrown together at random: every certificate holds, no overlap, and energy never grows.
TEST(EventScenesTest, RandomBodiesGainNoEnergy) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int k = 0; k < 30; ++k) {
    SCOPED_TRACE(k);
    const auto vector = [&](double size) {
      return Text(Vec3(size * unit(random), size * unit(random), size * unit(random)));
    };
    const std::string turn = "rotation: {axis: " + vector(1) + ", angle: " + Text(unit(random)) + "}";
    const std::string text =
        "format: slipstick-scene 1\n"
        "materials: [{name: wood, friction: " +
        Text(0.4 + 0.3 * unit(random)) + ", restitution: " + Text(k % 2 == 0 ? 0.0 : 0.4) +
        "}]\n"
        "world: {shapes: [{type: plane, material: wood}]}\n"
        "bodies:\n"
        "  - {name: box, mass: 1, position: [0, 0, 0.25], " +
        turn + ", velocity: " + vector(1) +
        ", shapes: [{type: box, size: [0.2, 0.15, 0.1], material: wood}]}\n"
        "  - {name: ball, mass: 0.5, position: [0.05, 0.02, 0.45], velocity: " +
        vector(1) +
        ", shapes: [{type: sphere, radius: 0.06, material: wood}]}\n"
        "law: " +
        std::string("coulomb") +
        "\n"
        "stepper: {name: event-driven, step: 0.02, duration: 0.6, most_events: 3000}\n";
    Simulation simulation = LoadText(text);
    double last = simulation.energy().Total();
    for (int step = 0; step < 30; ++step) {
      const StepRecord& record = simulation.Step();
      ASSERT_TRUE(record.certificate.passed) << "step " << step << ": " << record.certificate.reason;
      ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite());
      EXPECT_LE(simulation.energy().Total(), last + 1e-9);
      EXPECT_LE(record.certificate.penetration, 1e-6);
      last = simulation.energy().Total();
      if (!record.ended.empty()) break;
    }
  }
}

// A body on two feet with friction 0.5, pushed across at 0.3 m and ever harder along the line of its feet: friction
// along that line is shared, and they slip together where √((μN)² − y₁²) + √((μN)² − y₂²) is reached, not where one
// foot's equal share would be.
TEST(EventScenesTest, TwoFeetSlipWhereNoShareHolds) {
  Simulation simulation = LoadText(R"(format: slipstick-scene 1
materials: [{name: wood, friction: 0.5}]
world: {shapes: [{type: plane, material: wood}]}
bodies:
  - name: bench
    mass: 2
    inertia: [0.1, 0.1, 0.1]
    position: [0, 0, 0.1]
    shapes:
      - {type: sphere, radius: 0.1, position: [-0.5, 0, 0], material: wood}
      - {type: sphere, radius: 0.1, position: [0.5, 0, 0], material: wood}
forces:
  - {name: across, body: bench, force: [0, 4, 0], point: [0.3, 0, -0.1]}
  - {name: along, body: bench, force: ['10*t', 0, 0], point: [0, 0, -0.1]}
stepper: {name: event-driven, step: 0.01, most_events: 1000}
)");
  const double limit = 0.5 * kG, most = std::sqrt(limit * limit - 0.8 * 0.8) + std::sqrt(limit * limit - 3.2 * 3.2);
  const VecX q = simulation.state().q;
  RunUntil(0.85, &simulation);
  EXPECT_EQ(simulation.state().q, q);
  RunUntil(0.9, &simulation);
  ASSERT_EQ(CountOf(simulation, EventKind::kSlip), 2);  // of each foot
  for (const MotionEvent& event : simulation.events()->listed) {
    if (event.kind == EventKind::kSlip) EXPECT_NEAR(event.time, most / 10, 1e-7);
  }
  EXPECT_GT(simulation.state().v[3], 1e-4);
}

// A spring that is pulled at v₀ drags a block: it slips where the spring has reached μ_s m g, and with D = (μ_s − μ_k)
// g/ω sticks again after (2π − 2 atan(D/v₀))/ω.
TEST(EventScenesTest, SpringOfAJointMakesStickAndSlip) {
  Simulation simulation = LoadText(R"(format: slipstick-scene 1
materials: [{name: wood, friction: 0.6, friction_kinetic: 0.4}]
world: {shapes: [{type: plane, material: wood}]}
bodies: [{name: block, mass: 2, inertia: [1, 1, 1], shapes: [{type: sphere, radius: 0.1, material: wood}]}]
joints:
  - name: slide
    child: block
    chain:
      - {name: x, type: prismatic, axis: [1, 0, 0]}
      - {name: z, type: prismatic, axis: [0, 0, 1], position: 0.1}
drives: [{joint: x, type: spring, stiffness: 200, position: 0.1*t}]
stepper: {name: event-driven, step: 0.01}
)");
  const double omega = 10, speed = 0.1, slip = 0.6 * 2 * kG / (200 * speed);
  const double stick = slip + 2 * (std::numbers::pi - std::atan(0.2 * kG / omega / speed)) / omega;
  RunUntil(1.2, &simulation);
  std::vector<double> slips, sticks;
  for (const MotionEvent& event : simulation.events()->listed) {
    if (event.kind == EventKind::kSlip) slips.push_back(event.time);
    if (event.kind == EventKind::kStick) sticks.push_back(event.time);
  }
  ASSERT_GE(slips.size(), 1u);
  ASSERT_GE(sticks.size(), 1u);
  EXPECT_NEAR(slips[0], slip, 1e-7);
  EXPECT_NEAR(sticks[0], stick, 1e-7);
  EXPECT_NEAR(simulation.energy().remainder, 0, 1e-8);
}

// Collisions at several contacts at once: a ball into the corner of three planes, two balls and a wall, a box on an
// edge. With ε = 1 and no friction energy is kept, with less, and friction, it never grows.
TEST(EventScenesTest, CollisionsAtOnceGainNoEnergy) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto below = [&](double size) { return Text(Vec3(-size * unit(random), -size * unit(random), -size)); };
  const char* const world =
      "world:\n  shapes:\n    - {type: plane}\n    - {type: plane, rotation: {axis: [0, 1, 0], angle: "
      "1.5707963267948966}}\n"
      "    - {type: plane, rotation: {axis: [1, 0, 0], angle: -1.5707963267948966}}\n";
  for (int k = 0; k < 24; ++k) {
    SCOPED_TRACE(k);
    const bool elastic = k % 2 == 0;
    std::string bodies;
    if (k % 3 == 0) {  // all three planes are met in the same instant
      bodies = "  - {name: ball, mass: 1, position: [0.15, 0.15, 0.15], velocity: [-1, -1, -1], angular_velocity: " +
               below(5) + ", shapes: [{type: sphere, radius: 0.1}]}\n";
    } else if (k % 3 == 1) {  // a ball that touches a wall is hit by another
      bodies =
          "  - {name: hit, mass: 1, position: [0.5, 0.5, 0.1], shapes: [{type: sphere, radius: 0.1}]}\n"
          "  - {name: hitting, mass: 2, position: [" +
          Text(0.5 + 0.1 * unit(random)) + ", 0.55, 0.35], velocity: " + below(2) +
          ", shapes: [{type: sphere, radius: 0.1}]}\n";
    } else {
      bodies = "  - {name: box, mass: 1, position: [0.5, 0.5, 0.2], rotation: {axis: [1, 0, 0], angle: " +
               Text(0.2 + unit(random)) + "}, velocity: " + below(1) +
               ", shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}\n";
    }
    Simulation simulation =
        LoadText("format: slipstick-scene 1\ngravity: [0, 0, 0]\nmaterials: [{name: default, friction: " +
                 std::string(elastic ? "0, restitution: 1" : "0.4, restitution: 0.7") + "}]\n" + world + "bodies:\n" +
                 bodies + "stepper: {name: event-driven, step: 0.02, most_events: 3000}\n");
    double last = simulation.energy().Total();
    const double initial = last;
    for (int step = 0; step < 15; ++step) {
      const StepRecord& record = simulation.Step();
      ASSERT_TRUE(record.certificate.passed) << "step " << step << ": " << record.certificate.reason;
      const double total = simulation.energy().Total();
      EXPECT_LE(total, last + 1e-12 * initial);
      if (elastic) EXPECT_NEAR(total, initial, 1e-10 * initial);
      last = total;
    }
    EXPECT_GE(CountOf(simulation, EventKind::kImpact), 1);
  }
}

TEST(EventScenesTest, TooManyEventsEndTheRunWithAReason) {
  Simulation simulation = LoadEvents("bouncing-ball", {{"stepper.step", "0.1"}, {"stepper.most_events", "4"}});
  bool ended = false;
  for (int k = 0; k < 20 && !ended; ++k) {
    const StepRecord& record = simulation.Step();
    ended = !record.ended.empty();
    if (ended) {
      EXPECT_THAT(record.ended, ::testing::HasSubstr("most_events"));
      EXPECT_FALSE(record.certificate.passed);
    }
  }
  EXPECT_TRUE(ended);
  EXPECT_TRUE(simulation.state().q.allFinite());
  EXPECT_LT(simulation.state().time, 1.4);
}

std::vector<std::string> KeysOfFaults(const std::string& scene, const Overrides& overrides) {
  std::vector<std::string> keys;
  try {
    LoadEvents(scene, overrides);
  } catch (const InputError& error) {
    for (const Fault& fault : error.faults()) keys.push_back(fault.key);
  }
  return keys;
}

TEST(EventScenesTest, WhatHasNoEquationsIsRefused) {
  using ::testing::Contains, ::testing::HasSubstr;
  EXPECT_THAT(KeysOfFaults("cube-launch", {{"law", "box"}}), Contains(HasSubstr("law.name")));
  EXPECT_THAT(KeysOfFaults("rolling-ball", {}), Contains(HasSubstr("stepper.name")));
  EXPECT_THAT(KeysOfFaults("cube-launch", {{"stepper.gap_correction", "0"}}),
              Contains(HasSubstr("stepper.gap_correction")));
  EXPECT_THAT(KeysOfFaults("cube-launch", {{"stepper.relative_tolerance", "1"}}),
              Contains(HasSubstr("stepper.relative_tolerance")));
}

}  // namespace
}  // namespace slipstick::internal
