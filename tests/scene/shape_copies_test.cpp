#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "slipstick/scene_file/scene_reader.h"
#include "tests/scene/faults_of.h"

// Copies of shapes, and scenes that are others with changes.

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

std::vector<SceneShape> WorldShapes(const std::string& shape) {
  return ReadSceneText("format: slipstick-scene 1\nworld: {shapes: [" + shape + "]}\n", "test.yaml").world_shapes;
}

TEST(ShapeCopies, TurnAndShift) {
  const auto shapes = WorldShapes(
      "{name: tooth, type: box, size: [1, 1, 1], position: [2, 0, 0], copies: [{count: 4, turn: {axis: [0, 0, 3]}}, "
      "{count: 3, shift: [0, 0, 5]}]}");
  ASSERT_EQ(shapes.size(), 12u);
  const Vec3 around[] = {{2, 0, 0}, {0, 2, 0}, {-2, 0, 0}, {0, -2, 0}};
  std::set<std::string> names;
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    EXPECT_LE((shapes[i].pose.position - around[i % 4] - Vec3(0, 0, 5 * (i / 4))).norm(), 1e-14);
    // what looked outwards does so still
    EXPECT_LE((shapes[i].pose.rotation * Vec3::UnitX() - around[i % 4] / 2).norm(), 1e-14);
    names.insert(shapes[i].name);
  }
  EXPECT_EQ(names.size(), 12u);
  EXPECT_EQ(shapes[0].name, "tooth");
}

TEST(ShapeCopies, AboutAPointAndAlongAScrew) {
  const auto shapes = WorldShapes(
      "{type: sphere, radius: 1, position: [3, 1, 0], copies: [{count: 3, shift: [0, 0, 2], turn: {angle: 90*deg, "
      "about: [1, 1, 7]}}]}, {type: sphere, radius: 2}");
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_LE((shapes[1].pose.position - Vec3(1, 3, 2)).norm(), 1e-14);
  EXPECT_LE((shapes[2].pose.position - Vec3(-1, 1, 4)).norm(), 1e-14);
  EXPECT_EQ(std::get<Sphere>(shapes[3].geometry).radius, 2);
  EXPECT_EQ(std::set<std::string>({shapes[0].name, shapes[1].name, shapes[2].name, shapes[3].name}).size(), 4u);
}

// Four quarters of a ring weigh what the ring does, about its own centre.
TEST(ShapeCopies, HaveMass) {
  const Scene scene = ReadSceneText(
      "format: slipstick-scene 1\nbodies: [{name: b, mass: 8, shapes: [{type: box, size: [1, 1, 1], position: [1, 1, "
      "0], "
      "copies: [{count: 4, turn: {}}]}]}]\n",
      "test.yaml");
  const SceneBody& body = scene.bodies.at(0);
  EXPECT_LE(body.com.norm(), 1e-14);
  // a cube of 2 kg: 1/3 about its own axes, and 2 kg at √2 from the axis z
  EXPECT_NEAR(body.inertia(2, 2), 4 * (2.0 / 6 + 2 * 2), 1e-12);
  EXPECT_NEAR(body.inertia(0, 0), 4 * (2.0 / 6 + 2 * 1), 1e-12);
}

TEST(ShapeCopies, Faults) {
  const auto of = [](const std::string& copies) {
    return FaultsOf("world: {shapes: [{type: sphere, radius: 1, copies: " + copies + "}]}\n");
  };
  EXPECT_EQ(of("[]"), "");
  EXPECT_THAT(of("[{count: 0}]"), HasSubstr("at least 1"));
  EXPECT_THAT(of("[{shift: [1, 0, 0]}]"), HasSubstr("count"));
  EXPECT_THAT(of("[{count: 100000}]"), HasSubstr("at most 10000"));
  EXPECT_THAT(of("[{count: 200}, {count: 200}]"), HasSubstr("at most 10000"));
  EXPECT_THAT(of("[{count: 2, turn: {axis: [0, 0, 0]}}]"), HasSubstr("axis"));
  EXPECT_THAT(of("[{count: 2, trun: {}}]"), HasSubstr("trun"));
  EXPECT_THAT(of("{count: 2}"), HasSubstr("list"));
}

class DerivedSceneTest : public ::testing::Test {
 protected:
  DerivedSceneTest() : folder_(std::filesystem::path(::testing::TempDir()) / "derived_scenes") {
    std::filesystem::create_directories(folder_);
    Write("ball",
          "title: Ball\nsource: here\nbodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}]}]\n");
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / (name + ".yaml")) << "format: slipstick-scene 1\n" << text;
  }
  Scene Read(const std::string& name, const std::vector<Override>& overrides = {}) const {
    return ReadScene(folder_ / (name + ".yaml"), overrides);
  }
  std::string Refused(const std::string& name) const {
    try {
      Read(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

TEST_F(DerivedSceneTest, IsItsBaseWithChanges) {
  Write("heavy", "base: ball\ntitle: 'Heavy \"ball\"'\nset: [bodies.ball.mass=7, 'gravity=[0, 0, -1]']\n");
  Write("heavier", "base: heavy\nset: [bodies.ball.mass=9]\n");
  const Scene heavy = Read("heavy");
  EXPECT_EQ(heavy.name, "heavy");
  EXPECT_EQ(heavy.title, "Heavy \"ball\"");
  EXPECT_EQ(heavy.source, "here");
  EXPECT_EQ(heavy.bodies.at(0).mass, 7);
  EXPECT_EQ(heavy.gravity[2], -1);
  // the text that stands for all of it can be read again
  const Scene again = ReadSceneText(heavy.effective_text, "again.yaml");
  EXPECT_EQ(again.bodies.size(), 1u);
  EXPECT_EQ(Read("heavier").bodies.at(0).mass, 9);
  EXPECT_EQ(Read("heavier").gravity[2], -1);
  // what is set from outside comes last
  EXPECT_EQ(Read("heavier", {{"bodies.ball.mass", "11"}}).bodies.at(0).mass, 11);
}

TEST_F(DerivedSceneTest, Faults) {
  Write("lost", "base: bull\n");
  EXPECT_THAT(Refused("lost"), HasSubstr("bull.yaml"));
  Write("mixed", "base: ball\nbodies: []\n");
  EXPECT_THAT(Refused("mixed"), HasSubstr("bodies"));
  Write("wrong", "base: ball\nset: [mass]\n");
  EXPECT_THAT(Refused("wrong"), HasSubstr("KEY=VALUE"));
  Write("unknown", "base: ball\nset: [bodies.bull.mass=1]\n");
  EXPECT_THAT(Refused("unknown"), HasSubstr("bull"));
  Write("circle", "base: circle\n");
  EXPECT_THAT(Refused("circle"), HasSubstr("at most 8"));
}

}  // namespace
}  // namespace slipstick::internal
