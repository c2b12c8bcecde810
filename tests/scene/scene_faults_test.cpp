#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/scene_file/scene_reader.h"

// One small bad scene a fault: where it is reported, and in which words.

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

std::vector<Fault> FaultsOf(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    ReadSceneText(text, "test.yaml", overrides);
  } catch (const InputError& error) {
    return error.faults();
  }
  return {};
}

struct BadScene {
  const char* text;  // after the line "format: slipstick-scene 1", so its first line is line 2
  int line;
  const char* key;
  const char* expected;  // part of
  const char* found;     // part of
};

const char* const kBody = "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n";
const char* const kTwoBodies =
    "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n";

void PrintTo(const BadScene& bad, std::ostream* stream) { *stream << bad.text; }

class BadSceneTest : public ::testing::TestWithParam<BadScene> {};

TEST_P(BadSceneTest, IsReportedOnceInItsPlace) {
  const BadScene& bad = GetParam();
  const std::vector<Fault> faults = FaultsOf(std::string("format: slipstick-scene 1\n") + bad.text);
  ASSERT_EQ(faults.size(), 1u) << (faults.empty() ? "no fault" : InputError(faults).what());
  EXPECT_EQ(faults[0].file, "test.yaml");
  EXPECT_EQ(faults[0].line, bad.line) << faults[0].Message();
  EXPECT_EQ(faults[0].key, bad.key) << faults[0].Message();
  EXPECT_THAT(faults[0].expected, HasSubstr(bad.expected));
  EXPECT_THAT(faults[0].found, HasSubstr(bad.found));
}

const BadScene kBadParts[] = {
    // keys and kinds
    {"gravty: [0, 0, 0]", 2, "gravty", "did you mean 'gravity'?", "the key 'gravty'"},
    {"gravity: [0, 0]", 2, "gravity", "a list of 3 numbers", "a list of 2"},
    {"gravity: 9.81", 2, "gravity", "a list of 3 numbers", "9.81"},
    {"gravity: [0, 0, down]", 2, "gravity.2", "a number or a formula", "'down'"},
    {"gravity: [0, 0, .nan]", 2, "gravity.2", "a number", ".nan"},
    {"gravity: [0, 0, .inf]", 2, "gravity.2", "a number", ".inf"},
    {"gravity: [0, 0, -9.81*t]", 2, "gravity.2", "a formula without t", "'-9.81*t'"},
    {"gravity: [0, 0, 1/0]", 2, "gravity.2", "a number", "'1/0' = inf"},
    {"gravity: [0, 0, 1e999]", 2, "gravity.2", "a number that a double can hold at column 1", "'1e999'"},
    {"title: [a]", 2, "title", "a text", "a list of 1"},
    {"bodies: {name: b}", 2, "bodies", "a list of bodies", "a map"},
    {"bodies: [3]", 2, "bodies.0", "a map with a body's name", "3"},
    {"title: a\ntitle: b", 3, "title", "each key once", "again"},
    {"world:\n  shapes:\n  - {name: floor, type: plane, type: box}", 4, "world.shapes.floor.type", "each key once",
     "again"},
    // bodies
    {"bodies:\n- name: wheel\n  mass: -1\n  inertia: [1, 1, 1]", 4, "bodies.wheel.mass", "above 0 in kg", "-1"},
    {"bodies:\n- name: wheel\n  mass: 0\n  inertia: [1, 1, 1]", 4, "bodies.wheel.mass", "above 0 in kg", "0"},
    {"bodies:\n- name: wheel\n  mass: .inf\n  inertia: [1, 1, 1]", 4, "bodies.wheel.mass", "above 0 in kg", ".inf"},
    {"bodies:\n- name: wheel\n  mas: 1\n  density: 1\n  shapes: [{type: sphere, radius: 1}]", 4, "bodies.wheel.mas",
     "did you mean 'mass'?", "'mas'"},
    {"bodies:\n- name: wheel", 3, "bodies.wheel.mass", "mass and inertia", "nothing"},
    {"bodies:\n- name: wheel\n  mass: 1", 3, "bodies.wheel.inertia", "shapes with volume", "nothing"},
    {"bodies:\n- mass: 1\n  inertia: [1, 1, 1]", 3, "bodies.0.name", "a text", "nothing"},
    {"bodies: [{name: b, mass: 1, inertia: [1, 1, 3]}]", 2, "bodies.b.inertia", "the sum of the other two", "1, 1, 3"},
    {"bodies: [{name: b, mass: 1, inertia: [1, 1, 0]}]", 2, "bodies.b.inertia", "above 0", "0, 1, 1"},
    {"bodies: [{name: b, mass: 1, inertia: [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}]", 2, "bodies.b.inertia", "symmetric",
     ""},
    {"bodies: [{name: b, mass: 1, inertia: [[1, 0, 0], [0, 1, 0], 1]}]", 2, "bodies.b.inertia.2", "a row of 3", "1"},
    {"bodies: [{name: b, mass: 1, density: 2, shapes: [{type: sphere, radius: 1}]}]", 2, "bodies.b.mass",
     "beside density", "1"},
    {"bodies: [{name: world, mass: 1, inertia: [1, 1, 1]}]", 2, "bodies.world.name", "another name", "'world'"},
    {"bodies: [{name: a.b, mass: 1, inertia: [1, 1, 1]}]", 2, "bodies.0.name", "neither '.' nor '='", "'a.b'"},
    {"bodies: [{name: 7, mass: 1, inertia: [1, 1, 1]}]", 2, "bodies.0.name", "a text", "7"},
    {"bodies:\n- {name: a, mass: 1, inertia: [1, 1, 1]}\n- {name: a, mass: 1, inertia: [1, 1, 1]}", 4, "bodies.a.name",
     "a name of its own", "'a' a second time"},
    // rotations
    {"world: {shapes: [{type: plane, rotation: {axis: [0, 0, 0], angle: 1}}]}", 2, "world.shapes.0.rotation.axis",
     "length above 0", "0 0 0"},
    {"world: {shapes: [{type: plane, rotation: {quaternion: [1, 1, 0, 0]}}]}", 2, "world.shapes.0.rotation.quaternion",
     "length 1", "1.41421"},
    {"world: {shapes: [{type: plane, rotation: {quaternion: [0, 0, 0, 0]}}]}", 2, "world.shapes.0.rotation.quaternion",
     "length 1", "0"},
    {"world: {shapes: [{type: plane, rotation: {axis: [0, 0, 1]}}]}", 2, "world.shapes.0.rotation", "axis and angle",
     "axis"},
    {"world: {shapes: [{type: plane, rotation: {axis: [0, 0, 1], angle: 1, quaternion: [1, 0, 0, 0]}}]}", 2,
     "world.shapes.0.rotation", "axis and angle", "axis, angle, quaternion"},
    {"world: {shapes: [{type: plane, rotation: {euler: zxw, angles: [1, 2, 3]}}]}", 2, "world.shapes.0.rotation.euler",
     "such as zxy", "'zxw'"},
    {"world: {shapes: [{type: plane, rotation: {euler: zx, angles: [1, 2, 3]}}]}", 2, "world.shapes.0.rotation.angles",
     "2 angles", "a list of 3"},
    // shapes and materials
    {"world: {shapes: [{type: spere, radius: 1}]}", 2, "world.shapes.0.type", "did you mean 'sphere'?", "'spere'"},
    {"world: {shapes: [{type: sphere}]}", 2, "world.shapes.0.radius", "a number", "nothing"},
    {"world: {shapes: [{type: sphere, radius: 0}]}", 2, "world.shapes.0.radius", "above 0 in m", "0"},
    {"world: {shapes: [{type: box, radius: 1, size: [1, 1, 1]}]}", 2, "world.shapes.0.radius", "size",
     "the key 'radius'"},
    {"world: {shapes: [{type: box, size: [1, -1, 1]}]}", 2, "world.shapes.0.size.1", "above 0 in m", "-1"},
    {"world: {shapes: [{type: hull}]}", 2, "world.shapes.0.points", "points", "nothing"},
    {"world: {shapes: [{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}]}", 2, "world.shapes.0.points",
     "four points at least", "a list of 3"},
    {"world: {shapes: [{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}]}", 2,
     "world.shapes.0.points", "not all in one plane", "a list of 4"},
    {"world: {shapes: [{type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, up]]}]}", 2,
     "world.shapes.0.points.3.2", "a number or a formula", "'up'"},
    {"world: {shapes: [{type: hull, points: 12}]}", 2, "world.shapes.0.points", "a list of points", "12"},
    {"world: {shapes: [{type: stone, points: 12}]}", 2, "world.shapes.0", "a radius or a size", ""},
    {"world: {shapes: [{type: stone, radius: 1, size: [1, 1, 1]}]}", 2, "world.shapes.0", "one of the two", ""},
    {"world: {shapes: [{type: stone, radius: 1, points: 7}]}", 2, "world.shapes.0.points", "8 to 200", "7"},
    {"world: {shapes: [{type: stone, radius: 1, points: 8.5}]}", 2, "world.shapes.0.points", "8 to 200", "8.5"},
    {"world: {shapes: [{type: stone, radius: 1, points: [[0, 0, 0]]}]}", 2, "world.shapes.0.points", "8 to 200",
     "a list of 1"},
    {"world: {shapes: [{type: stone, radius: 1, seed: -1}]}", 2, "world.shapes.0.seed", "0", "-1"},
    {"world: {shapes: [{type: plane, collides: maybe}]}", 2, "world.shapes.0.collides", "true or false", "'maybe'"},
    {"materials: [{name: rubber}]\nworld: {shapes: [{type: plane, material: ruber}]}", 3, "world.shapes.0.material",
     "did you mean 'rubber'?", "'ruber'"},
    {"materials: [{name: m, friction: -0.1}]", 2, "materials.m.friction", "of at least 0", "-0.1"},
    {"materials: [{name: m, restitution: 1.5}]", 2, "materials.m.restitution", "at most 1", "1.5"},
    {"materials: [{name: m, tangential_stiffness: 0}]", 2, "materials.m.tangential_stiffness", "or .inf", "0"},
    {"materials: [{name: m, rolling_friction: -1e-3}]", 2, "materials.m.rolling_friction", "at least 0 in m", "-1e-3"},
    {"materials: [{name: m, spinning_friction: .inf}]", 2, "materials.m.spinning_friction", "at least 0 in m", "inf"},
    {"materials: [{name: m, normal_stiffness: 0}]", 2, "materials.m.normal_stiffness", "or .inf", "0"},
    {"materials: [{name: m, poisson_ratio: 0.6}]", 2, "materials.m.poisson_ratio", "at most 0.5", "0.6"},
    {"materials: [{name: m, young_modulus: 1e9, normal_stiffness: 1e6}]", 2, "materials.m.young_modulus", "not both",
     ""},
    {"material_pairs: [{between: [default, default], young_modulus: 1e9}]", 2, "material_pairs.0.young_modulus",
     "one of between", "the key 'young_modulus'"},
    {"materials: [{name: m, friction: 0.1, friction_kinetic: 0.2}]", 2, "materials.m.friction_kinetic", "at most",
     "0.2"},
    {"materials: [{name: m}]\nmaterial_pairs:\n- {between: [m, n], friction: 1}", 4, "material_pairs.0.between.1",
     "one of default, m", "'n'"},
    {"material_pairs:\n- {between: [default, default]}\n- {between: [default, default]}", 4, "material_pairs.1.between",
     "once", "a second time"},
};
INSTANTIATE_TEST_SUITE_P(Parts, BadSceneTest, ::testing::ValuesIn(kBadParts));

// A group with everything right but what the case changes: {template}, {more keys}.
#define GROUP(more) "groups:\n- {name: g, template: {density: 1, shapes: [{type: sphere, radius: 1}]}, " more "}"
#define LATTICE "lattice: {counts: [2, 2, 2], spacing: 3}"

const BadScene kBadGroups[] = {
    {GROUP("seed: 1"), 3, "groups.g.lattice", "a map with counts", "nothing"},
    {GROUP(LATTICE ", pour: {count: 1, rate: 1, region: {center: [0, 0, 0], size: [1, 1, 1]}}"), 3, "groups.g.lattice",
     "one of", "the key 'lattice'"},
    {"groups:\n- {name: g, " LATTICE "}", 3, "groups.g.template", "a map with mass or density", "nothing"},
    {"groups:\n- {template: {mass: 1, inertia: [1, 1, 1]}, " LATTICE "}", 3, "groups.0.name", "a text", "nothing"},
    {"groups:\n- {name: g, template: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}, " LATTICE "}", 3,
     "groups.g.template.position", "one of", "the key 'position'"},
    {"groups:\n- {name: g, template: {mass: 1, shapes: [{type: stone, radius: 1}]}, " LATTICE "}", 3,
     "groups.g.template.density", "differ in size", "nothing"},
    {"groups:\n- {name: g, template: {mass: 1}, " LATTICE "}", 3, "groups.g.template.inertia", "shapes with volume",
     "nothing"},
    {"groups:\n- {name: g, template: {mass: 1, shapes: [{type: sphere, radius: 1}]}, scale: {uniform: [1, 2]}, " LATTICE
     "}",
     3, "groups.g.template.density", "differ in size", "nothing"},
    {GROUP("lattice: {counts: [2, 2], spacing: 3}"), 3, "groups.g.lattice.counts", "a list of 3", "a list of 2"},
    {GROUP("lattice: {counts: [2, 0, 2], spacing: 3}"), 3, "groups.g.lattice.counts.1", "at least 1", "0"},
    {GROUP("lattice: {counts: [2, 1.5, 2], spacing: 3}"), 3, "groups.g.lattice.counts.1", "a whole number", "1.5"},
    {GROUP("lattice: {counts: [1000, 1000, 2], spacing: 3}"), 3, "groups.g.lattice.counts", "1000000", "2e+06"},
    {GROUP("lattice: {counts: [2, 2, 2], spacing: -3}"), 3, "groups.g.lattice.spacing", "above 0 in m", "-3"},
    {GROUP("lattice: {counts: [2, 2, 2], spacing: 3, count: 9}"), 3, "groups.g.lattice.count", "8 places", "9"},
    {GROUP(LATTICE ", scale: {normal: [1, 0.1]}"), 3, "groups.g.scale.within", "a list of", "nothing"},
    {GROUP(LATTICE ", scale: {normal: [3, 0.1], within: [1, 2]}"), 3, "groups.g.scale.normal.0", "within 1 and 2", "3"},
    {GROUP(LATTICE ", scale: {uniform: [2, 1]}"), 3, "groups.g.scale.uniform", "the smaller", "2, 1"},
    {GROUP(LATTICE ", scale: {uniform: [0, 1]}"), 3, "groups.g.scale.uniform.0", "above 0", "0"},
    {GROUP(LATTICE ", orientation: up"), 3, "groups.g.orientation", "template, random", "'up'"},
    {GROUP(LATTICE ", seed: -1"), 3, "groups.g.seed", "at least 0", "-1"},
    {GROUP("pour: {count: 5, region: {center: [0, 0, 0], size: [1, 1, 1]}}"), 3, "groups.g.pour.rate", "a number",
     "nothing"},
    {GROUP("pour: {count: 5, rate: 10, region: {center: [0, 0, 0], size: [1, 1, 1], radius: 3}}"), 3,
     "groups.g.pour.region.size", "one of", "the key 'size'"},
    {GROUP("pour: {count: 5, rate: 10, region: {center: [0, 0, 0], size: [1, 1, 1]}}"), 3, "groups.g.pour.region",
     "room for the bodies", "'g-1'"},
    {"groups:\n- {name: g, template: {mass: 1, inertia: [1, 1, 1], shapes: [{type: plane}]}, pour: {count: 1, rate: 1, "
     "region: {center: [0, 0, 0], size: [1, 1, 1]}}}",
     3, "groups.g.template", "that have an end", "a plane"},
    {"bodies: [{name: g-3, mass: 1, inertia: [1, 1, 1]}]\n" GROUP(LATTICE), 4, "groups.g.name", "names of their own",
     "'g-3'"},
    {GROUP(LATTICE) "\njoints:\n- {name: j, type: revolute, child: g-1}", 5, "joints.j.child", "", "'g-1'"},
    // a faulty group keeps its names, so that this is one fault and not two
    {GROUP("lattice: {counts: [2, 2, 2], spacing: 0}") "\noutput: {bodies: [g-7]}", 3, "groups.g.lattice.spacing",
     "above 0", "0"},
    {GROUP(LATTICE) "\noutput: {bodies: [g-8]}", 4, "output.bodies.0", "g-0, g-1", "'g-8'"},
    {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], release: -1}]", 2, "bodies.b.release", "at least 0 in s", "-1"},
    {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], release: 1}]\njoints: [{name: j, type: revolute, child: b}]", 2,
     "bodies.b.release", "joint 'j'", "1"},
};
INSTANTIATE_TEST_SUITE_P(Groups, BadSceneTest, ::testing::ValuesIn(kBadGroups));

std::vector<BadScene> WithBodies(const char* bodies, std::vector<std::array<const char*, 4>> cases) {
  std::vector<BadScene> scenes;
  static std::vector<std::unique_ptr<std::string>> keep;
  for (const auto& [text, key, expected, found] : cases) {
    keep.push_back(std::make_unique<std::string>(std::string(bodies) + text));
    scenes.push_back({keep.back()->c_str(), 3, key, expected, found});
  }
  return scenes;
}

INSTANTIATE_TEST_SUITE_P(
    OneBody, BadSceneTest,
    ::testing::ValuesIn(WithBodies(
        kBody,
        {{"joints: [{name: j, type: revolute, child: c}]", "joints.j.child", "'b'", "'c'"},
         {"joints: [{name: j, type: revolute, child: b, parent: p}]", "joints.j.parent", "world, b", "'p'"},
         {"joints: [{name: j, type: revolut, child: b}]", "joints.j.type", "did you mean 'revolute'?", "'revolut'"},
         {"joints: [{name: j, child: b}]", "joints.j.type", "revolute", "nothing"},
         {"joints: [{name: j, child: b, type: revolute, chain: [{type: fixed}]}]", "joints.j.type", "chain",
          "the key 'type'"},
         {"joints: [{name: j, child: b, chain: []}]", "joints.j.chain", "at least one", "an empty list"},
         {"joints: [{name: j, type: revolute, child: b, axis: [0, 0, 0]}]", "joints.j.axis", "above 0", "0 0 0"},
         {"joints: [{name: j, type: spherical, child: b, axis: [0, 0, 1]}]", "joints.j.axis", "position",
          "the key 'axis'"},
         {"joints: [{name: j, type: revolute, child: b, position: [1, 2]}]", "joints.j.position", "1 number",
          "a list of 2"},
         {"joints: [{name: j, type: free, child: b, position: [1, 0, 0]}]", "joints.j.position", "7 numbers",
          "a list of 3"},
         {"joints: [{name: j, type: spherical, child: b, position: [2, 0, 0, 0]}]", "joints.j.position", "length 1",
          "2"},
         {"joints: [{name: j, type: universal, child: b, axis: [1, 0, 0], second_axis: [1, 1, 0]}]",
          "joints.j.second_axis", "perpendicular", "0.707"},
         {"joints: [{name: j, type: revolute, child: b, friction: -1}]", "joints.j.friction", "at least 0", "-1"},
         {"joints: [{name: j, type: revolute, child: b, parent: b}]", "joints.j.child", "another body", "'b'"},
         {"joints: [{name: j, child: b, chain: [{name: x, type: prismatic}, {name: x, type: prismatic}]}]",
          "joints.j.chain.x.name", "a name of its own", "'x' a second time"},
         {"forces: [{body: b, force: [1, 0, (t]}]", "forces.0.force.2", "an operator or ')' at column 3", "'(t'"},
         {"forces: [{body: b, force: [1/t, 0, 0]}]", "forces.0.force.0", "finite at t = 0", "= inf"},
         {"forces: [{body: b}]", "forces.0.force", "force or torque", "nothing"},
         {"forces: [{body: world, force: [0, 0, 0]}]", "forces.0.body", "'b'", "'world'"},
         {"forces: [{body: b, force: [0, 0, 0], axes: wheel}]", "forces.0.axes", "world, body", "'wheel'"},
         {"forces: [{joint: b}]", "forces.0.effort", "a formula of t", "nothing"},
         {"forces: [{joint: b, coordinate: 6, effort: 1}]", "forces.0.coordinate", "from 0 to 5", "6"},
         {"forces: [{joint: b, coordinate: 0.5, effort: 1}]", "forces.0.coordinate", "whole number", "0.5"},
         {"forces: [{joint: x, effort: 1}]", "forces.0.joint", "'b'", "'x'"},
         {"constraints: [{type: motion, coordinate: b, position: t}]", "constraints.0.position", "a quaternion", "'t'"},
         {"constraints: [{type: motion, coordinate: b}]", "constraints.0.position", "position or rate", "nothing"},
         {"constraints: [{type: rolling, body: b, shapes: [r, g]}]\nworld: {shapes: [{name: g, type: plane}]}",
          "constraints.0.shapes.0", "a disk or sphere of 'b', which has none", "'r'"},
         {"constraints: [{type: knife-edge, body: b, direction: [0, 0, 0]}]", "constraints.0.direction", "above 0",
          "0 0 0"},
         {"constraints: [{type: knife-egde, body: b}]", "constraints.0.type", "did you mean 'knife-edge'?",
          "'knife-egde'"},
         {"constraints: [{type: loop, between: [b, b]}]", "constraints.0.between", "two different", "'b' twice"},
         {"constraints: [{type: coupling, coordinates: [{joint: b, ratio: 1}]}]", "constraints.0.coordinates",
          "at least 2", "a list of 1"},
         {"output: {bodies: [c]}", "output.bodies.0", "'b'", "'c'"},
         {"output: {every: -1}", "output.every", "at least 0", "-1"},
         {"law: {name: box, depth: [1]}", "law.depth", "a number, a text, true or false", "a list of 1"},
         {"law: 3", "law", "a name, or a map", "3"},
         {"laws: {box: 3}", "laws.box", "a map of settings", "3"}})));

INSTANTIATE_TEST_SUITE_P(
    TwoBodies, BadSceneTest,
    ::testing::ValuesIn(WithBodies(
        kTwoBodies,
        {{"joints: [{name: i, type: revolute, parent: a, child: b}, {name: j, type: revolute, parent: b, child: a}]",
          "joints.i", "a constraint of type loop", "the ring b → a → b"},
         {"joints: [{name: i, type: revolute, child: b}, {name: j, type: revolute, parent: a, child: b}]",
          "joints.j.child", "a constraint of type loop", "'b', which joint 'i' holds"},
         {"joints: [{name: i, type: revolute, child: b}, {name: i, type: fixed, child: a}]", "joints.i.name",
          "a name of its own", "'i' a second time"},
         {"joints: [{name: a, type: revolute, child: b}]", "joints.a", "a name that no free body has", "'a'"},
         {"constraints: [{type: distance, between: [a, b], length: -1}]", "constraints.0.length", "above 0", "-1"},
         {"constraints: [{type: distance, between: [a, c], length: 1}]", "constraints.0.between.1", "world, a, b",
          "'c'"},
         {"constraints: [{type: distance, between: [a, b]}]", "constraints.0.length", "a formula of t", "nothing"},
         {"constraints: [{type: loop, between: [a, b], joint: free}]", "constraints.0.joint", "revolute", "'free'"},
         {"constraints: [{name: r, type: loop, between: [a, b], length: 1}]", "constraints.r.length", "frames",
          "the key 'length'"}})));

TEST(SceneFaultsTest, BodyWithAJointTakesItsPlaceFromIt) {
  const auto faults = FaultsOf(
      "format: slipstick-scene 1\nbodies:\n- {name: b, mass: 1, inertia: [1, 1, 1],\n   position: [1, 0, 0]}\n"
      "joints: [{name: j, type: revolute, child: b}]");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].line, 4);
  EXPECT_EQ(faults[0].key, "bodies.b.position");
  EXPECT_THAT(faults[0].expected, HasSubstr("joint 'j'"));
}

TEST(SceneFaultsTest, AllFaultsComeAtOnceInTheOrderOfTheFile) {
  const auto faults = FaultsOf(
      "format: slipstick-scene 2\n"
      "gravity: [0, 0, x]\n"
      "bodies:\n"
      "- name: wheel\n"
      "  mass: -1\n"
      "  inertia: [1, 1, 5]\n"
      "  shapes:\n"
      "  - {type: disk, radius: big}\n"
      "constraints:\n"
      "- {type: motion, coordinate: nobody, rate: 1}\n");
  std::vector<std::string> keys;
  for (const Fault& fault : faults) keys.push_back(fault.key + "@" + std::to_string(fault.line));
  EXPECT_THAT(keys, ::testing::ElementsAre("format@1", "gravity.2@2", "bodies.wheel.mass@5", "bodies.wheel.inertia@6",
                                           "bodies.wheel.shapes.0.radius@8", "constraints.0.coordinate@10"));
}

TEST(SceneFaultsTest, ManyFaultsAreCutShortAndCounted) {
  std::string text = "format: slipstick-scene 1\nbodies:\n";
  for (int i = 0; i < 1000; ++i) text += "- {name: b" + std::to_string(i) + ", mass: -1, inertia: [1, 1, 1]}\n";
  const auto faults = FaultsOf(text);
  ASSERT_EQ(faults.size(), 201u);
  EXPECT_EQ(faults.back().found, "800 more");
}

TEST(SceneFaultsTest, FilesThatAreNoScenes) {
  const auto only = [](const std::string& text) {
    const auto faults = FaultsOf(text);
    EXPECT_EQ(faults.size(), 1u) << text.substr(0, 40) << InputError(faults).what();
    return faults.empty() ? Fault() : faults[0];
  };
  EXPECT_EQ(only("").found, "an empty file");
  EXPECT_EQ(only("# only a comment\n").found, "an empty file");
  EXPECT_EQ(only("---\n").found, "an empty file");
  EXPECT_THAT(only("- a\n- b\n").expected, HasSubstr("a map of a scene's parts"));
  EXPECT_EQ(only("- a\n- b\n").found, "a list of 2");
  EXPECT_EQ(only("hello").found, "'hello'");
  EXPECT_THAT(only(std::string("a: \0b", 5)).expected, HasSubstr("text in UTF-8"));
  EXPECT_THAT(only("a: 1\nb: \xff\xfe").found, HasSubstr("0xff"));
  EXPECT_EQ(only("a: 1\nb: \xff\xfe").line, 2);
  EXPECT_THAT(only("format: slipstick-scene 1\n---\nformat: slipstick-scene 1\n").found, HasSubstr("more than one"));
  EXPECT_EQ(only("title: x").key, "format");
  const Fault syntax = only("format: slipstick-scene 1\nbodies: [1, 2\ntitle: x\n");
  EXPECT_EQ(syntax.expected, "YAML");
  EXPECT_GE(syntax.line, 2);
  const Fault indent = only("format: slipstick-scene 1\nbodies:\n  - name: b\n mass: 1\n");
  EXPECT_EQ(indent.expected, "YAML");
  EXPECT_EQ(indent.line, 4);
  EXPECT_THAT(only("format: slipstick-scene 1\n? [a, b]\n: 1\n").expected, HasSubstr("a text as key"));
}

TEST(SceneFaultsTest, HostileFilesAreRefused) {
  const auto refused = [](const std::string& text) {
    const auto faults = FaultsOf(text);
    ASSERT_EQ(faults.size(), 1u);
    SCOPED_TRACE(faults[0].Message());
    EXPECT_TRUE(faults[0].expected.find("deep") != std::string::npos || faults[0].expected == "YAML" ||
                faults[0].expected.find("alias") != std::string::npos);
  };
  refused("format: slipstick-scene 1\nbodies: " + std::string(100, '[') + std::string(100, ']'));
  refused("format: slipstick-scene 1\nbodies: " + std::string(100000, '['));
  refused("format: slipstick-scene 1\nbodies: " + std::string(100000, '{'));
  std::string steps;
  for (int i = 0; i < 300; ++i) steps += std::string(i, ' ') + "a:\n";
  refused(steps);
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  refused(bomb);
  refused("a: &a [*a]\n");
}

}  // namespace
}  // namespace slipstick::internal
