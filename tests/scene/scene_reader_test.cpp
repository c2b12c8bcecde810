#include "slipstick/scene_file/scene_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kScenes = std::string(SLIPSTICK_SOURCE_DIR) + "/scenes/";

Scene Read(const std::string& text) { return ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml"); }

TEST(SceneReaderTest, WheelIsThatOfTable1) {
  const Scene scene = ReadScene(kScenes + "wheel.yaml");
  EXPECT_EQ(scene.name, "wheel");
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  ASSERT_EQ(scene.bodies.size(), 1u);
  const SceneBody& wheel = scene.bodies[0];
  EXPECT_EQ(wheel.mass, 1);
  EXPECT_TRUE(wheel.inertia.isApprox(Mat3(Vec3(0.3, 0.6, 0.3).asDiagonal())));
  ASSERT_EQ(wheel.shapes.size(), 1u);
  EXPECT_EQ(std::get<Disk>(wheel.shapes[0].geometry).radius, 0.5);
  // the disk's axis, its own z, is the wheel's y up to sign
  EXPECT_NEAR(std::abs((wheel.shapes[0].pose.rotation * Vec3::UnitZ()).y()), 1, 1e-15);
  ASSERT_EQ(scene.joints.size(), 1u);
  const auto& links = scene.joints[0].links;
  ASSERT_EQ(links.size(), 6u);
  EXPECT_EQ(links[2].name, "z");
  EXPECT_THAT(links[0].velocity, ElementsAre(6));
  EXPECT_THAT(links[3].velocity, ElementsAre(-2));
  EXPECT_DOUBLE_EQ(links[2].position.at(0), 0.5 * std::cos(std::numbers::pi / 9));
  EXPECT_DOUBLE_EQ(links[4].position.at(0), std::numbers::pi / 9);
  EXPECT_EQ(scene.law, "regularized");
  EXPECT_EQ(std::get<double>(scene.law_settings.at("velocity_threshold")), 0.01);
  EXPECT_EQ(std::get<std::string>(scene.stepper_settings.at("position_update")), "old-velocity");
  EXPECT_EQ(std::get<double>(scene.stepper_settings.at("duration")), 5);
}

// The chain's rotation and the free body's one are written in different words and must be the same.
TEST(SceneReaderTest, FreeWheelStartsLikeTheChain) {
  const Scene chain = ReadScene(kScenes + "wheel.yaml"), free = ReadScene(kScenes + "wheel-free.yaml");
  Pose pose;
  for (const SceneJointLink& link : chain.joints[0].links) {
    const double q = link.position.empty() ? 0 : link.position[0];
    Pose step;
    if (link.type == JointType::kPrismatic) step.position = q * link.axis;
    if (link.type == JointType::kRevolute) step.rotation = ExpRotation(q * link.axis);
    pose = pose * step;
  }
  EXPECT_LT(pose.rotation.angularDistance(free.bodies[0].pose.rotation), 1e-15);
  EXPECT_LT((pose.position - free.bodies[0].pose.position).norm(), 1e-15);
  // lowest point of the rim: centre height minus R cos θ
  const Vec3 axis = free.bodies[0].pose.rotation * Vec3::UnitY();
  const double lowest = pose.position.z() - 0.5 * std::sqrt(1 - axis.z() * axis.z());
  EXPECT_NEAR(lowest, 0, 1e-15);
}

TEST(SceneReaderTest, EverythingLeftOutHasItsDefault) {
  const Scene scene = Read("");
  EXPECT_EQ(scene.title, "test");
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.law, "coulomb");
  EXPECT_EQ(scene.solver, "auto");
  EXPECT_EQ(scene.stepper, "time-stepping");
  EXPECT_TRUE(scene.law_settings.empty());
  EXPECT_EQ(scene.default_material.name, "default");
}

TEST(SceneReaderTest, EulerAnglesAreIntrinsicInOrder) {
  const Scene scene =
      Read("bodies: [{name: b, mass: 1, inertia: [1, 1, 1], rotation: {euler: zxy, angles: [0.3, -0.8, 1.7]}}]");
  const Quat expected = ExpRotation(Vec3(0, 0, 0.3)) * ExpRotation(Vec3(-0.8, 0, 0)) * ExpRotation(Vec3(0, 1.7, 0));
  EXPECT_LT(scene.bodies[0].pose.rotation.angularDistance(expected), 1e-15);
}

TEST(SceneReaderTest, RoundedQuaternionsAndAnyAxisAreNormalised) {
  const Scene scene = Read(
      "bodies: [{name: b, mass: 1, inertia: [1, 1, 1], rotation: {quaternion: [0.7071, 0, 0.7071, 0]}}]\n"
      "world: {shapes: [{type: plane, rotation: {axis: [0, 3e-200, 0], angle: 90*deg}}]}");
  EXPECT_NEAR(scene.bodies[0].pose.rotation.norm(), 1, 1e-15);
  const Quat expected = ExpRotation(Vec3(0, std::numbers::pi / 2, 0));
  EXPECT_LT(scene.bodies[0].pose.rotation.angularDistance(expected), 1e-7);
  EXPECT_LT(scene.world_shapes[0].pose.rotation.angularDistance(expected), 1e-15);
}

TEST(SceneReaderTest, ShapesTakeFullLengths) {
  const Scene scene = Read(
      "world: {shapes: [{type: box, size: [2, 4, 6]}, {type: capsule, radius: 1, length: 5}, {type: box, size: [1, 1, "
      "1]},"
      " {type: cylinder, radius: 2, length: 3, collides: false, name: drum, position: [1, 2, 3]}]}");
  const auto& shapes = scene.world_shapes;
  EXPECT_EQ(std::get<Box>(shapes[0].geometry).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Capsule>(shapes[1].geometry).half_length, 2.5);
  EXPECT_EQ(std::get<Cylinder>(shapes[3].geometry).half_length, 1.5);
  EXPECT_FALSE(shapes[3].collides);
  EXPECT_TRUE(shapes[0].collides);
  EXPECT_EQ(shapes[3].pose.position, Vec3(1, 2, 3));
  // names are made up without clashes
  EXPECT_EQ(shapes[0].name, "box");
  EXPECT_EQ(shapes[2].name, "box-2");
  EXPECT_EQ(shapes[3].name, "drum");
}

// The wedge with corners at the origin and at a, b, c along the axes: mass ρabc/6 with its centre at (a, b, c)/4.
TEST(SceneReaderTest, HullsAreMadeOfPointsOrByChance) {
  const Scene scene = Read(
      "bodies:\n"
      "- {name: wedge, density: 600, shapes: [{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3],"
      " [0.1, 0.1, 1/10], [1, 0, 0]]}]}\n"
      "- {name: stone, density: 1, shapes: [{type: stone, size: [2, 4, 6], points: 12, seed: 3}]}\n"
      "- {name: same, density: 1, shapes: [{type: stone, size: [2, 4, 6], points: 12, seed: 3}]}\n"
      "- {name: other, density: 1, shapes: [{type: stone, radius: 3, seed: 4}]}\n");
  const auto polyhedron = [&](int body) { return std::get<Hull>(scene.bodies[body].shapes[0].geometry).polyhedron; };
  EXPECT_EQ(polyhedron(0)->corners.size(), 4u);
  EXPECT_NEAR(scene.bodies[0].mass, 600, 1e-9);
  EXPECT_LT((scene.bodies[0].com - Vec3(0.25, 0.5, 0.75)).norm(), 1e-14);
  EXPECT_EQ(polyhedron(1)->corners.size(), 12u);
  EXPECT_EQ(polyhedron(1)->corners, polyhedron(2)->corners);
  EXPECT_EQ(polyhedron(3)->corners.size(), 20u);
  EXPECT_NEAR(polyhedron(1)->reach, 3, 1e-12);
  EXPECT_NEAR(polyhedron(3)->reach, 3, 1e-12);
}

TEST(SceneReaderTest, MassFollowsFromDensityOrShapes) {
  const Scene scene = Read(
      "bodies:\n"
      "- {name: ball, density: 1000, shapes: [{type: sphere, radius: 0.1, position: [1, 0, 0]}]}\n"
      "- {name: brick, mass: 12, shapes: [{type: box, size: [1, 2, 3]}]}\n");
  const double mass = 1000 * 4.0 / 3 * std::numbers::pi * 1e-3;
  EXPECT_NEAR(scene.bodies[0].mass, mass, 1e-12);
  EXPECT_LT((scene.bodies[0].com - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_TRUE(scene.bodies[0].inertia.isApprox(0.4 * mass * 0.01 * Mat3::Identity(), 1e-12));
  EXPECT_EQ(scene.bodies[1].mass, 12);
  EXPECT_TRUE(scene.bodies[1].inertia.isApprox(Mat3(Vec3(4 + 9, 1 + 9, 1 + 4).asDiagonal()), 1e-12));
}

TEST(SceneReaderTest, MaterialsMayBeStiffWithoutLimit) {
  const Scene scene = Read(
      "materials: [{name: default, friction: 0.7}, {name: steel, friction: 0.2, friction_kinetic: 0.1,"
      " tangential_stiffness: .inf}]\n"
      "material_pairs: [{between: [steel, default], restitution: 0.5}]");
  EXPECT_EQ(scene.default_material.properties.friction, 0.7);
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].properties.friction_kinetic, 0.1);
  EXPECT_EQ(scene.materials[0].properties.tangential_stiffness, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(scene.materials[0].properties.restitution.has_value());
  EXPECT_EQ(scene.pairs[0].properties.restitution, 0.5);
}

TEST(SceneReaderTest, MaterialsMayRollAndGiveWay) {
  const Scene scene = Read(
      "materials: [{name: m, rolling_friction: 1e-3, spinning_friction: 2e-3, normal_stiffness: .inf},"
      " {name: n, young_modulus: 2.1e11, poisson_ratio: 0.3}]\n"
      "material_pairs: [{between: [m, n], rolling_friction: 0, normal_stiffness: 1e6}]");
  EXPECT_EQ(scene.materials[0].properties.rolling_friction, 1e-3);
  EXPECT_EQ(scene.materials[0].properties.spinning_friction, 2e-3);
  EXPECT_EQ(scene.materials[0].properties.normal_stiffness, std::numeric_limits<double>::infinity());
  EXPECT_EQ(scene.materials[1].properties.young_modulus, 2.1e11);
  EXPECT_EQ(scene.materials[1].properties.poisson_ratio, 0.3);
  EXPECT_FALSE(scene.materials[1].properties.rolling_friction.has_value());
  EXPECT_EQ(scene.pairs[0].properties.rolling_friction, 0.0);
  EXPECT_EQ(scene.pairs[0].properties.normal_stiffness, 1e6);
}

TEST(SceneReaderTest, ConstraintsAndForcesOfEachKind) {
  const Scene scene = Read(
      "world: {shapes: [{name: ground, type: plane}]}\n"
      "bodies:\n"
      "- {name: a, mass: 1, inertia: [1, 1, 1]}\n"
      "- {name: b, mass: 1, inertia: [1, 1, 1], shapes: [{name: rim, type: disk, radius: 1}]}\n"
      "joints:\n"
      "- {name: crank, type: revolute, child: a, axis: [0, 2, 0], friction: 3}\n"
      "constraints:\n"
      "- {name: close, type: loop, joint: revolute, between: [a, b], frames: [{position: [1, 0, 0]}, {}]}\n"
      "- {type: distance, between: [a, world], points: [[0, 0, 1], [0, 0, 2]], length: 1+0.1*sin(t)}\n"
      "- {type: motion, coordinate: crank, position: 2*t}\n"
      "- {type: motion, coordinate: b, index: 5, rate: 1}\n"
      "- {type: coupling, coordinates: [{joint: crank, ratio: 1}, {joint: b, index: 2, ratio: -2}]}\n"
      "- {type: rolling, body: b, shapes: [rim, ground]}\n"
      "- {type: knife-edge, body: b, point: [0, 0, 1], direction: [0, 2, 0]}\n"
      "forces:\n"
      "- {name: push, body: b, force: [12*step(t-1), 0, 0], axes: body}\n"
      "- {joint: crank, effort: 3*sin(t)}\n");
  ASSERT_EQ(scene.constraints.size(), 7u);
  const auto& c = scene.constraints;
  EXPECT_EQ(c[0].loop_joint, JointType::kRevolute);
  EXPECT_EQ(c[0].frames[0].position, Vec3(1, 0, 0));
  EXPECT_EQ(c[1].bodies[1], "world");
  EXPECT_EQ(c[1].frames[1].position, Vec3(0, 0, 2));
  EXPECT_NEAR(c[1].position->At(0).rate, 0.1, 1e-15);
  EXPECT_EQ(c[2].coordinates[0].joint, "crank");
  EXPECT_EQ((*c[2].position)(3), 6);
  EXPECT_EQ(c[2].name, "motion");
  EXPECT_EQ(c[3].name, "motion-2");
  EXPECT_EQ(c[3].coordinates[0].index, 5);
  EXPECT_EQ((*c[3].rate)(0), 1);
  EXPECT_EQ(c[4].coordinates[1].ratio, -2);
  EXPECT_EQ((*c[4].rate)(0), 0);
  EXPECT_THAT(c[5].shapes, ElementsAre("rim", "ground"));
  EXPECT_EQ(c[6].direction, Vec3::UnitY());
  ASSERT_EQ(scene.forces.size(), 2u);
  EXPECT_TRUE(scene.forces[0].in_body_axes);
  EXPECT_EQ(scene.forces[0].force[0](0.9), 0);
  EXPECT_EQ(scene.forces[0].force[0](1), 12);
  EXPECT_EQ(scene.forces[1].joint, "crank");
  EXPECT_EQ(scene.joints[0].links[0].axis, Vec3::UnitY());
  EXPECT_EQ(scene.joints[0].links[0].friction, 3);
}

TEST(SceneReaderTest, SettingsOfTheChosenLawAreOverlaid) {
  const std::string laws = "laws: {regularized: {velocity_threshold: 0.01, iterate: true}, box: {axes: world}}\n";
  const Scene short_form = Read(laws + "law: regularized");
  EXPECT_EQ(short_form.law, "regularized");
  EXPECT_EQ(std::get<double>(short_form.law_settings.at("velocity_threshold")), 0.01);
  EXPECT_TRUE(std::get<bool>(short_form.law_settings.at("iterate")));
  const Scene long_form = Read(laws + "law: {name: regularized, velocity_threshold: 2*0.25}");
  EXPECT_EQ(std::get<double>(long_form.law_settings.at("velocity_threshold")), 0.5);
  EXPECT_EQ(long_form.law_settings.size(), 2u);
  const Scene box = Read(laws + "law: box");
  EXPECT_EQ(std::get<std::string>(box.law_settings.at("axes")), "world");
  EXPECT_EQ(box.law_settings.size(), 1u);
  EXPECT_TRUE(Read(laws + "law: coulomb").law_settings.empty());
}

TEST(SceneReaderTest, FaultsOfSettingsFindTheirLine) {
  const Scene scene =
      ReadSceneText("format: slipstick-scene 1\nlaw: box\nlaws:\n  box:\n    vth: 1\nstepper: {step: 0.1}\n",
                    "test.yaml", {{"stepper.duration", "3"}});
  const auto located = scene.Locate({{"", 0, "law.vth", "x", "y"},
                                     {"", 0, "stepper.step", "x", "y"},
                                     {"", 0, "stepper.duration", "x", "y"},
                                     {"", 0, "law.name", "x", "y"},
                                     {"", 0, "certificate.gap", "x", "y"}});
  EXPECT_EQ(located[0].Message(), "test.yaml:5: law.vth: expected x, found y");
  EXPECT_EQ(located[1].Message(), "test.yaml:6: stepper.step: expected x, found y");
  EXPECT_EQ(located[2].Message(), "--set stepper.duration: expected x, found y");
  EXPECT_EQ(located[3].Message(), "test.yaml:2: law.name: expected x, found y");
  EXPECT_EQ(located[4].Message(), "test.yaml: certificate.gap: expected x, found y");
}

TEST(SceneReaderTest, WordsThatOtherYamlReadersTakeForFlagsAreNames) {
  const Scene scene = Read("bodies: [{name: no, mass: 1, inertia: [1, 1, 1]}, {name: y, mass: 1, inertia: [1, 1, 1]}]");
  EXPECT_EQ(scene.bodies[0].name, "no");
  EXPECT_EQ(scene.bodies[1].name, "y");
}

TEST(SceneReaderTest, AliasesRepeatAPart) {
  const Scene scene = Read(
      "bodies:\n- {name: a, mass: 1, inertia: &i [1, 1, 1], shapes: &s [{type: sphere, radius: 1}]}\n"
      "- {name: b, mass: 1, inertia: *i, shapes: *s}\n");
  EXPECT_EQ(scene.bodies[1].inertia, Mat3::Identity());
  EXPECT_EQ(scene.bodies[1].shapes.size(), 1u);
}

TEST(SceneReaderTest, FilesThatCannotBeReadSaySo) {
  const auto found = [](const std::string& file) -> std::string {
    try {
      ReadScene(file);
    } catch (const InputError& error) {
      EXPECT_EQ(error.faults().at(0).file, file);
      return error.faults()[0].found;
    }
    return "no fault";
  };
  EXPECT_EQ(found("no/such/file.yaml"), "no such file");
  EXPECT_EQ(found(kScenes), "a directory");
  const auto large = std::filesystem::temp_directory_path() / "slipstick-large-scene-test.yaml";
  std::ofstream(large) << "format: slipstick-scene 1\n";
  std::filesystem::resize_file(large, std::uintmax_t{100} << 20);
  EXPECT_THAT(found(large.string()), HasSubstr("100 MB"));
  std::filesystem::remove(large);
}

TEST(SceneReaderTest, TenThousandBodiesAreRead) {
  std::string text;
  for (int i = 0; i < 10000; ++i)
    text += "- {name: ball" + std::to_string(i) + ", density: 2028, position: [0, 0, " + std::to_string(i) +
            "], shapes: [{type: sphere, radius: 0.0225}]}\n";
  EXPECT_EQ(Read("bodies:\n" + text).bodies.size(), 10000u);
}

}  // namespace
}  // namespace slipstick::internal
