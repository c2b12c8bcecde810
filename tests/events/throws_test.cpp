#include <cmath>
#include <vector>

#include "slipstick/base/random_source.h"
#include "slipstick/events/motion_event.h"
#include "tests/physics/scene_runs.h"

// Boxes thrown on the ground: time stepping must come to what event-driven motion is as its step falls, through
// impacts with friction, whatever gap a contact has as the step of its impact begins.

namespace slipstick::internal {
namespace {

constexpr int kThrows = 10;
constexpr double kCoarse = 1e-3;  // [s]

std::string ThrowOf(RandomSource* random, double restitution) {
  const auto vector = [&](double size) {
    const double x = random->Uniform(-size, size), y = random->Uniform(-size, size), z = random->Uniform(-size, size);
    return Vec3(x, y, z);
  };
  const Vec3 axis = vector(1), velocity = vector(1.5), spin = vector(5);
  return "format: slipstick-scene 1\nmaterials: [{name: default, friction: 0.4, restitution: " + Text(restitution) +
         "}]\nworld: {shapes: [{type: plane}]}\nbodies:\n  - {name: box, mass: 1, position: [0, 0, 0.4], rotation: "
         "{axis: " +
         Text(axis) + ", angle: " + Text(random->Uniform(0, 3)) + "}, velocity: " + Text(velocity) +
         ", angular_velocity: " + Text(spin) + ", shapes: [{type: box, size: [0.2, 0.16, 0.12]}]}\n";
}

Simulation Throw(const std::string& text, const Overrides& overrides) {
  return Simulation(ReadSceneText(text, "throw.yaml", overrides));
}

// Where the box's corners are: a distance that knows turns too.
VecX Corners(const Simulation& simulation) {
  VecX corners(24);
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner((k & 1) != 0 ? 0.1 : -0.1, (k & 2) != 0 ? 0.08 : -0.08, (k & 4) != 0 ? 0.06 : -0.06);
    corners.segment<3>(3 * k) = simulation.kinematics().X_WB[0] * corner;
  }
  return corners;
}

// Just before the fourth impact, a whole number of the coarsest steps.
double TimeOfComparison(const std::string& text) {
  Simulation exact = Throw(text, {{"stepper", "{name: event-driven, step: 0.02, duration: 1}"}});
  std::vector<double> impacts;
  while (exact.time() < 0.8 && impacts.size() < 4) {
    exact.Step();
    impacts.clear();
    for (const MotionEvent& event : exact.events()->listed) {
      if (event.kind == EventKind::kImpact) impacts.push_back(event.time);
    }
  }
  EXPECT_GE(impacts.size(), 3u);
  const double last = impacts.size() < 4 ? exact.time() : impacts[3];
  return kCoarse * std::floor(last / kCoarse - 1);
}

class ThrowsTest : public ::testing::TestWithParam<double> {};

TEST_P(ThrowsTest, ConvergeToEventDrivenThroughThreeImpacts) {
  RandomSource random(11);
  constexpr int kHalvings = 6;
  std::vector<double> mean(kHalvings, 0.0);  // of the errors' logarithms
  for (int k = 0; k < kThrows; ++k) {
    const std::string text = ThrowOf(&random, GetParam());
    const double time = TimeOfComparison(text);
    Simulation exact = Throw(text, {{"stepper", "{name: event-driven, step: " + Text(time) + ", duration: 1}"}});
    exact.Step();
    const VecX corners = Corners(exact);
    for (int n = 0; n < kHalvings; ++n) {
      Simulation steps = Throw(text, {{"stepper.step", Text(kCoarse / (1 << n))}});
      RunUntil(time, &steps);
      const double error = (Corners(steps) - corners).lpNorm<Eigen::Infinity>();
      mean[n] += std::log2(error) / kThrows;
    }
  }
  // slope of the straight line through all of them
  double slope = 0, squares = 0;
  for (int n = 0; n < kHalvings; ++n) {
    const double x = n - 0.5 * (kHalvings - 1);
    slope -= x * mean[n];
    squares += x * x;
  }
  EXPECT_GE(slope / squares, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Restitution, ThrowsTest, ::testing::Values(0.0, 0.4));

}  // namespace
}  // namespace slipstick::internal
