#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kScene =
    "format: slipstick-scene 1\n"
    "materials: [{name: wood, friction: 0.5}, {name: ice, friction: 1/20}]\n"
    "bodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}]}]\n"
    "forces: [{name: push, body: ball, force: [2, t, 0]}]\n";

std::vector<SceneParameter> Parameters(const std::string& lines, const std::vector<Override>& overrides = {}) {
  return ReadSceneText(kScene + "parameters:\n" + lines, "x.yaml", overrides).parameters;
}

std::vector<Fault> Faults(const std::string& lines, const std::vector<Override>& overrides = {}) {
  try {
    Parameters(lines, overrides);
  } catch (const InputError& error) {
    return error.faults();
  }
  return {};
}

TEST(SceneParametersTest, KnowTheirKeysRangeAndPresentValue) {
  const std::vector<SceneParameter> parameters = Parameters(
      "  - {name: friction, key: 'materials.wood.friction,materials.ice.friction', least: 0, most: 2*0.5}\n"
      "  - {name: push, key: forces.push.force.0, least: -5, most: 5, unit: N}\n");
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_THAT(parameters[0].keys, ElementsAre("materials.wood.friction", "materials.ice.friction"));
  EXPECT_EQ(parameters[0].least, 0);
  EXPECT_EQ(parameters[0].most, 1);
  EXPECT_EQ(parameters[0].value, 0.5);
  EXPECT_EQ(parameters[1].name, "push");
  EXPECT_EQ(parameters[1].unit, "N");
  EXPECT_EQ(parameters[1].value, 2);
}

TEST(SceneParametersTest, FormulasWithoutTimeAreNumbers) {
  EXPECT_EQ(Parameters("  - {name: ice, key: materials.ice.friction, least: 0, most: 1}\n")[0].value, 0.05);
}

TEST(SceneParametersTest, FollowWhatIsSetFromOutside) {
  const std::string line = "  - {name: friction, key: materials.wood.friction, least: 0.1, most: 1}\n";
  EXPECT_EQ(Parameters(line, {{"materials.wood.friction", "0.7"}})[0].value, 0.7);
  // the range holds what the scene has
  EXPECT_EQ(Parameters(line, {{"materials.wood.friction", "3"}})[0].most, 3);
  EXPECT_EQ(Parameters(line, {{"materials.wood.friction", "0"}})[0].least, 0);
  // and one that has nothing to change any more is gone, with no complaint about what the file says
  EXPECT_TRUE(Parameters("  - {name: push, key: forces.push.force.0, least: -5, most: 5}\n",
                         {{"forces.push.force", "[t, t, t]"}})
                  .empty());
}

TEST(SceneParametersTest, FaultsNameKeyAndCause) {
  const std::vector<Fault> faults = Faults(
      "  - {name: a, key: materials.wod.friction, least: 0, most: 1}\n"
      "  - {name: b, key: forces.push.force.1, least: 0, most: 1}\n"
      "  - {name: c, key: materials.wood, least: 0, most: 1}\n"
      "  - {name: d, key: materials.wood.friction, least: 1, most: 1}\n"
      "  - {name: d, key: materials.wood.friction, least: 0, most: 1}\n"
      "  - {name: e, key: materials.wood.friction, least: 0}\n");
  ASSERT_EQ(faults.size(), 6u);
  EXPECT_EQ(faults[0].key, "parameters.a.key");
  EXPECT_EQ(faults[0].line, 6);
  EXPECT_THAT(faults[0].found, HasSubstr("'materials.wod.friction', which leads nowhere"));
  EXPECT_THAT(faults[1].found, HasSubstr("which leads to 't'"));
  EXPECT_THAT(faults[2].found, HasSubstr("which leads to a map"));
  EXPECT_EQ(faults[3].key, "parameters.d.most");
  EXPECT_THAT(faults[3].expected, HasSubstr("above least, 1"));
  EXPECT_THAT(faults[4].key, HasSubstr("name"));
  EXPECT_EQ(faults[5].key, "parameters.e.most");  // which is missing
}

}  // namespace
}  // namespace slipstick::internal
