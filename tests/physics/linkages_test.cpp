// Loops with redundant rows, singular poses, clearance: mechanisms of the IFToMM benchmark library and others, against
// equations of motion in one coordinate, an integrator of higher order, and geometry.
#include "slipstick/assembly/redundant_rows.h"
#include "slipstick/experiment/mechanisms.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

// Flat after 0.7 s, upright below after 1 s: through the pose where every window could fold by itself.
TEST(FourBarRowTest, SwingsAsOnePendulumThroughItsSingularPose) {
  for (const int windows : {1, 2, 7}) {
    SCOPED_TRACE(windows);
    const MechanismErrors coarse = RunFourBarRow(windows, 2e-3, 1.2), fine = RunFourBarRow(windows, 1e-3, 1.2);
    EXPECT_TRUE(coarse.passed && fine.passed);
    EXPECT_LT(fine.coordinate, 1e-4);
    // of second order here: a step is that of the leapfrog but for the first one, and upright nothing accelerates
    EXPECT_NEAR(coarse.coordinate / fine.coordinate, 4, 0.1);
  }
  const Simulation simulation = Load("n-four-bar");
  const ConstraintCount count = CountConstraints(simulation.model(), simulation.state(), simulation.kinematics());
  EXPECT_EQ(count.rows, 200);
  EXPECT_EQ(count.redundant, 120);  // those across the plane
}

TEST(BricardTest, MovesWithOneRedundantRowAndKeepsItsEnergy) {
  Simulation exact = Load("bricard", {{"stepper", "{name: event-driven, step: 0.01}"}});
  const ConstraintCount count = CountConstraints(exact.model(), exact.state(), exact.kinematics());
  EXPECT_EQ(count.rows, 5);
  EXPECT_EQ(count.redundant, 1);
  RunUntil(2, &exact);
  EXPECT_NEAR(exact.energy().Total(), exact.energy().initial, 1e-6);  // the benchmark's mechanism weighs 49 N
  const auto error = [&](double step) {
    Simulation simulation = Load("bricard", {{"stepper.step", Text(step)}});
    RunUntil(2, &simulation);
    return (simulation.state().q - exact.state().q).lpNorm<Eigen::Infinity>();
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

// Bennett's linkage, four hinges in space: of its six rows, with the motion of its crank, three are redundant. Finer
// steps must not make contradictions of what is truncation, nor coarser ones.
TEST(BennettTest, TurnsAndSwingsAtAnyStep) {
  // a/sin α = b/sin β; the angles of the second and third hinge follow from the first, tan(θ₁/2) tan(θ₂/2) = const
  constexpr double kShort = 0.5, kTwist = M_PI / 6, kOther = 7 * M_PI / 18;
  const double length = kShort * std::sin(kOther) / std::sin(kTwist), first = 1.0;
  const double ratio = std::sin(0.5 * (kOther + kTwist)) / std::sin(0.5 * (kOther - kTwist));
  const double second = 2 * std::atan(ratio / std::tan(0.5 * first));
  const auto linkage = [&](double step, const std::string& more) {
    const std::string text =
        "format: slipstick-scene 1\ngravity: [1, 2, -9.81]\nbodies:\n"
        "  - {name: crank, mass: 1, com: [0.25, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  - {name: coupler, mass: 2, com: [" +
        Text(0.5 * length) +
        ", 0, 0], inertia: [0.01, 0.15, 0.15]}\n"
        "  - {name: rocker, mass: 1, com: [0.25, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "joints:\n  - {name: j1, type: revolute, child: crank, position: " +
        Text(first) +
        "}\n"
        "  - {name: j2, type: revolute, parent: crank, child: coupler, parent_frame: {position: [0.5, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: " +
        Text(kTwist) + "}}, position: " + Text(second) +
        "}\n"
        "  - {name: j3, type: revolute, parent: coupler, child: rocker, parent_frame: {position: [" +
        Text(length) + ", 0, 0], rotation: {axis: [1, 0, 0], angle: " + Text(kOther) + "}}, position: " + Text(-first) +
        "}\n"
        "constraints:\n  - {type: loop, joint: revolute, between: [rocker, world], frames: [{position: [0.5, 0, 0], "
        "rotation: {axis: [1, 0, 0], angle: " +
        Text(kTwist) + "}}, {position: [" + Text(-length) +
        ", 0, 0], rotation: {axis: [1, 0, 0], angle: " + Text(-kOther) + "}}]}\n" + more +
        "stepper: {step: " + Text(step) + ", duration: 1}\n";
    return Simulation(ReadSceneText(text, "bennett.yaml"));
  };
  for (const double step : {2e-4, 1e-3, 2e-3}) {
    SCOPED_TRACE(step);
    Simulation swinging = linkage(step, "");
    RunUntil(1, &swinging);
    EXPECT_LT(swinging.last_step().certificate.drift, 1e-3);
    Simulation turning = linkage(step, "  - {type: motion, coordinate: j1, position: 1 + 2*t}\n");
    RunUntil(3.2, &turning);  // once around
    EXPECT_NEAR(std::tan(0.5 * turning.state().q[0]) * std::tan(0.5 * turning.state().q[1]), ratio, 0.05 * ratio);
  }
}

// What is redundant may not contradict: two drives of different speeds on one crank cannot be met, and it must be told.
TEST(RedundantRowsTest, ContradictionsFailTheCertificate) {
  Scene scene = ReadScene(FindScene("four-bar"));
  SceneConstraint second = scene.constraints.back();
  second.name = "second";
  scene.constraints.push_back(second);
  Simulation same = Simulation(scene);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(same.Step().certificate.passed);

  std::string problem;
  scene.constraints.back().position = TimeFunction::Parse("90*deg + 2.1*t", &problem);
  Simulation other = Simulation(scene);
  const Certificate& certificate = other.Step().certificate;
  EXPECT_FALSE(certificate.passed);
  EXPECT_NE(certificate.reason.find("contradict"), std::string::npos) << certificate.reason;
}

// The pin stays in the eye, whose 36 faces leave 0.5 mm, a little more in its corners; the slider is where the crank
// puts it but for that.
// With steps by the midpoint, positions after the last step are judged half a step ahead: at the time they are of.
TEST(FourBarTest, TurnsAsPrescribedUpToTheLastStep) {
  Simulation simulation = Load("four-bar");
  RunUntil(0.5, &simulation);
  EXPECT_LE(simulation.JudgePresentPositions().drift, 1e-6);
}

TEST(SliderCrankTest, PlaysWithinItsClearance) {
  constexpr double kClearance = 0.5e-3, kCrank = 0.05, kRod = 0.12;
  Simulation simulation = Load("slider-crank", {{"stepper.step", "1e-4"}});
  double most = 0, least = 1, deviation = 0;
  RunUntil(0.2, &simulation, [&](const Simulation& s) {
    const Kinematics& kinematics = s.kinematics();
    const Vec3 pin = kinematics.X_WB[0] * Vec3(kCrank, 0, 0), eye = kinematics.X_WB[2] * Vec3(-kRod, 0, 0);
    most = std::max(most, (pin - eye).norm());
    least = std::min(least, (pin - eye).norm());
    const double angle = 20 * M_PI * s.state().time;
    const double rigid = kCrank * std::cos(angle) + std::sqrt(kRod * kRod - std::pow(kCrank * std::sin(angle), 2));
    deviation = std::max(deviation, std::abs(s.state().q[1] - rigid));
  });
  EXPECT_LT(most, kClearance / std::cos(M_PI / 36) + 1e-5);
  EXPECT_LT(least, 0.2 * kClearance);  // it crosses
  EXPECT_GT(deviation, 0.5 * kClearance);
  EXPECT_LT(deviation, 1.2 * kClearance);  // 1/cos of the rod's angle, at most 25°
}

TEST(ChainTest, KeepsItsEnergyToTheOrderOfTheStep) {
  const auto gained = [](double step) {
    Simulation simulation = Load("chain", {{"stepper.step", Text(step)}, {"repeat.links.count", "9"}});
    RunUntil(0.5, &simulation);
    return simulation.energy().remainder / std::abs(simulation.energy().initial);
  };
  const double coarse = gained(5e-4), fine = gained(2.5e-4);
  EXPECT_LT(std::abs(fine), 1e-4);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

}  // namespace
}  // namespace slipstick::internal
