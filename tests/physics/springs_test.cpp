// Springs with dampers between points: closed forms of one and two masses, at steps that are long for them.
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

Simulation LoadText(const std::string& text, double step) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\ngravity: [0, 0, 0]\n" + text, "springs.yaml",
                                  {{"stepper.step", Text(step)}}));
}

// 2 kg on 200 N/m: 10 rad/s, damped with 0.2 of the critical damping
const std::string kOscillator = R"(
bodies: [{name: mass, mass: 2, inertia: [1, 1, 1], position: [0.7, 0, 0]}]
forces: [{between: [world, mass], stiffness: 200, damping: 8, length: 0.5}]
)";

double OscillatorError(double step) {
  Simulation simulation = LoadText(kOscillator, step);
  double worst = 0;
  RunUntil(1, &simulation, [&](const Simulation& s) {
    const double t = s.state().time, decay = 2, rate = std::sqrt(100 - decay * decay);
    const double exact = 0.5 + 0.2 * std::exp(-decay * t) * (std::cos(rate * t) + decay / rate * std::sin(rate * t));
    worst = std::max(worst, std::abs(s.kinematics().X_WB[0].position.x() - exact));
  });
  return worst;
}

TEST(SpringTest, OscillatorConvergesToItsClosedForm) {
  const double coarse = OscillatorError(2e-3), fine = OscillatorError(1e-3);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  // without its damper it keeps its energy: what the spring took is among the works, and the rest is truncation
  Simulation simulation = LoadText(kOscillator, 1e-4);
  RunUntil(1, &simulation);
  EXPECT_NEAR(simulation.energy().remainder, 0, 0.01 * 4);  // ½ k x² at the start is 4 J
}

// 10⁸ times as stiff a step as an explicit method bears, with and without damping: it stays where it belongs.
TEST(SpringTest, NoStiffnessIsTooLargeWithinATree) {
  for (const char* gains : {"stiffness: 1e12", "stiffness: 1e6, damping: 1e10"}) {
    Simulation simulation =
        LoadText(std::string("bodies: [{name: mass, mass: 2, inertia: [1, 1, 1], position: [0.5, 0, "
                             "0], velocity: [0, 0.1, 0]}]\nforces: [{between: [world, mass], ") +
                     gains + ", length: 0.5}]\n",
                 0.01);
    RunUntil(1, &simulation,
             [](const Simulation& s) { EXPECT_NEAR(s.kinematics().X_WB[0].position.norm(), 0.5, 1e-3); });
  }
}

const std::string kPair = R"(
bodies:
  - {name: light, mass: 1, inertia: [1, 1, 1]}
  - {name: heavy, mass: 3, inertia: [1, 1, 1], position: [1.2, 0, 0]}
forces: [{name: band, between: [light, heavy], stiffness: 300, length: 1}]
)";

TEST(SpringTest, TwoFreeBodiesSwingAtTheirReducedMass) {
  const double rate = std::sqrt(300 / 0.75), step = 1e-4;
  Simulation simulation = LoadText(kPair, step);
  RunUntil(1, &simulation, [&](const Simulation& s) {
    const double apart = (s.kinematics().X_WB[1].position - s.kinematics().X_WB[0].position).x();
    EXPECT_NEAR(apart, 1 + 0.2 * std::cos(rate * s.state().time), 0.2 * rate * step);
    const Vec3 center = (s.kinematics().X_WB[0].position + 3 * s.kinematics().X_WB[1].position) / 4;
    EXPECT_LT((center - Vec3(0.9, 0, 0)).norm(), 1e-12);
  });
}

TEST(SpringTest, StepsTooLongForASpringBetweenTreesAreRefused) {
  const double longest = std::sqrt(2 * 0.75 / 300);  // h² k w ≤ 2
  EXPECT_NO_THROW(LoadText(kPair, 0.99 * longest));
  try {
    LoadText(kPair, 1.01 * longest);
    ADD_FAILURE() << "taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'band'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace slipstick::internal
