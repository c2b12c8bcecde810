#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"
#include "tests/scene/faults_of.h"

// The key `repeat`.

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

const std::string kRow = R"(format: slipstick-scene 1
bodies: [{name: first, mass: 1, inertia: [1, 1, 1]}]
repeat:
  - name: row
    first: 1
    count: 3
    bodies:
      - {name: ball-$i, mass: $i/2, inertia: [$(i^2+1), 1, $(i^2+1)], position: [0.5*$i, $(2*(i-1)), 0], shapes: [{type: sphere, radius: 0.1}]
}
    constraints:
      - {name: rod-$(i+10), type: distance, between: [first, ball-$i], points: [[0, 0, 0], [0, 0, 0.1*$i]], length: 1 + t*$i}
)";

TEST(Repetitions, FillInTheNumber) {
  const Scene scene = ReadSceneText(kRow, "test.yaml");
  ASSERT_EQ(scene.bodies.size(), 4u);
  ASSERT_EQ(scene.constraints.size(), 3u);
  for (int i = 1; i <= 3; ++i) {
    const SceneBody& body = scene.bodies[i];
    EXPECT_EQ(body.name, "ball-" + std::to_string(i));
    EXPECT_EQ(body.mass, 0.5 * i);
    EXPECT_EQ(body.inertia(0, 0), i * i + 1);
    EXPECT_EQ(body.pose.position, Vec3(0.5 * i, 2 * (i - 1), 0));
    EXPECT_EQ(scene.constraints[i - 1].name, "rod-" + std::to_string(i + 10));
    EXPECT_EQ(scene.constraints[i - 1].bodies[1], body.name);
  }
}

TEST(Repetitions, CountAndPartsCanBeChanged) {
  const Scene scene = ReadSceneText(
      kRow, "test.yaml", {{"bodies.ball-5.mass", "7"}, {"repeat.row.count", "5"}, {"repeat.row.first", "2"}});
  ASSERT_EQ(scene.bodies.size(), 6u);
  EXPECT_EQ(scene.bodies[1].name, "ball-2");
  EXPECT_EQ(scene.bodies[4].mass, 7);
  EXPECT_EQ(scene.bodies[5].mass, 3);
}

TEST(Repetitions, FaultsNameTheirPlace) {
  EXPECT_THAT(FaultsOf("repeat: 3"), HasSubstr("repeat: expected a list of maps"));
  EXPECT_THAT(FaultsOf("repeat: [5]"), HasSubstr("repeat.0: expected a map with count"));
  EXPECT_THAT(FaultsOf("repeat: [{bodies: []}]"), HasSubstr("repeat.0.count"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2}]"), HasSubstr("repeat.0.bodies"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 0, bodies: []}]"), HasSubstr("at least 1"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 1e9, bodies: []}]"), HasSubstr("at most 10000"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2.5, bodies: []}]"), HasSubstr("a whole number"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, gravity: [0, 0, 0]}]"), HasSubstr("the key 'gravity'"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: {}}]"), HasSubstr("a list of bodies"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: [{name: a-$(i+}]}]"), HasSubstr("no ')'"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: [{name: a-$(j)}]}]"), HasSubstr("repeat.0.bodies.a-$(j).name"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: [{name: a-$(1/i)}]}]"), HasSubstr("not one finite number"));
  // what it makes is judged like all else: the same name twice, a mass of 0
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]}]"), HasSubstr("'a'"));
  EXPECT_THAT(FaultsOf("repeat: [{count: 2, bodies: [{name: a-$i, mass: $i, inertia: [1, 1, 1]}]}]"),
              HasSubstr("bodies.a-0.mass"));
}

}  // namespace
}  // namespace slipstick::internal
