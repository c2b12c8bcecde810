#include "slipstick/stepping/contact_selection.h"

#include <gtest/gtest.h>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {
namespace {

// Balls of radius 0.1 along x, at these places; no gravity.
struct Row {
  explicit Row(const std::vector<double>& places, const std::vector<double>& speeds) {
    std::string text = "format: slipstick-scene 1\ngravity: [0, 0, 0]\nbodies:\n";
    for (std::size_t i = 0; i < places.size(); ++i) {
      text += "  - {name: b" + std::to_string(i) + ", mass: 1, position: [" + std::to_string(places[i]) +
              ", 0, 0], velocity: [" + std::to_string(speeds[i]) + ", 0, 0], shapes: [{type: sphere, radius: 0.1}]}\n";
    }
    model = CompileModel(ReadSceneText(text, "row.yaml"));
    ComputeKinematics(model, model.initial_state, &kinematics);
    ComputeBodyVelocities(model, kinematics, model.initial_state.v, &free_motion);
  }
  BodyVelocities Moving(const std::vector<double>& speeds) const {
    BodyVelocities motion = free_motion;
    for (std::size_t i = 0; i < speeds.size(); ++i) motion.linear[i] = Vec3(speeds[i], 0, 0);
    return motion;
  }

  Model model;
  Kinematics kinematics;
  BodyVelocities free_motion;
};

std::vector<ContactKey> ChosenKeys(const ContactSelection& selection) {
  std::vector<ContactKey> keys;
  for (const int number : selection.chosen()) keys.push_back(selection.points().at(number).key);
  return keys;
}
ContactKey Pair(std::uint32_t a, std::uint32_t b) { return {.shape_a = a, .shape_b = b}; }

constexpr ContactSelection::Settings kSettings{.step = 0.01, .gap_correction = 0.2};

TEST(ContactSelection, ChoosesWhatClosesAndLeavesWhatParts) {
  const Row row({0, 0.21, 1, 1.21}, {2, 0, -1, 0});
  ContactSelection selection(row.model, kSettings);
  selection.Choose(row.model, row.kinematics, row.free_motion);
  EXPECT_EQ(ChosenKeys(selection), std::vector<ContactKey>{Pair(0, 1)});
}

TEST(ContactSelection, AllWithinAMarginWhereOneIsGiven) {
  const Row row({0, 0.21, 0.43, 0.7}, {0, 0, 0, 0});
  ContactSelection::Settings settings = kSettings;
  settings.margin = 0.05;
  ContactSelection selection(row.model, settings);
  selection.Choose(row.model, row.kinematics, row.free_motion);
  EXPECT_EQ(ChosenKeys(selection), (std::vector<ContactKey>{Pair(0, 1), Pair(1, 2)}));
  EXPECT_FALSE(selection.TakeInClosing(row.model, row.kinematics, row.Moving({100, 0, 0, 0}), 0));
}

// The last ball of a row that is hit is faster than anything could foresee.
TEST(ContactSelection, TakesInWhatTheAnswerCloses) {
  const Row row({0, 0.2, 0.45, 0.8}, {5, 0, 0, 0});
  ContactSelection selection(row.model, kSettings);
  selection.Choose(row.model, row.kinematics, row.free_motion);
  EXPECT_EQ(ChosenKeys(selection), (std::vector<ContactKey>{Pair(0, 1)}));
  EXPECT_FALSE(selection.TakeInClosing(row.model, row.kinematics, row.Moving({0, 1, 0, 0}), 0));
  EXPECT_TRUE(selection.TakeInClosing(row.model, row.kinematics, row.Moving({0, 6, 0, 0}), 0));
  EXPECT_EQ(ChosenKeys(selection), (std::vector<ContactKey>{Pair(0, 1), Pair(1, 2)}));
  EXPECT_TRUE(selection.TakeInClosing(row.model, row.kinematics, row.Moving({0, 6, 40, 0}), 0));
  EXPECT_EQ(ChosenKeys(selection), (std::vector<ContactKey>{Pair(0, 1), Pair(1, 2), Pair(2, 3)}));
}

// A wider search finds more points, none of which closes. Those chosen before are then others in the list, by their
// numbers, and the same by their keys.
TEST(ContactSelection, AWiderSearchKeepsTheChoice) {
  const Row row({0.7, 0.2, 0, 0.95, 1.5}, {0, 0, 1, 0, 0});
  ContactSelection selection(row.model, kSettings);
  selection.Choose(row.model, row.kinematics, row.free_motion);
  const std::vector<ContactKey> before = ChosenKeys(selection);
  ASSERT_EQ(before, std::vector<ContactKey>{Pair(1, 2)});
  const std::size_t points = selection.points().size();
  // the first ball flies away from all others, far: points between it and them come into the list before the chosen one
  EXPECT_FALSE(selection.TakeInClosing(row.model, row.kinematics, row.Moving({0, 0, 0, 30, 0}), 1e-9));
  BodyVelocities apart = row.Moving({0, 0, 0, 0, 0});
  apart.linear[0] = Vec3(0, 60, 0);
  EXPECT_FALSE(selection.TakeInClosing(row.model, row.kinematics, apart, 0));
  ASSERT_GT(selection.points().size(), points);
  ASSERT_NE(selection.points()[0].key, before[0]);
  EXPECT_EQ(ChosenKeys(selection), before);
}

}  // namespace
}  // namespace slipstick::internal
