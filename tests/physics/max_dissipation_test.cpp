#include <algorithm>

#include "tests/physics/scene_runs.h"

// Law max-dissipation on whole scenes: where it must be what Coulomb's law is, impacts, and that every step of the
// scenes that it can take passes.

namespace slipstick::internal {
namespace {

constexpr double kG = 9.81;

// Scenes with joints, drives, joint friction, redundant contacts, large mass ratios.
TEST(MaxDissipationScenesTest, EveryStepPasses) {
  const struct {
    const char* name;
    double time;
  } scenes[] = {{"table", 0.6},          {"box-on-corners", 0.2}, {"twelve-contacts", 0.3}, {"heavy-on-light", 0.2},
                {"cube-push", 0.5},      {"four-bar", 0.5},       {"joint-friction", 0.5},  {"coin", 0.2},
                {"ball-slide", 0.4},     {"bounce", 1.0},         {"wheel-free", 0.3},      {"wheel", 0.3},
                {"double-pendulum", 0.2}};
  for (const auto& [name, time] : scenes) {
    SCOPED_TRACE(name);
    Simulation simulation = Load(name, {{"law", "max-dissipation"}});
    RunUntil(time, &simulation,
             [](const Simulation& s) { EXPECT_EQ(s.last_step().report.status, SolveStatus::kSolved); });
  }
}

// A block that slides without turning is exact: at rest after v/(μg), never lifted.
TEST(MaxDissipationScenesTest, CubeLaunchIsCoulombs) {
  Simulation simulation = Load("cube-launch", {{"law", "max-dissipation"}});
  Simulation exact = Load("cube-launch", {{"law", "coulomb"}});
  RunUntil(1.4, &simulation, [&](const Simulation& s) {
    exact.Step();
    EXPECT_LE((s.state().q - exact.state().q).norm(), 1e-8);
  });
}

struct Bounce {
  std::vector<double> peaks;
  double work = 0;  // of normals
};

Bounce BounceOf(int body, double step, double time) {
  Simulation simulation = Load("bouncing-ball", {{"stepper.step", Text(step)}});
  Bounce bounce;
  double last_speed = 0, last_work = 0;
  RunUntil(time, &simulation, [&](const Simulation& s) {
    const double speed = s.kinematics().linear_velocity[body].z(),
                 height = s.kinematics().X_WB[body].position.z() - 0.1;
    // behind an impact a state may be where the ball comes from along its new velocity
    EXPECT_GE(height, -0.5 * step * std::max(speed, 0.0) - 1e-12);
    EXPECT_LE(0.5 * speed * speed + kG * height, kG * (1 + 1e-12));
    if (last_speed > 0 && speed <= 0) bounce.peaks.push_back(height);
    last_speed = speed;
    EXPECT_LE(s.energy().work.normal, last_work + 1e-12);  // contacts never give more than they took
    last_work = s.energy().work.normal;
  });
  bounce.work = last_work;
  return bounce;
}

TEST(MaxDissipationScenesTest, BouncingBallsRiseAsPoissonSays) {
  for (const double step : {1e-3, 5e-4}) {
    SCOPED_TRACE(::testing::Message() << "h " << step);
    const double order = 2 * step * std::sqrt(2 * kG);  // a step's way at the impact, and as much on the way up
    EXPECT_TRUE(BounceOf(0, step, 1).peaks.empty());
    const Bounce half = BounceOf(1, step, 1.5), whole = BounceOf(2, step, 3);
    ASSERT_GE(half.peaks.size(), 2u);
    EXPECT_NEAR(half.peaks[0], 0.25, order);
    EXPECT_NEAR(half.peaks[1], 0.0625, order);
    ASSERT_GE(whole.peaks.size(), 2u);
    // by impulses of the collision alone: each loses up to what the ball falls in a step there and back
    for (std::size_t k = 0; k < whole.peaks.size(); ++k) {
      EXPECT_NEAR(whole.peaks[k], 1, order * (static_cast<double>(k) + 1.5));
    }
  }
}

// Gaps: one collision after the other, all of the motion handed on.
TEST(MaxDissipationScenesTest, CradleHandsItsMotionOn) {
  Simulation simulation = Load("newton-cradle");
  RunUntil(0.75, &simulation);
  // the first ball comes down after a quarter of its period of 2.04 s
  const VecX& v = simulation.state().v;
  EXPECT_LT(std::abs(v[0]), 0.05);
  EXPECT_LT(std::abs(v[1]), 0.05);
  const double speed = std::sqrt(2 * kG * (1 - std::cos(M_PI / 6)));
  double fastest = 0;
  Simulation again = Load("newton-cradle");
  RunUntil(0.75, &again, [&](const Simulation& s) { fastest = std::max(fastest, s.state().v[2]); });
  EXPECT_NEAR(fastest, speed, 0.01 * speed);
}

// Touching balls are hit at once, and no law of rigid impact says what a cradle does: both simultaneous laws share.
TEST(MaxDissipationScenesTest, TouchingBallsShareTheHit) {
  for (const char* restitution : {"poisson", "newton"}) {
    SCOPED_TRACE(restitution);
    const std::string law = std::string("{name: max-dissipation, restitution: ") + restitution + "}";
    Simulation simulation = Simulation(ReadSceneText(R"(
format: slipstick-scene 1
gravity: [0, 0, 0]
materials: [{name: default, friction: 0, restitution: 1}]
bodies:
  - {name: a, mass: 1, position: [-0.2, 0, 0], velocity: [1, 0, 0], shapes: [{type: sphere, radius: 0.05}]}
  - {name: b, mass: 1, position: [0, 0, 0], shapes: [{type: sphere, radius: 0.05}]}
  - {name: c, mass: 1, position: [0.1, 0, 0], shapes: [{type: sphere, radius: 0.05}]}
stepper: {step: 0.001, duration: 1}
)",
                                                     "test.yaml", {{"law", law}}));
    RunUntil(0.2, &simulation);
    const auto& v = simulation.kinematics().linear_velocity;
    EXPECT_NEAR(v[0].x(), -1.0 / 3, 1e-9);
    EXPECT_NEAR(v[1].x(), 2.0 / 3, 1e-9);
    EXPECT_NEAR(v[2].x(), 2.0 / 3, 1e-9);
  }
}

}  // namespace
}  // namespace slipstick::internal
