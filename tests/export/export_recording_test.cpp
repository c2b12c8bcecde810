#include "slipstick/export/export_recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "slipstick/base/draft_file.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/recorded_shapes.h"

namespace slipstick::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ExportRecordingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("slipstick-export-" + std::to_string(::getpid()) + "-" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_ / "out");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A ball that moves along x, ten frames a second.
  RecordingReader Record(int frames) const {
    RecordingHeader header;
    header.scene_name = "ball";
    header.body_names = {"ball"};
    header.shapes = {{.body = "ball", .name = "one", .type = "sphere", .sizes = {0.5}, .pose = {}},
                     {.body = "world", .name = "ground", .type = "plane", .sizes = {}, .pose = {}}};
    RecordingWriter writer(folder_, header);
    for (int i = 0; i < frames; ++i) {
      Pose pose;
      pose.position.x() = i;
      writer.Append({.t = 0.1 * i, .poses = {&pose, 1}, .q = {}, .v = {}, .scalars = {}, .contacts = {}});
    }
    writer.Close();
    return RecordingReader(folder_);
  }
  std::vector<std::string> Written() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  std::filesystem::path folder_;
};

TEST_F(ExportRecordingTest, NothingRemainsWhereItIsEnded) {
  const RecordingReader recording = Record(20);
  for (const std::string& name : ExportFormatNames()) {
    SCOPED_TRACE(name);
    int calls = 0;
    ExportSettings settings{.format = ExportFormatOf(name), .output = folder_ / "out" / "given"};
    settings.on_progress = [&](double done) {
      EXPECT_NEAR(done, ++calls / 20.0, 1e-12);
      return calls < 7;
    };
    EXPECT_FALSE(ExportRecording(recording, settings));
    EXPECT_EQ(calls, 7);
    EXPECT_THAT(Written(), IsEmpty());
    settings.on_progress = [](double) { return true; };
    EXPECT_TRUE(ExportRecording(recording, settings));
    EXPECT_THAT(Written(), ElementsAre("given"));
    std::filesystem::remove_all(folder_ / "out" / "given");
  }
}

TEST_F(ExportRecordingTest, ChoosesTheNearestFrames) {
  const RecordingReader recording = Record(11);
  const auto times = [&](double every) {
    const std::filesystem::path out = folder_ / "out" / "given";
    std::filesystem::remove_all(out);
    EXPECT_TRUE(ExportRecording(recording, {.format = ExportFormat::kCsv, .output = out, .every = every}));
    std::ifstream file(out / "poses.csv");
    std::string line;
    std::getline(file, line);
    std::vector<double> found;
    while (std::getline(file, line)) found.push_back(std::stod(line));
    return found;
  };
  using ::testing::DoubleNear;
  const auto near = [](double t) { return DoubleNear(t, 1e-12); };
  EXPECT_EQ(times(0).size(), 11u);
  EXPECT_EQ(times(0.05).size(), 11u);  // there are no more than that
  EXPECT_THAT(times(0.5), ElementsAre(near(0), near(0.5), near(1)));
  EXPECT_THAT(times(0.33), ElementsAre(near(0), near(0.3), near(0.7), near(1)));
  EXPECT_THAT(times(5), ElementsAre(near(0)));
}

// Efforts carry their units in the headings, reactions six columns each; all digits come through.
TEST_F(ExportRecordingTest, EffortsAndReactionsAsTables) {
  RecordingHeader header;
  header.effort_names = {"motor", "ram, front"};
  header.effort_units = {"N m", "N"};
  header.reaction_names = {"hinge"};
  header.reaction_bodies = {"door"};
  {
    RecordingWriter writer(folder_, header);
    const std::vector<double> efforts = {0.1, -2};
    const std::vector<RecordingWrench> reactions = {{Vec3(1, 2, 3.3), Vec3(4, 5, 6)}};
    writer.Append({.t = 0.5, .efforts = efforts, .reactions = reactions});
  }
  const std::filesystem::path out = folder_ / "out" / "given";
  EXPECT_TRUE(ExportRecording(RecordingReader(folder_), {.format = ExportFormat::kCsv, .output = out}));
  const auto text = [&](const char* name) {
    std::ifstream file(out / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(text("efforts.csv"), "time,motor [N m],\"ram, front [N]\"\n0.5,0.1,-2\n");
  EXPECT_EQ(text("reactions.csv"),
            "time,hinge.force_x,hinge.force_y,hinge.force_z,hinge.torque_x,hinge.torque_y,hinge.torque_z\n"
            "0.5,1,2,3.3,4,5,6\n");
}

// A matrix without columns is a member of nothing but its heading, whose check is to hold.
TEST_F(ExportRecordingTest, MembersOfNpzWithoutNumbers) {
  const std::filesystem::path out = folder_ / "out" / "given";
  EXPECT_TRUE(ExportRecording(Record(3), {.format = ExportFormat::kNpz, .output = out}));
  const std::string command = std::string(SLIPSTICK_TEST_PYTHON) +
                              " -c 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip())' '" +
                              out.string() + "' 2> /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(ExportRecordingTest, RecordingWithoutFrames) {
  const RecordingReader recording = Record(0);
  EXPECT_THROW(ExportRecording(recording, {.format = ExportFormat::kNpz, .output = folder_ / "out" / "given"}),
               InputError);
  EXPECT_THAT(Written(), IsEmpty());
}

TEST_F(ExportRecordingTest, PlanesReachAsFarAsTheBodies) {
  const RecordingReader recording = Record(11);
  const ExportSource source{&recording, {0, 5, 10}, {0, 0.5, 1}, [](double) { return true; }};
  const RecordedShapes shapes = ShapesOf(source);
  ASSERT_EQ(shapes.shapes.size(), 2u);
  EXPECT_EQ(shapes.shapes[0].body, 0);
  EXPECT_EQ(shapes.shapes[1].body, -1);
  double reach = 0;
  for (const Vec3& point : shapes.meshes[shapes.shapes[1].mesh].points) reach = std::max(reach, point.x());
  EXPECT_NEAR(reach, 1.1 * 10.5, 1e-12);
}

TEST(ShapeOf, OldHullsWithoutFacesGetThemBack) {
  RecordingHeader::Shape shape{.body = "b", .name = "n", .type = "hull", .sizes = {}, .pose = {}};
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) shape.sizes.push_back((i >> k & 1) != 0 ? 1 : -1);
  }
  EXPECT_NEAR(MeshOf(ShapeOf(shape), {}).Volume(), 8, 1e-12);
}

TEST(ShapeOf, BrokenShapesAreFaults) {
  using Shape = RecordingHeader::Shape;
  const std::vector<Shape> broken = {
      {.body = "b", .name = "n", .type = "torus", .sizes = {1, 2}, .pose = {}},
      {.body = "b", .name = "n", .type = "sphere", .sizes = {}, .pose = {}},
      {.body = "b", .name = "n", .type = "box", .sizes = {1, 2}, .pose = {}},
      {.body = "b", .name = "n", .type = "hull", .sizes = {1, 2, 3}, .pose = {}},
      {.body = "b", .name = "n", .type = "hull", .sizes = {0, 0, 0, 1, 0, 0, 0, 1, 0}, .pose = {}, .faces = {3, 0, 1}},
      {.body = "b",
       .name = "n",
       .type = "hull",
       .sizes = {0, 0, 0, 1, 0, 0, 0, 1, 0},
       .pose = {},
       .faces = {3, 0, 1, 3}}};
  for (const Shape& shape : broken) {
    try {
      ShapeOf(shape);
      ADD_FAILURE() << shape.type;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("shapes.b.n"));
    }
  }
}

TEST(ExportFormat, UnknownNamesAreFaults) {
  EXPECT_EQ(ExportFormatOf("npz"), ExportFormat::kNpz);
  EXPECT_THROW(ExportFormatOf("NPZ"), InputError);
}

}  // namespace
}  // namespace slipstick::internal
