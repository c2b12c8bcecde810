#include "slipstick/events/event_stepper.h"

#include <numeric>

#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr std::size_t kListed = 1000;  // events, of all that are counted

// A ball between two plates fills the list before the hinge, slowed by its friction, comes to rest. What happens then
// is counted, and what was listed stays as it was told.
TEST(EventListTest, AFullListStaysAsItIs) {
  Simulation simulation(ReadSceneText(R"(
format: slipstick-scene 1
gravity: [0, 0, 0]
materials: [{name: steel, friction: 0, restitution: 1}]
world:
  shapes:
    - {name: floor, type: plane, material: steel}
    - {name: ceiling, type: plane, material: steel, position: [0, 0, 0.202], rotation: {axis: [1, 0, 0], angle: 180*deg}}
bodies:
  - {name: ball, mass: 1, position: [0, 0, 0.101], velocity: [0, 0, 10], shapes: [{type: sphere, radius: 0.1, material: steel}]}
  - {name: wheel, mass: 1, inertia: [1, 1, 1]}
joints: [{name: hinge, type: revolute, child: wheel, axis: [0, 0, 1], velocity: 1, friction: 4}]
law: coulomb
stepper: {name: event-driven, step: 0.01, duration: 0.3}
)",
                                      "full-list.yaml"));
  RunUntil(0.3, &simulation);
  const EventLog& events = *simulation.events();
  ASSERT_EQ(events.listed.size(), kListed);
  EXPECT_EQ(events.counts[static_cast<std::size_t>(EventKind::kJointStick)], 1);
  EXPECT_GT(std::accumulate(events.counts.begin(), events.counts.end(), 0L), static_cast<long>(kListed) + 1);
  for (const MotionEvent& event : events.listed) {
    EXPECT_EQ(event.kind, EventKind::kImpact);
    EXPECT_TRUE(event.body_a == "ball" && event.body_b == "world") << event.body_a << ", " << event.body_b;
    EXPECT_LT(event.time, 0.25);  // when the hinge stops
  }
}

// A joint's event names its two bodies where the list has room.
TEST(EventListTest, JointsAreToldWithTheirBodies) {
  Simulation simulation(ReadSceneText(R"(
format: slipstick-scene 1
gravity: [0, 0, 0]
bodies:
  - {name: wheel, mass: 1, inertia: [1, 1, 1]}
joints: [{name: hinge, type: revolute, child: wheel, axis: [0, 0, 1], velocity: 1, friction: 4}]
law: coulomb
stepper: {name: event-driven, step: 0.01, duration: 0.3}
)",
                                      "wheel.yaml"));
  RunUntil(0.3, &simulation);
  const std::vector<MotionEvent>& events = simulation.events()->listed;
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kJointStick);
  EXPECT_NEAR(events[0].time, 0.25, 1e-9);
  EXPECT_EQ(events[0].body_a, "wheel");
  EXPECT_EQ(events[0].body_b, "world");
}

}  // namespace
}  // namespace slipstick::internal
