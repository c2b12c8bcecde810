#include "slipstick/scene/build_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/made_up_names.h"
#include "slipstick/scene/scene.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// Scenes that are built in code are those of a file to the last digit, and so are their runs.

namespace slipstick::internal {
namespace {

std::uint64_t HashOf(const Scene& scene) {
  Simulation simulation(scene);
  RunOptions options;
  options.duration = simulation.duration();
  return RunSimulation(&simulation, options).summary.state_hash;
}

void ExpectSame(Scene built, const std::string& text) {
  const Scene read = ReadSceneText("format: slipstick-scene 1\n" + text, "code.yaml");
  EXPECT_TRUE(Validate(built).empty()) << InputError(Validate(built)).what();
  EXPECT_EQ(HashOf(built), HashOf(read));
  // a file has a name, and names for all that is in it
  built.name = built.title = "code";
  MakeUpNames(&built);
  EXPECT_TRUE(built == read);
  EXPECT_EQ(HashOf(built), HashOf(read));
  Scene other = read;
  other.gravity.x() = 1e-300;
  EXPECT_FALSE(other == read);
}

TEST(BuildSceneTest, BoxOnAnIncline) {
  Scene scene;
  scene.materials = {{"wood", {.friction = 0.3}}, {"steel", {.friction = 0.1, .restitution = 0.2}}};
  scene.pairs = {{{"wood", "steel"}, {.friction = 0.25}}};
  scene.world_shapes = {PlaneShape(PoseAt(Vec3::Zero(), Vec3::UnitY(), 0.5))};
  scene.world_shapes[0].material = "steel";
  scene.bodies = {BodyOfDensity("box", 700, {BoxShape(Vec3(0.2, 0.1, 0.1))})};
  scene.bodies[0].pose = PoseAt(Vec3(0, 0, 0.2), Vec3::UnitY(), 0.5);
  scene.bodies[0].shapes[0].material = "wood";
  scene.stepper_settings = {{"step", 0.002}, {"duration", 0.4}};
  ExpectSame(scene,
             "materials: [{name: wood, friction: 0.3}, {name: steel, friction: 0.1, restitution: 0.2}]\n"
             "material_pairs: [{between: [wood, steel], friction: 0.25}]\n"
             "world: {shapes: [{type: plane, rotation: {axis: [0, 1, 0], angle: 0.5}, material: steel}]}\n"
             "bodies:\n"
             "- {name: box, density: 700, position: [0, 0, 0.2], rotation: {axis: [0, 1, 0], angle: 0.5},\n"
             "   shapes: [{type: box, size: [0.2, 0.1, 0.1], material: wood}]}\n"
             "stepper: {step: 0.002, duration: 0.4}\n");
}

TEST(BuildSceneTest, PendulumWithDriveAndFriction) {
  Scene scene;
  scene.bodies = {BodyOfMass("rod", 2, {CylinderShape(0.02, 0.6)})};
  scene.joints = {JointOf("pivot", JointType::kRevolute, "world", "rod", Vec3(0, 3, 0))};
  scene.joints[0].child_frame.position.z() = 0.3;
  SceneJointLink& pivot = scene.joints[0].links[0];
  pivot.position = {0.7};
  pivot.friction = 0.05;
  pivot.limits = {-2, 2};
  SceneDrive drive;
  drive.joint = "pivot";
  drive.stiffness = 3;
  drive.damping = 0.2;
  drive.position = Formula("0.5*sin(2*t)");
  drive.effort = 4;
  scene.drives = {drive};
  scene.stepper_settings = {{"step", 0.001}, {"duration", 0.5}};
  ExpectSame(scene,
             "bodies: [{name: rod, mass: 2, shapes: [{type: cylinder, radius: 0.02, length: 0.6}]}]\n"
             "joints:\n"
             "- {name: pivot, type: revolute, axis: [0, 3, 0], child: rod, child_frame: {position: [0, 0, 0.3]},\n"
             "   position: 0.7, friction: 0.05, limits: [-2, 2]}\n"
             "drives:\n"
             "- {joint: pivot, type: servo, stiffness: 3, damping: 0.2, position: 0.5*sin(2*t), effort: 4}\n"
             "stepper: {step: 0.001, duration: 0.5}\n");
}

TEST(BuildSceneTest, Group) {
  Scene scene;
  scene.world_shapes = {PlaneShape()};
  BodyGroupPlan plan;
  plan.prototype.name = "grain";
  plan.prototype.shapes = {SphereShape(0.05), StoneShape({Vec3::Constant(0.06), 12})};
  plan.density = 2000;
  plan.scale = {0.8, 1.2, {}, 0};
  plan.random_orientation = true;
  plan.seed = 3;
  plan.places = LatticePlan{.counts = {2, 2, 2}, .spacing = Vec3::Constant(0.2), .origin = Vec3(0, 0, 0.1)};
  AddGroup(plan, &scene);
  scene.stepper_settings = {{"step", 0.002}, {"duration", 0.2}};
  ExpectSame(
      scene,
      "world: {shapes: [{type: plane}]}\n"
      "groups:\n"
      "- name: grain\n"
      "  template: {density: 2000, shapes: [{type: sphere, radius: 0.05}, {type: stone, radius: 0.06, points: 12}]}\n"
      "  scale: {uniform: [0.8, 1.2]}\n"
      "  orientation: random\n"
      "  seed: 3\n"
      "  lattice: {counts: [2, 2, 2], spacing: 0.2, origin: [0, 0, 0.1]}\n"
      "stepper: {step: 0.002, duration: 0.2}\n");
}

TEST(BuildSceneTest, WhatCannotBeBuiltIsTold) {
  EXPECT_THROW(Formula("2*"), InputError);
  EXPECT_THROW(HullShape({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}), InputError);
  EXPECT_THROW(StoneShape({Vec3::Ones(), 3}), InputError);
  Scene scene;
  BodyGroupPlan plan;
  plan.prototype.name = "ball";
  plan.prototype.shapes = {SphereShape(1)};
  plan.density = 1;
  plan.places = PourPlan{.count = 5, .rate = 10, .region = {Vec3::Zero(), Vec3::Ones(), {}}};
  try {
    AddGroup(plan, &scene);
    FAIL() << "five balls where there is room for one";
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults()[0].key, "groups.ball.pour.region");
  }
  EXPECT_TRUE(scene.bodies.empty());
  // a body of shapes without volume has no inertia, and is told so
  scene.bodies = {BodyOfMass("sheet", 1, {PlaneShape()})};
  ASSERT_EQ(Validate(scene).size(), 1u);
  EXPECT_EQ(Validate(scene)[0].key, "bodies.sheet.inertia");
}

}  // namespace
}  // namespace slipstick::internal
