#include "slipstick/live/parameter_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

Scene Load(const std::string& name, const std::vector<Override>& overrides = {}) {
  return ReadScene(FindScene(name), overrides);
}

void Take(int steps, Simulation* simulation) {
  for (int i = 0; i < steps; ++i) simulation->Step();
}

// A block on a slope of 25° rests with μ = 0.5. With μ = 0 it slides with g sin α, with μ = 0.1 with g (sin α − μ cos
// α).
TEST(ParameterValuesTest, FrictionOfASlopeChangesWhileItRuns) {
  const Scene scene = Load("slope");
  Simulation simulation = Simulation(scene);
  ParameterValues values(scene, {}, simulation);
  Take(200, &simulation);
  EXPECT_LT(simulation.state().v.norm(), 1e-9);

  const State before = simulation.state();
  const double remainder = simulation.energy().remainder;
  const std::vector<ParameterChange> changes = values.Apply({{"friction", 0.0}, {"unknown", 1.0}}, &simulation);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].name, "friction");
  EXPECT_EQ(changes[0].from, 0.5);
  EXPECT_EQ(changes[0].to, 0);
  EXPECT_EQ(changes[0].time, before.time);
  EXPECT_EQ(simulation.state().time, before.time);
  EXPECT_EQ(simulation.state().q, before.q);
  EXPECT_EQ(simulation.state().v, before.v);
  EXPECT_EQ(simulation.energy().remainder, remainder);
  EXPECT_EQ(values.parameters()[0].value, 0);

  constexpr double kGravity = 9.81, kAngle = 25 * M_PI / 180;
  Take(100, &simulation);
  EXPECT_NEAR(simulation.state().time, 0.3, 1e-12);
  const double speed = 0.1 * kGravity * std::sin(kAngle);
  EXPECT_NEAR(simulation.kinematics().linear_velocity[0].norm(), speed, 1e-6);

  values.Apply({{"friction", 0.1}}, &simulation);
  Take(100, &simulation);
  const double more = 0.1 * kGravity * (std::sin(kAngle) - 0.1 * std::cos(kAngle));
  EXPECT_NEAR(simulation.kinematics().linear_velocity[0].norm(), speed + more, 1e-6);
}

TEST(ParameterValuesTest, AnEqualModelHasTheSameFutureToTheBit) {
  for (const char* name : {"wheel", "joint-friction", "gravel-small"}) {
    const Scene scene = Load(name);
    Simulation first = Simulation(scene), second = Simulation(scene);
    Take(100, &first);
    second.TakeOver(first.state());
    Take(50, &first);
    Take(50, &second);
    EXPECT_EQ(first.StateHash(), second.StateHash()) << name;
  }
}

// Half the gravity takes away half the potential energy, which is neither work nor an error of the integrator.
TEST(ParameterValuesTest, EnergyOfAnotherGravityIsAccountedFor) {
  const std::string text =
      "format: slipstick-scene 1\ngravity: [0, 0, -10]\n"
      "bodies: [{name: ball, mass: 2, position: [0, 0, 3], shapes: [{type: sphere, radius: 0.1}]}]\n"
      "stepper: {step: 0.001, duration: 1}\n"
      "parameters: [{name: gravity, key: gravity.2, least: -20, most: 0}]\n";
  const Scene scene = ReadSceneText(text, "x.yaml");
  Simulation simulation = Simulation(scene);
  ParameterValues values(scene, {}, simulation);
  Take(10, &simulation);
  const double remainder = simulation.energy().remainder, potential = simulation.energy().potential;
  values.Apply({{"gravity", -5.0}}, &simulation);
  EXPECT_NEAR(simulation.energy().potential, potential / 2, 1e-12);
  EXPECT_NEAR(simulation.energy().released, -potential / 2, 1e-12);
  Take(1, &simulation);
  EXPECT_NEAR(simulation.energy().remainder, remainder, 1e-4);
}

TEST(ParameterValuesTest, ValuesStayWithinTheirRange) {
  const Scene scene = Load("slope");
  Simulation simulation = Simulation(scene);
  ParameterValues values(scene, {}, simulation);
  EXPECT_EQ(values.Apply({{"friction", 99.0}}, &simulation)[0].to, 1.5);
  EXPECT_TRUE(values.Apply({{"friction", 1.5}}, &simulation).empty());  // what it has is no change
}

// What was set on the command line stays.
TEST(ParameterValuesTest, OverridesAreKept) {
  const std::vector<Override> overrides = {{"stepper.step", "0.002"}, {"gravity.2", "-1"}};
  const Scene scene = Load("slope", overrides);
  Simulation simulation = Simulation(scene);
  ParameterValues values(scene, overrides, simulation);
  values.Apply({{"friction", 0.0}}, &simulation);
  Take(100, &simulation);
  EXPECT_NEAR(simulation.state().time, 0.2, 1e-12);
  EXPECT_NEAR(simulation.kinematics().linear_velocity[0].norm(), 0.2 * std::sin(25 * M_PI / 180), 1e-6);
}

std::vector<Fault> FaultsOf(const std::string& parameters) {
  const std::string text =
      "format: slipstick-scene 1\nmaterials: [{name: wood, friction: 0.5}]\n"
      "bodies: [{name: ball, mass: 2, shapes: [{type: sphere, radius: 0.1}]}]\n"
      "stepper: {step: 0.001, duration: 1}\nparameters:\n" +
      parameters;
  const Scene scene = ReadSceneText(text, "x.yaml");
  const Simulation simulation = Simulation(scene);
  try {
    const ParameterValues values(scene, {}, simulation);
  } catch (const InputError& error) {
    return error.faults();
  }
  return {};
}

TEST(ParameterValuesTest, EndsThatCannotBeRunAreFaults) {
  const std::vector<Fault> faults = FaultsOf(
      "  - {name: friction, key: materials.wood.friction, least: -1, most: 1}\n"
      "  - {name: mass, key: bodies.ball.mass, least: 2, most: 3}\n"
      "  - {name: radius, key: bodies.ball.shapes.0.radius, least: 0.05, most: 0.1}\n"
      "  - {name: step, key: stepper.step, least: 0.001, most: 0.01}\n");
  ASSERT_EQ(faults.size(), 4u);
  EXPECT_EQ(faults[0].key, "parameters.friction.least");
  EXPECT_EQ(faults[0].line, 6);
  EXPECT_THAT(faults[0].found, HasSubstr("materials.wood.friction"));
  EXPECT_EQ(faults[1].key, "parameters.mass.most");
  EXPECT_THAT(faults[1].found, HasSubstr("masses"));
  EXPECT_EQ(faults[2].key, "parameters.radius.least");
  EXPECT_EQ(faults[3].key, "parameters.step.most");
}

TEST(ParameterValuesTest, ThoseOfOurScenesCanBeUsed) {
  int count = 0;
  for (const SceneEntry& entry : ListScenes()) {
    const Scene scene = Load(entry.name);
    if (scene.parameters.empty()) continue;
    const Simulation simulation = Simulation(scene);
    EXPECT_NO_THROW(ParameterValues(scene, {}, simulation)) << entry.name;
    ++count;
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace slipstick::internal
