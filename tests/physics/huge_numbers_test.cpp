#include <gmock/gmock.h>

#include "every_law.h"
#include "scene_runs.h"

// Numbers that no motion has: whatever they are, a step ends, and either moves to a finite state or is told to have
// failed and leaves the state as it was.

namespace slipstick::internal {
namespace {

// A box on the ground, a ball above it, a pendulum that reaches the ground: contacts of lone bodies and of a tree.
std::string SceneOf(const std::string& velocity, const std::string& spin) {
  return R"(format: slipstick-scene 1
materials: [{name: default, friction: 0.5, restitution: 0.3}]
world: {shapes: [{type: plane}]}
bodies:
  - {name: box, mass: 1, inertia: [0.001, 0.002, 0.0028], position: [0, 0, 0.05], velocity: )" +
         velocity + ", angular_velocity: " + spin + R"(,
     shapes: [{type: box, size: [0.1, 0.1, 0.1]}]}
  - {name: ball, mass: 0.1, position: [0, 0, 0.13], shapes: [{type: sphere, radius: 0.03}]}
  - {name: arm, mass: 1, shapes: [{type: capsule, radius: 0.02, length: 0.4}]}
joints:
  - {name: hinge, type: revolute, child: arm, axis: [0, 1, 0], position: 0.3, parent_frame: {position: [2, 0, 0.2]}}
stepper: {step: 0.01}
)";
}

void ExpectFiniteOrTold(Simulation* simulation, int steps) {
  for (int k = 0; k < steps; ++k) {
    const VecX q = simulation->state().q, v = simulation->state().v;
    const StepRecord& record = simulation->Step();
    if (record.certificate.finite) {
      ASSERT_TRUE(simulation->state().q.allFinite() && simulation->state().v.allFinite()) << "step " << k;
      ASSERT_TRUE(std::isfinite(simulation->energy().kinetic)) << "step " << k;
      continue;
    }
    EXPECT_FALSE(record.certificate.passed);
    EXPECT_THAT(record.certificate.reason,
                ::testing::AnyOf(::testing::HasSubstr("finite"), ::testing::HasSubstr("singular")));
    EXPECT_EQ(simulation->state().q, q);
    EXPECT_EQ(simulation->state().v, v);
    return;
  }
}

class HugeNumbersTest : public ::testing::TestWithParam<const char*> {};

TEST_P(HugeNumbersTest, EndInAFiniteStateOrAFailedStep) {
  for (const char* size : {"1e20", "1e90", "1e152", "1e300"}) {
    for (const bool spins : {false, true}) {
      SCOPED_TRACE(std::string(size) + (spins ? " rad/s" : " m/s"));
      const std::string fast = std::string("[") + size + ", -" + size + ", -" + size + "]", still = "[0, 0, 0]";
      Simulation simulation(
          ReadSceneText(SceneOf(spins ? still : fast, spins ? fast : still), "huge.yaml", {{"law", GetParam()}}));
      ExpectFiniteOrTold(&simulation, 2);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Laws, HugeNumbersTest, EveryLaw(), LawTestName);

TEST(HugeNumbersTest, EventDriven) {
  for (const char* size : {"1e4", "1e20", "1e90", "1e152", "1e300"}) {
    SCOPED_TRACE(size);
    const std::string fast = std::string("[") + size + ", -" + size + ", " + size + "]";
    Simulation simulation(ReadSceneText(SceneOf(fast, fast), "huge.yaml", {{"stepper.name", "event-driven"}}));
    ExpectFiniteOrTold(&simulation, 2);
  }
}

// Without contacts too, where nothing but the free motion is solved.
TEST(HugeNumbersTest, AFreeBody) {
  for (const char* size : {"1e4", "1e60", "1e120", "1e300"}) {
    SCOPED_TRACE(size);
    Simulation simulation(ReadSceneText(
        std::string(
            "format: slipstick-scene 1\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [0.001, 0.002, "
            "0.0028], angular_velocity: [") +
            size + ", " + size + ", " + size + "]}]\nstepper: {step: 0.01}\n",
        "huge.yaml"));
    ExpectFiniteOrTold(&simulation, 30);
  }
}

}  // namespace
}  // namespace slipstick::internal
