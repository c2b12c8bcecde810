#include "slipstick/measure/motion_watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/measure/measures.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// Measures over all steps, on free flight: what they must be is known in closed form.

namespace slipstick::internal {
namespace {

// A top that flies up at 1 m/s, comes back, and turns at 10 rad/s about y; a second body at rest beside it.
constexpr const char* kFlight = R"(
format: slipstick-scene 1
gravity: [0, 0, -1]
bodies:
  - {name: top, mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 1], angular_velocity: [0, -10, 0]}
  - {name: rest, mass: 1, inertia: [1, 1, 1], position: [3, 0, 0], rotation: {axis: [0, 0, 1], angle: 90*deg}, velocity: [0, 0, 1]}
measures:
  - {name: turns, type: turns, body: top, axis: [0, 2, 0]}
  - {name: other-turns, type: turns, body: top, axis: [0, 0, 1]}
  - {name: height, type: distance, body: top}
  - {name: aside, type: distance, body: top, points: [[0, 0.5, 0], [0, 0.25, 0]], along: [0, 0, 1]}
  - {name: apart, type: distance, body: top, from: rest, through: [0, 1, 0]}
stepper: {step: 0.01, duration: 1.5}
)";

double ValueOf(const std::vector<MeasureResult>& results, const std::string& name, std::size_t k) {
  for (const MeasureResult& result : results)
    if (result.name == name) return result.values.at(k).second;
  return std::nan("");
}

TEST(MotionWatch, GreatestOverAllStepsAndAtTheEnd) {
  const Scene scene = ReadSceneText(kFlight, "flight.yaml");
  Simulation simulation = Simulation(scene);
  RunOptions options;
  options.scene = &scene;
  options.duration = 1.5;
  const RunSummary summary = RunSimulation(&simulation, options).summary;
  const auto results = TakeMeasures(scene, simulation, summary.watched);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_NEAR(ValueOf(results, "turns", 0), -15 / (2 * M_PI), 1e-9);
  EXPECT_NEAR(ValueOf(results, "other-turns", 0), 0, 1e-9);
  // t − t²/2, greatest at 1 s
  EXPECT_NEAR(ValueOf(results, "height", 0), 0.5, 1e-9);
  EXPECT_NEAR(ValueOf(results, "height", 1), 1.5 - 1.5 * 1.5 / 2, 1e-9);
  EXPECT_NEAR(ValueOf(results, "aside", 0), 0.5, 1e-9);
  // the other body's y looks along −x of the world
  EXPECT_NEAR(ValueOf(results, "apart", 0), 2, 1e-9);
}

TEST(MotionWatch, WithoutARunIsThePresentState) {
  const Scene scene = ReadSceneText(kFlight, "flight.yaml");
  const auto results = TakeMeasures(scene, Simulation(scene));
  EXPECT_EQ(ValueOf(results, "turns", 0), 0);
  EXPECT_EQ(ValueOf(results, "height", 0), 0);
  EXPECT_NEAR(ValueOf(results, "apart", 0), 2, 1e-12);
}

TEST(MotionWatch, Faults) {
  const auto refused = [](const std::vector<Override>& overrides) {
    try {
      ReadSceneText(kFlight, "flight.yaml", overrides);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_NE(refused({{"measures.turns.body", "tip"}}).find("top"), std::string::npos);
  EXPECT_NE(refused({{"measures.turns.axis", "[0, 0]"}}).find("measures.turns.axis"), std::string::npos);
  EXPECT_NE(refused({{"measures.aside.along", "[0, 0, 0]"}}).find("measures.aside.along"), std::string::npos);
  EXPECT_NE(refused({{"measures.aside.group", "g"}}).find("measures.aside.group"), std::string::npos);
}

}  // namespace
}  // namespace slipstick::internal
