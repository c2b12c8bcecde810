#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "slipstick/base/fault.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/urdf/urdf_scene.h"
#include "tests/base/scratch.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Urdf : public ::testing::Test {
 protected:
  std::filesystem::path Write(const std::string& text, const std::string& name = "robot.urdf") {
    std::ofstream(scratch_ / name) << text;
    return scratch_ / name;
  }
  std::vector<Fault> FaultsOf(const std::string& text) {
    try {
      ReadUrdf(Write(text));
    } catch (const InputError& error) {
      return error.faults();
    }
    return {};
  }
  // One fault, whose key and words name what is wrong.
  void ExpectFault(const std::string& text, const std::string& key, const std::string& words) {
    const std::vector<Fault> faults = FaultsOf(text);
    ASSERT_THAT(faults, SizeIs(1)) << text;
    EXPECT_THAT(faults[0].key, HasSubstr(key));
    EXPECT_THAT(faults[0].Message(), HasSubstr(words));
    EXPECT_THAT(faults[0].file, HasSubstr("robot.urdf"));
  }

  testing::Scratch scratch_;
};

const std::string kBox = "<collision><geometry><box size='0.3 0.3 0.3'/></geometry></collision>";

std::string Inertial(const std::string& mass, const std::string& moments) {
  return "<inertial><mass value='" + mass + "'/><inertia " + moments + "/></inertial>";
}
const std::string kSolid = Inertial("2", "ixx='0.02' iyy='0.02' izz='0.02'") + kBox;

std::string Link(const std::string& name, const std::string& inside = kSolid) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string Joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>\n";
}
std::string Robot(const std::string& inside) {
  return "<?xml version='1.0'?>\n<robot name='r'>\n" + inside + "</robot>\n";
}

TEST_F(Urdf, FaultsAreNamed) {
  const std::string two = Link("a") + Link("b");
  ExpectFault("<robot><link", "", "well-formed XML");
  ExpectFault("<scene/>", "", "<robot>");
  ExpectFault(Robot(""), "", "at least one <link>");
  ExpectFault(Robot(Link("a") + Joint("j", "a", "b")), "joint j child", "'b'");
  ExpectFault(Robot(two + Joint("j", "a", "b") + Joint("k", "b", "a")), "link", "a loop: ");
  ExpectFault(Robot(Link("a") + Joint("j", "a", "a")), "link a", "a loop: a – a");
  ExpectFault(Robot(two + Link("c") + Joint("j", "a", "c") + Joint("k", "b", "c")), "link c", "two: j and k");
  ExpectFault(Robot(two), "link b", "a second one beside a");
  ExpectFault(Robot(Link("a") + Link("a")), "link a", "twice");
  ExpectFault(Robot(Link("a") + Link("b", "") + Joint("j", "a", "b")), "link b", "<inertial>");
  ExpectFault(Robot(two + Joint("j", "a", "b", "", "screw")), "joint j type", "'screw'");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<axis xyz='0 0 0'/>")), "joint j axis", "direction");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<origin xyz='1 2'/>")), "joint j origin", "'1 2'");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<origin xyz='1 2 nan'/>")), "joint j origin", "nan");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<mimic joint='k'/>")), "joint j mimic", "'k'");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<dynamics friction='-1'/>")), "joint j dynamics", "from 0 on");
  ExpectFault(Robot(two + Joint("j", "a", "b", "<limit lower='1' upper='-1'/>", "revolute")), "joint j limit",
              "lower ≤ upper");
  ExpectFault(Robot(Link("a", "<visual><geometry><mesh filename='none.stl'/></geometry></visual>")),
              "link a visual mesh", "no such file");
  ExpectFault(Robot(Link("a", "<collision><geometry><box/></geometry></collision>")), "link a collision box", "size");
  ExpectFault(Robot(Link("a", "<collision/>")), "link a collision", "<geometry>");
  ExpectFault(Robot("<xacro:macro name='m'/>"), "", "run xacro first");
  ExpectFault(Robot(Link("a", "<xacro:box_inertia m='1'/>")), "", "run xacro first");
  ExpectFault(Robot(Link("a")) + Robot(Link("b")).substr(22), "", "one <robot>");
  ExpectFault(Robot(Link("a\xff")), "", "UTF-8");
  EXPECT_THROW(ReadUrdf(scratch_ / "none.urdf"), InputError);
  EXPECT_THROW(ReadUrdf(scratch_.folder()), InputError);
}

TEST_F(Urdf, Masses) {
  const auto with = [](const std::string& mass, const std::string& moments) {
    return Robot(Link("a", Inertial(mass, moments) + kBox));
  };
  ExpectFault(with("0", "ixx='1' iyy='1' izz='1'"), "link a inertial mass", "above 0");
  ExpectFault(with("1", "ixx='0' iyy='0' izz='0'"), "link a inertial inertia", "principal moments above 0");
  ExpectFault(with("1", "ixx='0.01' iyy='0.01' izz='0.05'"), "link a inertial inertia", "sum of the other two");
  ExpectFault(with("1", "iyy='1' izz='1'"), "link a inertial inertia", "ixx");
  // kg mm² and kg cm² taken for kg m², and the other way round
  ExpectFault(with("1", "ixx='15000' iyy='15000' izz='15000'"), "link a inertial", "another unit");
  ExpectFault(with("1", "ixx='150' iyy='150' izz='150'"), "link a inertial", "another unit");
  ExpectFault(with("1", "ixx='1.5e-8' iyy='1.5e-8' izz='1.5e-8'"), "link a inertial", "another unit");
  EXPECT_THAT(FaultsOf(with("1", "ixx='0.015' iyy='0.015' izz='0.015'")), SizeIs(0));
}

// Links that are fixed to others are judged together with them: a sensor that is next to nothing, a point, a frame.
TEST_F(Urdf, MassesOfBodiesCount) {
  const auto fixed_to_a = [](const std::string& inertial) {
    return Robot(Link("a") + Link("b", inertial + kBox) + Joint("j", "a", "b", "<axis xyz='0 0 0'/>", "fixed"));
  };
  EXPECT_THAT(FaultsOf(fixed_to_a(Inertial("0", "ixx='0' iyy='0' izz='0'"))), SizeIs(0));
  EXPECT_THAT(FaultsOf(fixed_to_a(Inertial("1", "ixx='0' iyy='0' izz='0'"))), SizeIs(0));
  EXPECT_THAT(FaultsOf(fixed_to_a(Inertial("1e-5", "ixx='1e-6' iyy='1e-6' izz='1e-6'"))), SizeIs(0));
  ExpectFault(fixed_to_a(Inertial("-1", "ixx='1' iyy='1' izz='1'")), "link b inertial mass", "from 0 on");
  ExpectFault(fixed_to_a(Inertial("1", "ixx='1' iyy='-1' izz='1'")), "link b inertial inertia", "above 0");
  ExpectFault(fixed_to_a(Inertial("1", "ixx='150' iyy='150' izz='150'")), "link a inertial", "another unit");
  ExpectFault(Robot(Link("a") + Link("b", Inertial("0", "ixx='0' iyy='0' izz='0'")) + Joint("j", "a", "b")),
              "link b inertial mass", "above 0");
}

// Entities of entities would be 10⁹ words; deep nesting would be as many calls.
TEST_F(Urdf, BombsAreRefused) {
  std::string bomb = "<?xml version='1.0'?>\n<!DOCTYPE robot [<!ENTITY a0 'word'>";
  for (int k = 1; k < 10; ++k) {
    bomb += "<!ENTITY a" + std::to_string(k) + " '";
    for (int n = 0; n < 10; ++n) bomb += "&a" + std::to_string(k - 1) + ";";
    bomb += "'>";
  }
  EXPECT_THAT(FaultsOf(bomb + "]>\n<robot name='&a9;'/>"), SizeIs(1));
  ExpectFault("<!DOCTYPE robot>\n<robot/>", "", "no document type");
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "<link>";
  ExpectFault("<robot>" + deep, "", "well-formed XML");
}

// Cut anywhere, a robot is refused, and nothing else happens.
TEST_F(Urdf, CutFiles) {
  const std::string whole =
      Robot(Link("a") + Link("b") + Joint("j", "a", "b", "<origin xyz='1 2 3'/><axis xyz='0 0 1'/>"));
  EXPECT_THAT(FaultsOf(whole), SizeIs(0));
  for (std::size_t length = 0; length + 2 < whole.size(); length += 7) {
    EXPECT_THAT(FaultsOf(whole.substr(0, length)), Not(SizeIs(0))) << length;
  }
}

// Two links that are fixed to each other are one body with the mass properties of both, by the parallel axis theorem.
TEST_F(Urdf, FixedLinksAreOneBody) {
  const std::string turned =
      "<inertial><origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
      "<inertia ixx='0.01' iyy='0.02' izz='0.025'/></inertial>";
  const std::string imported = UrdfToScene(ReadUrdf(
      Write(Robot(Link("a", turned) + Link("b", turned) + Joint("j", "a", "b", "<origin xyz='0 0 0.4'/>", "fixed")))));
  const Scene scene = ReadSceneText(imported, "robot.yaml");
  ASSERT_THAT(scene.bodies, SizeIs(1));
  const SceneBody& body = scene.bodies[0];
  EXPECT_EQ(body.mass, 4);
  EXPECT_LT((body.com - Vec3(0.1, 0, 0.2)).norm(), 1e-15);
  const Vec3 expected = 2 * Vec3(0.02, 0.01, 0.025) + 4 * 0.04 * Vec3(1, 1, 0);
  EXPECT_LT((body.inertia - expected.asDiagonal().toDenseMatrix()).norm(), 1e-15);
}

TEST_F(Urdf, BaseIsFixedOrFloats) {
  const UrdfRobot robot = ReadUrdf(Write(Robot(Link("a") + Link("b") + Joint("j", "a", "b", "<axis xyz='0 2 0'/>"))));
  const Scene floating = ReadSceneText(UrdfToScene(robot), "robot.yaml");
  EXPECT_THAT(floating.bodies, SizeIs(2));
  UrdfSceneSettings settings;
  settings.base = UrdfSceneSettings::Base::kFixed;
  settings.position = Vec3(0, 0, 0.5);
  const Scene fixed = ReadSceneText(UrdfToScene(robot, settings), "robot.yaml");
  ASSERT_THAT(fixed.bodies, SizeIs(1));
  EXPECT_EQ(fixed.bodies[0].name, "b");
  ASSERT_THAT(fixed.joints, SizeIs(1));
  EXPECT_EQ(fixed.joints[0].parent, "world");
  EXPECT_EQ(fixed.joints[0].parent_frame.position, Vec3(0, 0, 0.5));
  EXPECT_EQ(fixed.joints[0].links[0].axis, Vec3::UnitY());
  EXPECT_THAT(fixed.world_shapes, SizeIs(1));
}

TEST_F(Urdf, MimicIsACoupling) {
  const std::string mimic = "<mimic joint='j' multiplier='-2' offset='0.1'/><limit lower='-1' upper='1'/>";
  const std::string imported = UrdfToScene(
      ReadUrdf(Write(Robot(Link("world", "") + Link("a") + Link("b") + Joint("j", "world", "a", "", "prismatic") +
                           Joint("k", "world", "b", mimic, "prismatic")))));
  const Scene scene = ReadSceneText(imported, "robot.yaml");
  ASSERT_THAT(scene.constraints, SizeIs(1));
  EXPECT_EQ(scene.constraints[0].coordinates[0].joint, "k");
  EXPECT_EQ(scene.constraints[0].coordinates[1].ratio, 2);
  EXPECT_EQ(scene.joints[1].links[0].position[0], 0.1);
  ASSERT_TRUE(scene.joints[1].links[0].limits.has_value());
  EXPECT_EQ((*scene.joints[1].links[0].limits)[0], -1);
}

// What mimics is where it must be from the start on, also where limits keep the other joint from 0, and through chains.
TEST_F(Urdf, MimicsStartWhereTheyBelong) {
  const auto joints = [&](const std::string& j, const std::string& k, const std::string& l) {
    return Robot(Link("world", "") + Link("a") + Link("b") + Link("c") + Joint("j", "world", "a", j, "prismatic") +
                 Joint("k", "world", "b", k, "prismatic") + Joint("l", "world", "c", l, "prismatic"));
  };
  const auto position = [](const Scene& scene, int joint) {
    const std::vector<double>& given = scene.joints[joint].links[0].position;
    return given.empty() ? 0.0 : given[0];
  };
  const std::string chain = joints("<limit lower='0.2' upper='1'/>", "<mimic joint='j' multiplier='2' offset='0.1'/>",
                                   "<mimic joint='k' multiplier='-3' offset='1'/>");
  Scene scene = ReadSceneText(UrdfToScene(ReadUrdf(Write(chain))), "robot.yaml");
  EXPECT_EQ(position(scene, 0), 0.2);
  EXPECT_DOUBLE_EQ(position(scene, 1), 0.5);
  EXPECT_DOUBLE_EQ(position(scene, 2), -0.5);
  EXPECT_EQ(scene.constraints[1].coordinates[1].joint, "j");
  EXPECT_EQ(scene.constraints[1].coordinates[1].ratio, 6);
  // limits of what mimics hold for the other joint too
  scene = ReadSceneText(
      UrdfToScene(ReadUrdf(Write(joints("", "<mimic joint='j' offset='-0.5'/><limit lower='0' upper='1'/>", "")))),
      "robot.yaml");
  EXPECT_EQ(position(scene, 0), 0.5);
  EXPECT_EQ(position(scene, 1), 0);
  // a mimic of what never moves is held where it is
  scene = ReadSceneText(UrdfToScene(ReadUrdf(Write(joints("", "<mimic joint='j' multiplier='0' offset='0.3'/>", "")))),
                        "robot.yaml");
  EXPECT_EQ(position(scene, 1), 0.3);
  ASSERT_TRUE(scene.constraints[0].position.has_value());
  EXPECT_EQ((*scene.constraints[0].position)(5), 0.3);

  ExpectFault(joints("<limit lower='0' upper='1'/>", "<mimic joint='j' offset='3'/><limit lower='0' upper='1'/>", ""),
              "joint k mimic", "limits");
  ExpectFault(joints("<mimic joint='k'/>", "<mimic joint='l'/>", "<mimic joint='j'/>"), "joint j mimic", "in turn");
  ExpectFault(joints("<mimic joint='j'/>", "", ""), "joint j mimic", "itself");
  ExpectFault(Robot(Link("a") + Link("b") + Link("c") + Joint("j", "a", "b", "", "floating") +
                    Joint("k", "a", "c", "<mimic joint='j'/>")),
              "joint k mimic", "'j'");
}

// Whatever names a robot has, those of the scene can be referred to, and differ.
TEST_F(Urdf, NamesAreMadeLegal) {
  const Scene scene = ReadSceneText(
      UrdfToScene(ReadUrdf(Write(Robot(Link("1") + Link("b.c") + Link("b_c") + Link("world") + Joint("1", "1", "b.c") +
                                       Joint("x=y", "1", "b_c") + Joint("x_y", "1", "world"))))),
      "robot.yaml");
  std::vector<std::string> bodies, joints;
  for (const SceneBody& body : scene.bodies) bodies.push_back(body.name);
  for (const SceneJoint& joint : scene.joints) joints.push_back(joint.name);
  EXPECT_THAT(bodies, ::testing::ElementsAre("link-1", "b_c", "b_c-2", "link-world"));
  EXPECT_THAT(joints, ::testing::ElementsAre("joint-1", "x_y", "x_y-2"));
}

// The base of an arm is part of the world, and the first link overlaps it where they are joined.
TEST_F(Urdf, FirstLinkDoesNotTouchTheFixedBase) {
  const Scene scene = ReadSceneText(
      UrdfToScene(ReadUrdf(Write(Robot(Link("base", kBox) + Link("a") + Joint("j", "base", "a"))))), "robot.yaml");
  ASSERT_THAT(scene.no_contact, SizeIs(1));
  EXPECT_EQ(scene.no_contact[0][0].body, "world");
  EXPECT_EQ(scene.no_contact[0][0].shape, "base-collision");
  EXPECT_EQ(scene.no_contact[0][1].body, "a");
}

// Many links are no many calls.
TEST_F(Urdf, LongChainsOfFixedLinks) {
  std::string chain = Link("l0");
  for (int k = 1; k < 100000; ++k) {
    const std::string before = "l" + std::to_string(k - 1), name = "l" + std::to_string(k);
    chain += Link(name, "") + Joint("j" + std::to_string(k), before, name, "", "fixed");
  }
  const Scene scene = ReadSceneText(UrdfToScene(ReadUrdf(Write(Robot(chain)))), "robot.yaml");
  EXPECT_THAT(scene.bodies, SizeIs(1));
}

TEST_F(Urdf, CapsulesAndEndlessLimits) {
  const std::string capsule = "<collision><geometry><capsule radius='0.1' length='0.3'/></geometry></collision>";
  const Scene scene = ReadSceneText(
      UrdfToScene(ReadUrdf(
          Write(Robot(Link("world", "") + Link("a", kSolid + capsule) +
                      Joint("j", "world", "a", "<limit lower='-inf' upper='0.5' effort='inf'/>", "revolute"))))),
      "robot.yaml");
  EXPECT_TRUE(std::holds_alternative<Capsule>(scene.bodies[0].shapes[1].geometry));
  ASSERT_TRUE(scene.joints[0].links[0].limits.has_value());
  EXPECT_TRUE(std::isinf((*scene.joints[0].links[0].limits)[0]));
  EXPECT_EQ((*scene.joints[0].links[0].limits)[1], 0.5);
}

// Packages lie around the URDF, or below what the variables of ROS name, or are a folder with that name inside.
TEST_F(Urdf, PackagesAreFound) {
  const std::string mesh = Robot(
      Link("a", "<collision><geometry><mesh filename='package://arm%20parts/meshes/c.obj'/></geometry></collision>"));
  ExpectFault(mesh, "link a collision mesh", "ROS_PACKAGE_PATH");
  const auto put = [&](const std::string& folder) {
    std::filesystem::create_directories(scratch_ / folder / "meshes");
    std::ofstream(scratch_ / folder / "meshes" / "c.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  };
  put("workspace/src/stack/arm parts");
  setenv("ROS_PACKAGE_PATH", (scratch_ / "workspace").c_str(), 1);
  EXPECT_THAT(FaultsOf(mesh), SizeIs(0));
  unsetenv("ROS_PACKAGE_PATH");
  put("install/share/arm parts");
  setenv("AMENT_PREFIX_PATH", (scratch_ / "install").c_str(), 1);
  EXPECT_THAT(FaultsOf(mesh), SizeIs(0));
  unsetenv("AMENT_PREFIX_PATH");
  put("");  // the URDF's own folder is the package
  std::ofstream(scratch_ / "package.xml") << "<package><name>arm parts</name></package>";
  EXPECT_THAT(FaultsOf(mesh), SizeIs(0));
}

// A mesh becomes its hull, in the units that its scale gives.
TEST_F(Urdf, MeshesAreHulls) {
  std::ofstream(scratch_ / "corner.obj") << "v 0 0 0\nv 100 0 0\nv 0 200 0\nv 0 0 300\nv 10 10 10\n"
                                            "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 2 3 5\n";
  const std::string mesh = "<geometry><mesh filename='corner.obj' scale='0.001 0.001 0.001'/></geometry>";
  const UrdfRobot robot =
      ReadUrdf(Write(Robot(Link("a", "<visual>" + mesh + "</visual><collision>" + mesh + "</collision>"))));
  // the visual is the collision
  const Scene scene = ReadSceneText(UrdfToScene(robot), "robot.yaml");
  ASSERT_THAT(scene.world_shapes, SizeIs(1));
  const auto* hull = std::get_if<Hull>(&scene.world_shapes[0].geometry);
  ASSERT_NE(hull, nullptr);
  EXPECT_NEAR(hull->polyhedron->volume, 0.1 * 0.2 * 0.3 / 6, 1e-9);
}

// A robot is a scene wherever a scene is asked for.
TEST_F(Urdf, RobotsAreScenes) {
  const std::string robot = Robot(Link("a") + Link("b") +
                                  Joint("j", "a", "b",
                                        "<dynamics friction='0.5' damping='0.25'/>"
                                        "<limit effort='7' velocity='2'/>"));
  const Scene scene = ReadScene(Write(robot), {{"stepper.duration", "0.5"}});
  EXPECT_EQ(scene.joints[0].links[0].friction, 0.5);
  EXPECT_EQ(scene.joints[0].links[0].viscous_friction, 0.25);
  EXPECT_EQ(scene.joints[0].links[0].effort_limit, 7);
  EXPECT_EQ(scene.name, "robot");
}

// What is wrong with the scene of a robot is told by the lines of the robot's file.
TEST_F(Urdf, FaultsOfTheSceneNameTheRobotsLines) {
  const std::filesystem::path file =
      Write(Robot(Link("a") + Link("b") + Joint("j", "a", "b", "<limit lower='-1' upper='1'/>", "revolute")));
  const auto only = [&](const Override& given) {
    try {
      ReadScene(file, {given});
    } catch (const InputError& error) {
      EXPECT_THAT(error.faults(), SizeIs(1)) << error.what();
      return error.faults()[0];
    }
    ADD_FAILURE() << "read with " << given.key;
    return Fault();
  };
  // the joint stands on line 5, and its limits do not hold the position that is set
  const Fault limits = only({"joints.j.position", "2"});
  EXPECT_EQ(limits.key, "joints.j.limits");
  EXPECT_EQ(limits.file, file.string());
  EXPECT_EQ(limits.line, 5);
  // what hangs on a body cannot wait for it
  const Fault parent = only({"bodies.a.release", "1"});
  EXPECT_EQ(parent.key, "joints.j.parent");
  EXPECT_EQ(parent.line, 5);
  // what was set is no line of the file
  EXPECT_EQ(only({"bodies.a.mass", "-1"}).line, 0);
  // lines of later faults, as those of settings, are the robot's too
  EXPECT_EQ(ReadScene(file).lines.at("joints.j"), 5);
  EXPECT_EQ(ReadScene(file).lines.at("bodies.b"), 4);
}

// A robot is a base for other scenes by its name alone.
TEST_F(Urdf, RobotsAreBases) {
  Write(Robot(Link("a") + Link("b") + Joint("j", "a", "b")), "arm.urdf");
  const std::filesystem::path derived =
      Write("format: slipstick-scene 1\nbase: arm\nset: [joints.j.friction=0.5]\n", "stiff.yaml");
  const Scene scene = ReadScene(derived);
  EXPECT_EQ(scene.name, "stiff");
  EXPECT_EQ(scene.joints[0].links[0].friction, 0.5);
}

// Read as it stands or as the text that is made of it: the same scene.
TEST_F(Urdf, TextIsTheSameScene) {
  const std::string shapes = "<visual><geometry><sphere radius='0.2'/></geometry><origin rpy='1 2 3'/></visual>";
  const std::filesystem::path file =
      Write(Robot(Link("a", kSolid + shapes) + Link("b.c") + Link("7") +
                  Joint("j", "a", "b.c", "<origin xyz='0 0 1' rpy='0.3 0 0.1'/><axis xyz='1 1 0'/>") +
                  Joint("k", "b.c", "7", "<mimic joint='j' multiplier='0.1'/>")));
  EXPECT_TRUE(ReadScene(file) == ReadSceneText(UrdfToScene(ReadUrdf(file)), file.string()));
}

}  // namespace
}  // namespace slipstick::internal
