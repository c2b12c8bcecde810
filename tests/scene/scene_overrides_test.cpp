#include "slipstick/scene_file/apply_overrides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

const std::string kWheel = std::string(SLIPSTICK_SOURCE_DIR) + "/scenes/wheel.yaml";

Fault OnlyFault(const std::vector<Override>& overrides) {
  try {
    ReadScene(kWheel, overrides);
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().size(), 1u) << error.what();
    return error.faults()[0];
  }
  ADD_FAILURE() << "no fault";
  return {};
}

TEST(SceneOverridesTest, ReachEveryKindOfValue) {
  const Scene scene = ReadScene(kWheel, {{"bodies.wheel.mass", "2"},
                                         {"gravity.2", "-1.62"},
                                         {"materials.rubber.friction", "0.5*2"},
                                         {"stepper.step", "1e-4"},
                                         {"joints.mount.chain.psi.velocity", "-3"},
                                         {"bodies.0.inertia", "[1, 1.5, 1]"},
                                         {"title", "another"},
                                         {"law.iterations", "7"}});
  EXPECT_EQ(scene.bodies[0].mass, 2);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -1.62));
  EXPECT_EQ(scene.materials[0].properties.friction, 1.0);
  EXPECT_EQ(std::get<double>(scene.stepper_settings.at("step")), 1e-4);
  EXPECT_EQ(scene.joints[0].links[3].velocity.at(0), -3);
  EXPECT_EQ(scene.bodies[0].inertia(1, 1), 1.5);
  EXPECT_EQ(scene.title, "another");
  EXPECT_EQ(scene.law, "regularized");
  EXPECT_EQ(std::get<double>(scene.law_settings.at("iterations")), 7);
  EXPECT_EQ(std::get<double>(scene.law_settings.at("velocity_threshold")), 0.01);
}

TEST(SceneOverridesTest, AreKeptAsCommentsAfterTheText) {
  const std::string text = "format: slipstick-scene 1";
  const Scene scene = ReadSceneText(text, "x.yaml", {{"gravity.2", "-1"}, {"title", "'a\n b'"}});
  EXPECT_EQ(scene.effective_text, text + "\n# --set gravity.2=-1\n# --set title='a  b'\n");
  EXPECT_EQ(ReadSceneText(scene.effective_text, "x.yaml").gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(ReadSceneText(text, "x.yaml").effective_text, text);
}

TEST(SceneOverridesTest, TheLastOneWins) {
  EXPECT_EQ(ReadScene(kWheel, {{"bodies.wheel.mass", "2"}, {"bodies.wheel.mass", "3"}}).bodies[0].mass, 3);
}

TEST(SceneOverridesTest, SectionsThatTheFileLeavesOutAreMade) {
  const Scene scene = ReadSceneText("format: slipstick-scene 1\n", "x.yaml",
                                    {{"gravity.0", "1"}, {"solver.name", "lemke"}, {"certificate.gap", "1e-3"}});
  EXPECT_EQ(scene.gravity, Vec3(1, 0, -9.81));
  EXPECT_EQ(scene.solver, "lemke");
  EXPECT_EQ(std::get<double>(scene.certificate_settings.at("gap")), 1e-3);
}

TEST(SceneOverridesTest, AnotherLawKeepsSettingsGivenWithIt) {
  const std::string text = "format: slipstick-scene 1\nlaw: {name: regularized, vth: 1}\nlaws: {box: {axes: world}}\n";
  const Scene scene = ReadSceneText(text, "x.yaml", {{"law.name", "box"}});
  EXPECT_EQ(scene.law, "box");
  EXPECT_EQ(scene.law_settings.size(), 2u);  // vth is reported by whoever knows the law box
  EXPECT_EQ(scene.law_settings.count("vth"), 1u);
  EXPECT_EQ(ReadSceneText(text, "x.yaml", {{"law", "box"}}).law_settings.size(), 1u);
}

TEST(SceneOverridesTest, FaultsNameTheOption) {
  const auto expect = [](const Override& given, const std::string& expected, const std::string& found) {
    const Fault fault = OnlyFault({given});
    EXPECT_EQ(fault.file, "");
    EXPECT_EQ(fault.line, 0);
    EXPECT_EQ(fault.key, "--set " + given.key);
    EXPECT_THAT(fault.expected, HasSubstr(expected));
    EXPECT_THAT(fault.found, HasSubstr(found));
  };
  expect({"bodies.wheel.mas", "2"}, "did you mean 'mass'?", "'mas'");
  expect({"bodies.whel.mass", "2"}, "'wheel'", "'whel'");
  expect({"materials.ruber.friction", "2"}, "rubber, road", "'ruber'");
  expect({"gravity.3", "2"}, "0, 1, 2", "'3'");
  expect({"bodies.wheel.mass.x", "2"}, "the end of the key", "'x'");
  expect({"nothing", "2"}, "one of", "'nothing'");
  expect({"", "2"}, "one of", "''");
  expect({"bodies..mass", "2"}, "'wheel'", "''");
  expect({"bodies.wheel.mass", "-2"}, "above 0 in kg", "-2");
  expect({"bodies.wheel.mass", ""}, "a number", "''");
  expect({"bodies.wheel.mass", "[1"}, "a value in YAML", "");
  expect({"bodies.wheel.shapes.rim.type", "square"}, "sphere", "'square'");
  expect({"joints.mount.chain.q.velocity", "1"}, "x, y, z, psi, theta, phi", "'q'");
}

TEST(SceneOverridesTest, FaultsInsideANewValueNameTheirPath) {
  const Fault fault = OnlyFault({{"bodies.wheel.inertia", "[1, 1, up]"}});
  EXPECT_EQ(fault.key, "--set bodies.wheel.inertia.2");
}

}  // namespace
}  // namespace slipstick::internal
