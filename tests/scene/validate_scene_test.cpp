#include "slipstick/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene/body_group.h"
#include "slipstick/scene_file/scene_library.h"
#include "tests/scene/scene_in_code.h"

namespace slipstick::internal {
namespace {

// --- groups ----------------------------------------------------------------------------------------------------------

struct GroupCase {
  std::string text;  // beside name and template
  std::function<void(BodyGroupPlan*)> change;
};

TEST(ValidateGroupTest, SaysWhatTheReaderSays) {
  BodyGroupPlan plan;
  plan.prototype.name = "g";
  plan.prototype.shapes = {Shape(Sphere{1})};
  plan.density = 1;
  LatticePlan lattice;
  lattice.counts = {2, 2, 2};
  lattice.spacing = Vec3::Constant(3);
  plan.places = lattice;
  EXPECT_TRUE(Validate(plan).empty());
  const std::string places = "lattice: {counts: [2, 2, 2], spacing: 3}";
  const auto lattice_of = [](BodyGroupPlan* p) { return std::get_if<LatticePlan>(&p->places); };
  const GroupCase cases[] = {
      {"lattice: {counts: [1000, 1000, 2], spacing: 3}",
       [&](BodyGroupPlan* p) {
         lattice_of(p)->counts = {1000, 1000, 2};
       }},
      {"lattice: {counts: [2, 2, 2], spacing: -3}", [&](BodyGroupPlan* p) { lattice_of(p)->spacing.setConstant(-3); }},
      {"lattice: {counts: [2, 2, 2], spacing: 3, count: 9}", [&](BodyGroupPlan* p) { lattice_of(p)->count = 9; }},
      {places + ", scale: {normal: [3, 0.1], within: [1, 2]}",
       [](BodyGroupPlan* p) {
         p->scale = {1, 2, 3, 0.1};
       }},
      {places + ", scale: {uniform: [2, 1]}",
       [](BodyGroupPlan* p) {
         p->scale = {2, 1, {}, 0};
       }},
      {places + ", scale: {uniform: [0, 1]}",
       [](BodyGroupPlan* p) {
         p->scale = {0, 1, {}, 0};
       }},
      {"pour: {count: 5, rate: 0, region: {center: [0, 0, 0], size: [1, 1, 1]}}",
       [](BodyGroupPlan* p) {
         p->places = PourPlan{5, 0, 0, {Vec3::Zero(), Vec3::Ones(), {}}};
       }},
  };
  for (const GroupCase& one : cases) {
    SCOPED_TRACE(one.text);
    BodyGroupPlan changed = plan;
    one.change(&changed);
    const std::vector<Fault> made = Validate(changed);
    const std::vector<Fault> read = FaultsOfText(
        "groups:\n- {name: g, template: {density: 1, shapes: [{type: sphere, radius: 1}]}, " + one.text + "}");
    ASSERT_EQ(made.size(), 1u);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(made[0].key, read[0].key);
    EXPECT_EQ(made[0].expected, read[0].expected);
    EXPECT_EQ(made[0].found, read[0].found);
  }
}

TEST(ValidateSceneTest, BodiesOfGroupsHaveNamesOfTheirOwn) {
  Scene scene = With({Block("g-3")});
  scene.groups.push_back({"g", 1, 4});
  for (int i = 0; i < 4; ++i) scene.bodies.push_back(Block("g-" + std::to_string(i)));
  const std::vector<Fault> faults = Validate(scene);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].key, "groups.g.name");
  EXPECT_EQ(faults[0].found, "'g-3' a second time");
}

TEST(ValidateSceneTest, GroupsOfBodiesThatAreNotThere) {
  Scene scene = With({Block("g-0")});
  scene.groups.push_back({"g", 0, 2});
  ASSERT_EQ(Validate(scene).size(), 1u);
  EXPECT_EQ(Validate(scene)[0].key, "groups.g");
}

// --- scenes as wholes ------------------------------------------------------------------------------------------------

TEST(ValidateSceneTest, EveryFaultComesAtOnce) {
  Scene scene = With({Heavy(-1, Diagonal(1, 1, 5))});
  scene.bodies[0].shapes = {Shape(Disk{-1})};
  scene.gravity.z() = kNoNumber;
  scene.constraints.emplace_back().type = ConstraintType::kMotion;
  scene.constraints[0].coordinates = {{"nobody", 0, 1, 0}};
  scene.constraints[0].rate = TimeFunction(1);
  std::vector<std::string> keys;
  for (const Fault& fault : Validate(scene)) keys.push_back(fault.key);
  EXPECT_THAT(keys, ::testing::ElementsAre("gravity.2", "bodies.b.shapes.0.radius", "bodies.b.mass", "bodies.b.inertia",
                                           "constraints.0.coordinate"));
  try {
    CompileModel(scene);
    FAIL() << "compiled";
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().size(), 5u);
  }
}

// What only code can do wrong: a file has no such scenes.
TEST(ValidateSceneTest, WhatOnlyCodeCanDo) {
  const auto only = [](const Scene& scene) {
    const std::vector<Fault> faults = Validate(scene);
    EXPECT_EQ(faults.size(), 1u) << InputError(faults).what();
    return faults.empty() ? Fault() : faults[0];
  };
  EXPECT_EQ(only(Hinged(JointType::kRevolute, [](SceneJointLink* l) { l->axis = Vec3(0, 3, 4); })).found,
            "the length 5");
  EXPECT_EQ(only(WithWorld(Shape(Hull{}))).key, "world.shapes.0.points");
  EXPECT_EQ(only(WithWorld(Stone(1, 20))).expected, "the hull that was drawn from the stone's plan");
  Scene turned = With({Block("b")});
  turned.bodies[0].pose.rotation = Quat(1, 1, 0, 0);
  EXPECT_EQ(only(turned).key, "bodies.b.rotation");
  Scene empty_joint = With({Block("b")});
  empty_joint.joints = {Joint("j", "world", "b")};
  empty_joint.joints[0].links.clear();
  EXPECT_EQ(only(empty_joint).key, "joints.j.chain");
  Scene loose = With({Block("a"), Block("b")});
  loose.constraints.emplace_back().bodies = {"a", "b"};
  loose.constraints[0].loop_joint = JointType::kFree;
  EXPECT_EQ(only(loose).key, "constraints.0.joint");
}

TEST(ValidateSceneTest, NamesThatAreLeftOutCanBeReferredTo) {
  Scene scene = With({Block("b")});
  scene.bodies[0].shapes = {Shape(Sphere{1}), Shape(Sphere{0.5})};
  scene.world_shapes = {Shape(Plane{})};
  scene.no_contact = {{SceneShapes{"b", "sphere-2"}, SceneShapes{"world", "plane"}}};
  scene.constraints.emplace_back().type = ConstraintType::kRolling;
  scene.constraints[0].bodies = {"b", "world"};
  scene.constraints[0].shapes = {"sphere", "plane"};
  EXPECT_TRUE(Validate(scene).empty());
  const Model model = CompileModel(scene);
  EXPECT_EQ(model.shapes[1].name, "sphere-2");
  EXPECT_EQ(model.constraints[0].name, "rolling");
}

TEST(ValidateSceneTest, EveryNamedSceneIsRight) {
  for (const SceneEntry& entry : ListScenes()) {
    SCOPED_TRACE(entry.name);
    const std::vector<Fault> faults = Validate(ReadScene(entry.file));
    EXPECT_TRUE(faults.empty()) << InputError(faults).what();
  }
}

}  // namespace
}  // namespace slipstick::internal
