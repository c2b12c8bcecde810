#include <gtest/gtest.h>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene/scene.h"
#include "tests/scene/scene_in_code.h"

// A scene that is filled in code is told the same faults in the same words as one that comes from a file.

namespace slipstick::internal {
namespace {

const std::string kB = "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n";
const std::string kAB = "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n";

struct Case {
  std::string text;   // of a file with the fault
  Scene scene;        // the same in code
  const char* found;  // as code has it
};

void PrintTo(const Case& one, std::ostream* stream) { *stream << one.text; }

class SameFaultTest : public ::testing::TestWithParam<Case> {};

TEST_P(SameFaultTest, InFileAndCode) {
  const std::vector<Fault> read = FaultsOfText(GetParam().text), made = Validate(GetParam().scene);
  ASSERT_EQ(read.size(), 1u) << InputError(read).what();
  ASSERT_EQ(made.size(), 1u) << InputError(made).what();
  EXPECT_EQ(made[0].key, read[0].key);
  EXPECT_EQ(made[0].expected, read[0].expected);
  EXPECT_EQ(made[0].found, GetParam().found);
  EXPECT_THROW(CompileModel(GetParam().scene), InputError);
}

Scene NoGravity(double z) {
  Scene scene;
  scene.gravity.z() = z;
  return scene;
}

std::string BodyText(const std::string& mass, const std::string& inertia) {
  return "bodies: [{name: b, mass: " + mass + ", inertia: " + inertia + "}]";
}

Mat3 Skewed() {
  Mat3 inertia = Mat3::Identity();
  inertia(0, 1) = 1;
  return inertia;
}

std::vector<Case> Bodies() {
  return {
      {"gravity: [0, 0, .nan]", NoGravity(kNoNumber), "nan"},
      {"gravity: [0, 0, .inf]", NoGravity(kInfinite), "inf"},
      {BodyText("-1", "[1, 1, 1]"), With({Heavy(-1, Diagonal(1, 1, 1))}), "-1"},
      {BodyText("0", "[1, 1, 1]"), With({Heavy(0, Diagonal(1, 1, 1))}), "0"},
      {BodyText(".inf", "[1, 1, 1]"), With({Heavy(kInfinite, Diagonal(1, 1, 1))}), "inf"},
      {"bodies: [{name: b, mass: 1}]", With({Heavy(1, Mat3::Zero())}), "nothing"},
      {BodyText("1", "[1, 1, 3]"), With({Heavy(1, Diagonal(1, 1, 3))}), "principal moments 1, 1, 3"},
      {BodyText("1", "[1, 1, 0]"), With({Heavy(1, Diagonal(1, 1, 0))}), "principal moments 0, 1, 1"},
      {BodyText("1", "[1, 1, .inf]"), With({Heavy(1, Diagonal(1, 1, kInfinite))}), "inf"},
      {BodyText("1", "[[1, 1, 0], [0, 1, 0], [0, 0, 1]]"), With({Heavy(1, Skewed())}), "one that is not"},
      {"bodies: [{mass: 1, inertia: [1, 1, 1]}]", With({Block("")}), "nothing"},
      {"bodies: [{name: world, mass: 1, inertia: [1, 1, 1]}]", With({Block("world")}), "'world'"},
      {"bodies: [{name: a.b, mass: 1, inertia: [1, 1, 1]}]", With({Block("a.b")}), "'a.b'"},
      {"bodies:\n- {name: a, mass: 1, inertia: [1, 1, 1]}\n- {name: a, mass: 1, inertia: [1, 1, 1]}",
       With({Block("a"), Block("a")}), "'a' a second time"},
      {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], release: -1}]",
       With({Changed(Block("b"), [](SceneBody* b) { b->release = -1; })}), "-1"},
      {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], position: [0, .inf, 0]}]",
       With({Changed(Block("b"), [](SceneBody* b) { b->pose.position.y() = kInfinite; })}), "inf"},
      {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], velocity: [.nan, 0, 0]}]",
       With({Changed(Block("b"), [](SceneBody* b) { b->linear_velocity.x() = kNoNumber; })}), "nan"},
  };
}
INSTANTIATE_TEST_SUITE_P(Bodies, SameFaultTest, ::testing::ValuesIn(Bodies()));

std::vector<Case> ShapesAndMaterials() {
  using P = ScenePairProperties;
  SceneShape ruber = Shape(Plane{});
  ruber.material = "ruber";
  Scene misspelt = WithWorld(ruber);
  misspelt.materials.push_back({"rubber", {}});
  Scene unknown_pair = WithMaterial([](P*) {});
  unknown_pair.pairs.push_back({{"m", "n"}, {}});
  Scene pair_twice;
  pair_twice.pairs = {{{"default", "default"}, {}}, {{"default", "default"}, {}}};
  Scene two_shapes = WithWorld(Shape(Plane{}));
  two_shapes.world_shapes[0].name = "floor";
  two_shapes.world_shapes.push_back(two_shapes.world_shapes[0]);
  return {
      {"world: {shapes: [{type: sphere, radius: 0}]}", WithWorld(Shape(Sphere{0})), "0"},
      {"world: {shapes: [{type: box, size: [1, -1, 1]}]}", WithWorld(Shape(Box{Vec3(0.5, -0.5, 0.5)})), "-1"},
      {"world: {shapes: [{type: cylinder, radius: 1, length: -1}]}", WithWorld(Shape(Cylinder{1, -0.5})), "-1"},
      {"world: {shapes: [{type: capsule, radius: -1, length: 1}]}", WithWorld(Shape(Capsule{-1, 0.5})), "-1"},
      {"world: {shapes: [{type: disk, radius: .inf}]}", WithWorld(Shape(Disk{kInfinite})), "inf"},
      {"world: {shapes: [{type: stone, radius: 1, points: 7}]}", WithWorld(Stone(1, 7)), "7"},
      {"world: {shapes: [{type: stone, radius: -1}]}", WithWorld(Stone(-1, 20)), "-1"},
      {"world: {shapes: [{name: floor, type: plane}, {name: floor, type: plane}]}", two_shapes,
       "'floor' a second time"},
      {"materials: [{name: rubber}]\nworld: {shapes: [{type: plane, material: ruber}]}", misspelt, "'ruber'"},
      {"materials: [{name: m, friction: -0.1}]", WithMaterial([](P* p) { p->friction = -0.1; }), "-0.1"},
      {"materials: [{name: m, restitution: 1.5}]", WithMaterial([](P* p) { p->restitution = 1.5; }), "1.5"},
      {"materials: [{name: m, tangential_stiffness: 0}]", WithMaterial([](P* p) { p->tangential_stiffness = 0; }), "0"},
      {"materials: [{name: m, rolling_friction: -1e-3}]", WithMaterial([](P* p) { p->rolling_friction = -1e-3; }),
       "-0.001"},
      {"materials: [{name: m, spinning_friction: .inf}]", WithMaterial([](P* p) { p->spinning_friction = kInfinite; }),
       "inf"},
      {"materials: [{name: m, normal_stiffness: 0}]", WithMaterial([](P* p) { p->normal_stiffness = 0; }), "0"},
      {"materials: [{name: m, poisson_ratio: 0.6}]", WithMaterial([](P* p) { p->poisson_ratio = 0.6; }), "0.6"},
      {"materials: [{name: m, young_modulus: 2, normal_stiffness: 1}]", WithMaterial([](P* p) {
         p->young_modulus = 2;
         p->normal_stiffness = 1;
       }),
       "2"},
      {"materials: [{name: m, friction: 0.1, friction_kinetic: 0.2}]", WithMaterial([](P* p) {
         p->friction = 0.1;
         p->friction_kinetic = 0.2;
       }),
       "0.2"},
      {"materials: [{name: m, friction_kinetic: 0.2}]", WithMaterial([](P* p) { p->friction_kinetic = 0.2; }),
       "nothing"},
      {"materials: [{name: default, friction: -1}]",
       [] {
         Scene scene;
         scene.default_material.properties.friction = -1;
         return scene;
       }(),
       "-1"},
      {"materials: [{name: m}]\nmaterial_pairs:\n- {between: [m, n]}", unknown_pair, "'n'"},
      {"material_pairs:\n- {between: [default, default]}\n- {between: [default, default]}", pair_twice,
       "'default' and 'default' a second time"},
  };
}
INSTANTIATE_TEST_SUITE_P(ShapesAndMaterials, SameFaultTest, ::testing::ValuesIn(ShapesAndMaterials()));

std::vector<Case> OneJoint() {
  using L = SceneJointLink;
  const auto joint = [](const std::string& keys) { return kB + "joints: [{name: j, child: b, " + keys + "}]"; };
  Scene orphan = With({Block("b")}), stray = orphan, loner = orphan, chain = orphan;
  orphan.joints = {Joint("j", "world", "c")};
  stray.joints = {Joint("j", "p", "b")};
  loner.joints = {Joint("j", "b", "b")};
  chain.joints = {Joint("j", "world", "b")};
  chain.joints[0].links.resize(2);
  for (L& link : chain.joints[0].links) link.name = "x", link.type = JointType::kPrismatic;
  Scene released = Hinged(JointType::kRevolute, [](L*) {}), placed = released;
  released.bodies[0].release = 1;
  placed.bodies[0].pose.position.x() = 1;
  using T = JointType;
  return {
      {kB + "joints: [{name: j, type: revolute, child: c}]", orphan, "'c'"},
      {kB + "joints: [{name: j, type: revolute, child: b, parent: p}]", stray, "'p'"},
      {kB + "joints: [{name: j, type: revolute, child: b, parent: b}]", loner, "'b'"},
      {joint("chain: [{name: x, type: prismatic}, {name: x, type: prismatic}]"), chain, "'x' a second time"},
      {joint("type: revolute, axis: [0, 0, 0]"), Hinged(T::kRevolute, [](L* l) { l->axis.setZero(); }), "0 0 0"},
      {joint("type: revolute, position: [1, 2]"),
       Hinged(T::kRevolute,
              [](L* l) {
                l->position = {1, 2};
              }),
       "a list of 2"},
      {joint("type: free, position: [1, 0, 0]"),
       Hinged(T::kFree,
              [](L* l) {
                l->position = {1, 0, 0};
              }),
       "a list of 3"},
      {joint("type: spherical, position: [2, 0, 0, 0]"),
       Hinged(T::kSpherical,
              [](L* l) {
                l->position = {2, 0, 0, 0};
              }),
       "the length 2"},
      {joint("type: universal, axis: [1, 0, 0], second_axis: [1, 0, 0]"),
       Hinged(T::kUniversal, [](L* l) { l->axis = l->second_axis = Vec3::UnitX(); }), "a cosine of 1 between them"},
      {joint("type: revolute, friction: -1"), Hinged(T::kRevolute, [](L* l) { l->friction = -1; }), "-1"},
      {joint("type: revolute, friction: 2, static_friction: 1"),
       Hinged(T::kRevolute,
              [](L* l) {
                l->friction = 2;
                l->static_friction = 1;
              }),
       "1"},
      {joint("type: revolute, viscous_friction: -1"), Hinged(T::kRevolute, [](L* l) { l->viscous_friction = -1; }),
       "-1"},
      {joint("type: revolute, limits: [1, -1]"),
       Hinged(T::kRevolute,
              [](L* l) {
                l->limits = {1, -1};
              }),
       "[1, -1]"},
      {joint("type: revolute, limits: [1, 2]"),
       Hinged(T::kRevolute,
              [](L* l) {
                l->limits = {1, 2};
              }),
       "[1, 2]"},
      {joint("type: spherical, limits: [-1, 2]"),
       Hinged(T::kSpherical,
              [](L* l) {
                l->limits = {-1, 2};
              }),
       "[-1, 2]"},
      {joint("type: revolute, effort_limit: -1"), Hinged(T::kRevolute, [](L* l) { l->effort_limit = -1; }), "-1"},
      {joint("type: spherical, bearing: {friction: 1}"), Hinged(T::kSpherical, [](L* l) { l->bearing.friction = 1; }),
       "friction 1"},
      {joint("type: revolute, bearing: {friction: -1, radius: 1}"),
       Hinged(T::kRevolute, [](L* l) { l->bearing.friction = -1; }), "-1"},
      {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], release: 1}]\njoints: [{name: j, type: revolute, child: b}]",
       released, "1"},
      {"bodies: [{name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}]\n"
       "joints: [{name: j, type: revolute, child: b}]",
       placed, "1 0 0"},
  };
}
INSTANTIATE_TEST_SUITE_P(OneJoint, SameFaultTest, ::testing::ValuesIn(OneJoint()));

std::vector<Case> TwoJoints() {
  Scene two = With({Block("a"), Block("b")}), ring = two, twice = two, same_name = two, free_name = two;
  ring.joints = {Joint("i", "a", "b"), Joint("j", "b", "a")};
  twice.joints = {Joint("i", "world", "b"), Joint("j", "a", "b")};
  same_name.joints = {Joint("i", "world", "b"), Joint("i", "world", "a", JointType::kFixed)};
  free_name.joints = {Joint("a", "world", "b")};
  Scene waits = two;
  waits.bodies[0].release = 1;
  waits.joints = {Joint("i", "a", "b")};
  return {
      {kAB + "joints: [{name: i, type: revolute, parent: a, child: b}, {name: j, type: revolute, parent: b, child: a}]",
       ring, "the ring b → a → b"},
      {kAB + "joints: [{name: i, type: revolute, child: b}, {name: j, type: revolute, parent: a, child: b}]", twice,
       "'b', which joint 'i' holds"},
      {kAB + "joints: [{name: i, type: revolute, child: b}, {name: i, type: fixed, child: a}]", same_name,
       "'i' a second time"},
      {kAB + "joints: [{name: a, type: revolute, child: b}]", free_name, "'a'"},
      {"bodies: [{name: a, mass: 1, inertia: [1, 1, 1], release: 1}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
       "joints: [{name: i, type: revolute, parent: a, child: b}]",
       waits, "'a', which has a release"},
  };
}
INSTANTIATE_TEST_SUITE_P(TwoJoints, SameFaultTest, ::testing::ValuesIn(TwoJoints()));

std::vector<Case> Forces() {
  using F = SceneForce;
  const auto formula = [](const char* text) {
    std::string problem;
    return *TimeFunction::Parse(text, &problem);
  };
  Scene drive = Hinged(JointType::kRevolute, [](SceneJointLink*) {});
  drive.drives.emplace_back();
  const auto with_drive = [&](const std::function<void(SceneDrive*)>& change) {
    Scene scene = drive;
    scene.drives[0].joint = "j";
    change(&scene.drives[0]);
    return scene;
  };
  const std::string hinged = kB + "joints: [{name: j, type: revolute, child: b}]\n";
  Scene free_drive = With({Block("b")});
  free_drive.drives.emplace_back().joint = "b";
  return {
      {kB + "forces: [{body: b, force: [1/t, 0, 0]}]", WithForce([&](F* f) {
         f->body = "b";
         f->force[0] = formula("1/t");
       }),
       "inf"},
      {kB + "forces: [{force: [0, 0, 0]}]", WithForce([](F*) {}), "nothing"},
      {kB + "forces: [{body: world, force: [0, 0, 0]}]", WithForce([](F* f) { f->body = "world"; }), "'world'"},
      {kB + "forces: [{joint: b, coordinate: 6, effort: 1}]", WithForce([](F* f) {
         f->joint = "b";
         f->coordinate = 6;
       }),
       "6"},
      {kB + "forces: [{joint: x, effort: 1}]", WithForce([](F* f) { f->joint = "x"; }), "'x'"},
      {kB + "forces: [{between: [b, c]}]", WithForce([](F* f) {
         f->between = {"b", "c"};
       }),
       "'c'"},
      {kB + "forces: [{between: [b, b]}]", WithForce([](F* f) {
         f->between = {"b", "b"};
       }),
       "'b' and 'b'"},
      {kB + "forces: [{between: [b, world], stiffness: -1}]", WithForce([](F* f) {
         f->between = {"b", "world"};
         f->stiffness = -1;
       }),
       "-1"},
      {hinged + "drives: [{joint: k, type: motor, velocity: 1}]", with_drive([](SceneDrive* d) { d->joint = "k"; }),
       "'k'"},
      {hinged + "drives: [{joint: j, type: servo, stiffness: -1}]",
       with_drive([](SceneDrive* d) { d->stiffness = -1; }), "-1"},
      {hinged + "drives: [{joint: j, type: servo, stiffness: 1, effort: -2}]",
       with_drive([](SceneDrive* d) { d->effort = -2; }), "-2"},
      {kB + "drives: [{joint: b, type: motor, velocity: 1}]", free_drive, "'b'"},
  };
}
INSTANTIATE_TEST_SUITE_P(Forces, SameFaultTest, ::testing::ValuesIn(Forces()));

std::vector<Case> Constraints() {
  using C = SceneConstraint;
  using T = ConstraintType;
  const std::vector<SceneBody> two = {Block("a"), Block("b")};
  SceneBody ball = Block("b");
  ball.shapes = {Shape(Sphere{1})};
  Scene on_nothing = WithConstraint(T::kRolling, [](C* c) {
    c->bodies = {"b", "world"};
    c->shapes = {"r", "g"};
  });
  on_nothing.world_shapes = {Shape(Plane{})};
  on_nothing.world_shapes[0].name = "g";
  Scene fixed = WithConstraint(
      T::kLoop,
      [](C* c) {
        c->bodies = {"a", "b"};
      },
      two);
  fixed.joints = {Joint("j", "a", "b", JointType::kFixed)};
  Scene edge = WithConstraint(T::kKnifeEdge, [](C* c) { c->bodies[0] = "b"; });
  edge.joints = {Joint("j", "world", "b", JointType::kFixed)};
  Scene many = WithConstraint(T::kCoupling,
                              [](C* c) {
                                c->coordinates = {{"a", 0, 1, 0}, {"b", 0, 1, 0}, {"c", 0, 1, 0}};
                              },
                              {Block("a"), Block("b"), Block("c")});
  return {
      {kB + "constraints: [{type: motion, coordinate: b, position: t}]",
       WithConstraint(T::kMotion,
                      [](C* c) {
                        c->coordinates = {{"b", 0, 1, 0}};
                        std::string problem;
                        c->position = TimeFunction::Parse("t", &problem);
                      }),
       "'t'"},
      {kB + "constraints: [{type: motion, coordinate: b}]",
       WithConstraint(T::kMotion,
                      [](C* c) {
                        c->coordinates = {{"b", 0, 1, 0}};
                      }),
       "nothing"},
      {kB + "constraints: [{type: rolling, body: b, shapes: [r, g]}]\nworld: {shapes: [{name: g, type: plane}]}",
       on_nothing, "'r'"},
      {kB + "constraints: [{type: knife-edge, body: b, direction: [0, 0, 0]}]",
       WithConstraint(T::kKnifeEdge,
                      [](C* c) {
                        c->bodies[0] = "b";
                        c->direction.setZero();
                      }),
       "0 0 0"},
      {kB + "joints: [{name: j, type: fixed, child: b}]\n"
            "constraints: [{type: knife-edge, body: b, direction: [0, 1, 0]}]",
       edge, "'b'"},
      {kB + "constraints: [{type: loop, between: [b, b]}]",
       WithConstraint(T::kLoop,
                      [](C* c) {
                        c->bodies = {"b", "b"};
                      }),
       "'b' twice"},
      {kB + "constraints: [{type: coupling, coordinates: [{joint: b, ratio: 1}]}]",
       WithConstraint(T::kCoupling,
                      [](C* c) {
                        c->coordinates = {{"b", 0, 1, 0}};
                      }),
       "a list of 1"},
      {kB + "constraints: [{type: coupling, coordinates: [{joint: b, ratio: 1}, {joint: b, ratio: 0}]}]",
       WithConstraint(T::kCoupling,
                      [](C* c) {
                        c->coordinates = {{"b", 0, 1, 0}, {"b", 0, 0, 0}};
                      }),
       "0"},
      {"bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}, {name: c, mass: 1, "
       "inertia: [1, 1, 1]}]\nconstraints: [{type: coupling, coordinates: [{joint: a, ratio: 1}, {joint: b, ratio: 1}, "
       "{joint: c, ratio: 1}]}]",
       many, "3 trees"},
      {kAB + "constraints: [{type: distance, between: [a, b], length: -1}]",
       WithConstraint(
           T::kDistance,
           [](C* c) {
             c->bodies = {"a", "b"};
             c->position = TimeFunction(-1);
           },
           two),
       "-1 m"},
      {kAB + "constraints: [{type: distance, between: [a, c], length: 1}]",
       WithConstraint(
           T::kDistance,
           [](C* c) {
             c->bodies = {"a", "c"};
             c->position = TimeFunction(1);
           },
           two),
       "'c'"},
      {kAB + "constraints: [{type: distance, between: [a, b]}]",
       WithConstraint(
           T::kDistance,
           [](C* c) {
             c->bodies = {"a", "b"};
           },
           two),
       "nothing"},
      {kAB + "joints: [{name: j, type: fixed, parent: a, child: b}]\nconstraints: [{type: loop, between: [a, b]}]",
       fixed, "a, b"},
      {kAB + "constraints: [{type: loop, between: [a, b], friction: 1}]",
       WithConstraint(
           T::kLoop,
           [](C* c) {
             c->bodies = {"a", "b"};
             c->friction = 1;
           },
           two),
       "1"},
  };
}
INSTANTIATE_TEST_SUITE_P(Constraints, SameFaultTest, ::testing::ValuesIn(Constraints()));

std::vector<Case> Rest() {
  Scene plotted = With({Block("b")}), seldom = plotted, apart = plotted, measured = plotted, turned = plotted;
  plotted.output.bodies = {"c"};
  seldom.output.every = -1;
  apart.no_contact = {{SceneShapes{"b", ""}, SceneShapes{"c", ""}}};
  measured.measures.emplace_back().name = "d";
  measured.measures[0].type = MeasureType::kDistance;
  measured.measures[0].body = "c";
  turned.measures.emplace_back().name = "d";
  turned.measures[0].group = "g";
  Scene ranged = With({Block("b")});
  ranged.parameters = {{"p", "", {"bodies.b.mass"}, 1, 1, 1}};
  Scene settings = With({Block("b")});
  settings.law_settings["vth"] = kNoNumber;
  return {
      {kB + "output: {bodies: [c]}", plotted, "'c'"},
      {kB + "output: {every: -1}", seldom, "-1"},
      {kB + "no_contact: [[b, c]]", apart, "'c'"},
      {kB + "measures: [{name: d, type: distance, body: c}]", measured, "'c'"},
      {kB + "measures: [{name: d, type: angle-of-repose, group: g}]", turned, "'g'"},
      {kB + "parameters: [{name: p, key: bodies.b.mass, least: 1, most: 1}]", ranged, "1"},
      {kB + "law: {name: coulomb, vth: .nan}", settings, "nan"},
  };
}
INSTANTIATE_TEST_SUITE_P(Rest, SameFaultTest, ::testing::ValuesIn(Rest()));

}  // namespace
}  // namespace slipstick::internal
