#include "slipstick/output/recording.h"

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

// Everything of one frame, owned.
struct OwnedFrame {
  double t = 0;
  std::vector<Pose> poses;
  std::vector<double> q, v, scalars, efforts;
  std::vector<RecordingWrench> reactions;
  std::vector<RecordingContact> contacts;

  RecordingFrame View() const {
    return {.t = t,
            .poses = poses,
            .q = q,
            .v = v,
            .scalars = scalars,
            .efforts = efforts,
            .reactions = reactions,
            .contacts = contacts};
  }
};

// Numbers of every magnitude, with the special ones in between.
class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}

  double Number() {
    switch (random_() % 20) {
      case 0:
        return -0.0;
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return std::numeric_limits<double>::denorm_min();
      case 3:
        return std::numeric_limits<double>::quiet_NaN();
      default:
        return std::ldexp(static_cast<double>(random_()) - 2e9, static_cast<int>(random_() % 200) - 100);
    }
  }
  Vec3 Vector() { return {Number(), Number(), Number()}; }
  Pose AnyPose() {
    Pose pose;
    pose.rotation = Quat(Number(), Number(), Number(), Number());
    pose.position = Vector();
    return pose;
  }
  std::vector<double> Numbers(std::size_t count) {
    std::vector<double> numbers(count);
    for (double& number : numbers) number = Number();
    return numbers;
  }
  OwnedFrame Frame(const RecordingHeader& header, double t) {
    OwnedFrame frame;
    frame.t = t;
    for (std::size_t i = 0; i < header.body_names.size(); ++i) frame.poses.push_back(AnyPose());
    frame.q = Numbers(header.coordinate_names.size());
    frame.v = Numbers(header.velocity_names.size());
    frame.scalars = Numbers(header.scalar_names.size());
    frame.efforts = Numbers(header.effort_names.size());
    for (std::size_t i = 0; i < header.reaction_names.size(); ++i) frame.reactions.push_back({Vector(), Vector()});
    const std::size_t contact_count = header.shapes.empty() ? 0 : random_() % 5;
    for (std::size_t i = 0; i < contact_count; ++i) {
      frame.contacts.push_back({.shape_a = static_cast<int>(random_() % header.shapes.size()),
                                .shape_b = static_cast<int>(random_() % header.shapes.size()),
                                .place_a = static_cast<std::uint32_t>(random_()),
                                .place_b = static_cast<std::uint32_t>(random_()),
                                .position = Vector(),
                                .normal = Vector(),
                                .force = Vector(),
                                .moment = Vector(),
                                .slip_velocity = Vector(),
                                .gap = Number(),
                                .relaxation_gap = Number(),
                                .state = static_cast<int>(random_() % 3),
                                .angular_velocity = Vector(),
                                .friction_static = Number(),
                                .friction_kinetic = Number(),
                                .rolling = Number(),
                                .spinning = Number(),
                                .coulomb_residual = Number()});
    }
    return frame;
  }

 private:
  std::mt19937 random_;
};

RecordingHeader SampleHeader() {
  RecordingHeader header;
  header.scene_name = "wheel";
  header.scene_yaml = "name: wheel\n# µ = 0.3\n" + std::string(200'000, 'x');
  header.law = "coulomb";
  header.solver = "";
  header.stepper = "time-stepping";
  header.version = "0.1.0";
  header.step = 1e-3;
  header.body_names = {"wheel", "Käfig"};
  Mat3 inertia;
  inertia << 1, 0.4, 0.5, 0.4, 2, 0.6, 0.5, 0.6, 3;
  header.body_inertias = {{0.7, Vec3(0.1, 0.2, 0.3), inertia}, {2, Vec3::Zero(), Mat3::Identity()}};
  header.coordinate_names = {"x", "y", "z"};
  header.velocity_names = {"vx", "vy"};
  header.scalar_names = {"energy", "residual"};
  header.effort_names = {"motor", "Kolben"};
  header.effort_units = {"N m", "N"};
  header.reaction_names = {"hinge", "loop", "Lager µ"};
  header.reaction_bodies = {"wheel", "world", "Käfig"};
  Source source(7);
  header.shapes = {{"world", "ground", "plane", {}, source.AnyPose()},
                   {"wheel", "tyre", "disk", {0.5}, source.AnyPose()},
                   {"Käfig", "", "box", {1, 2, 3}, source.AnyPose()},
                   {"wheel",
                    "wedge",
                    "hull",
                    {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                    source.AnyPose(),
                    {3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2, 0, 3}}};
  return header;
}

// Same bits, so that −0 ≠ 0 and a NaN equals itself.
template <typename T>
::testing::AssertionResult SameBits(const T* a, const T* b, std::size_t count) {
  if (count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "the numbers differ";
}
::testing::AssertionResult SameBits(const Vec3& a, const Vec3& b) { return SameBits(a.data(), b.data(), 3); }
::testing::AssertionResult SameBits(const Pose& a, const Pose& b) {
  if (!SameBits(a.rotation.coeffs().data(), b.rotation.coeffs().data(), 4)) return ::testing::AssertionFailure();
  return SameBits(a.position, b.position);
}

void ExpectHeader(const RecordingHeader& found, const RecordingHeader& expected) {
  EXPECT_EQ(found.scene_name, expected.scene_name);
  EXPECT_EQ(found.scene_yaml, expected.scene_yaml);
  EXPECT_EQ(found.law, expected.law);
  EXPECT_EQ(found.solver, expected.solver);
  EXPECT_EQ(found.stepper, expected.stepper);
  EXPECT_EQ(found.version, expected.version);
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.body_names, expected.body_names);
  ASSERT_EQ(found.body_inertias.size(), expected.body_inertias.size());
  for (std::size_t i = 0; i < found.body_inertias.size(); ++i) {
    EXPECT_EQ(found.body_inertias[i].mass, expected.body_inertias[i].mass);
    EXPECT_EQ(found.body_inertias[i].center, expected.body_inertias[i].center);
    EXPECT_EQ(found.body_inertias[i].about_center, expected.body_inertias[i].about_center);
  }
  EXPECT_EQ(found.coordinate_names, expected.coordinate_names);
  EXPECT_EQ(found.velocity_names, expected.velocity_names);
  EXPECT_EQ(found.scalar_names, expected.scalar_names);
  EXPECT_EQ(found.effort_names, expected.effort_names);
  EXPECT_EQ(found.effort_units, expected.effort_units);
  EXPECT_EQ(found.reaction_names, expected.reaction_names);
  EXPECT_EQ(found.reaction_bodies, expected.reaction_bodies);
  ASSERT_EQ(found.shapes.size(), expected.shapes.size());
  for (std::size_t i = 0; i < found.shapes.size(); ++i) {
    EXPECT_EQ(found.shapes[i].body, expected.shapes[i].body);
    EXPECT_EQ(found.shapes[i].name, expected.shapes[i].name);
    EXPECT_EQ(found.shapes[i].type, expected.shapes[i].type);
    EXPECT_EQ(found.shapes[i].sizes, expected.shapes[i].sizes);
    EXPECT_EQ(found.shapes[i].faces, expected.shapes[i].faces);
    EXPECT_TRUE(SameBits(found.shapes[i].pose, expected.shapes[i].pose));
  }
}

void ExpectContacts(const std::vector<RecordingContact>& found, const std::vector<RecordingContact>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].shape_a, expected[i].shape_a);
    EXPECT_EQ(found[i].shape_b, expected[i].shape_b);
    EXPECT_EQ(found[i].place_a, expected[i].place_a);
    EXPECT_EQ(found[i].place_b, expected[i].place_b);
    EXPECT_TRUE(SameBits(found[i].position, expected[i].position));
    EXPECT_TRUE(SameBits(found[i].normal, expected[i].normal));
    EXPECT_TRUE(SameBits(found[i].force, expected[i].force));
    EXPECT_TRUE(SameBits(found[i].moment, expected[i].moment));
    EXPECT_TRUE(SameBits(found[i].slip_velocity, expected[i].slip_velocity));
    EXPECT_TRUE(SameBits(&found[i].relaxation_gap, &expected[i].relaxation_gap, 1));
    EXPECT_TRUE(SameBits(&found[i].gap, &expected[i].gap, 1));
    EXPECT_EQ(found[i].state, expected[i].state);
    EXPECT_TRUE(SameBits(found[i].angular_velocity, expected[i].angular_velocity));
    EXPECT_TRUE(SameBits(&found[i].friction_static, &expected[i].friction_static, 1));
    EXPECT_TRUE(SameBits(&found[i].friction_kinetic, &expected[i].friction_kinetic, 1));
    EXPECT_TRUE(SameBits(&found[i].rolling, &expected[i].rolling, 1));
    EXPECT_TRUE(SameBits(&found[i].spinning, &expected[i].spinning, 1));
    EXPECT_TRUE(SameBits(&found[i].coulomb_residual, &expected[i].coulomb_residual, 1));
  }
}

void ExpectFrames(const RecordingReader& reader, const std::vector<OwnedFrame>& expected) {
  const RecordingHeader& header = reader.header();
  ASSERT_EQ(reader.frame_count(), static_cast<int>(expected.size()));
  const std::vector<double> times = reader.times();
  const RowMatX q = reader.coordinates(), v = reader.velocities();
  const RowMatX efforts = reader.efforts(), reactions = reader.reactions();
  ASSERT_EQ(times.size(), expected.size());
  ASSERT_EQ(q.cols(), static_cast<Eigen::Index>(header.coordinate_names.size()));
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const auto row = static_cast<Eigen::Index>(f);
    EXPECT_EQ(times[f], expected[f].t);
    EXPECT_TRUE(SameBits(q.row(row).data(), expected[f].q.data(), expected[f].q.size()));
    EXPECT_TRUE(SameBits(v.row(row).data(), expected[f].v.data(), expected[f].v.size()));
    EXPECT_TRUE(SameBits(efforts.row(row).data(), expected[f].efforts.data(), expected[f].efforts.size()));
    for (std::size_t i = 0; i < expected[f].reactions.size(); ++i) {
      const double* found = reactions.row(row).data() + 6 * i;
      EXPECT_TRUE(SameBits(found, expected[f].reactions[i].force.data(), 3));
      EXPECT_TRUE(SameBits(found + 3, expected[f].reactions[i].torque.data(), 3));
    }
    ExpectContacts(reader.contacts(static_cast<int>(f)), expected[f].contacts);
  }
  for (std::size_t b = 0; b < header.body_names.size(); ++b) {
    const std::vector<Pose> poses = reader.poses(header.body_names[b]);
    ASSERT_EQ(poses.size(), expected.size());
    for (std::size_t f = 0; f < expected.size(); ++f) EXPECT_TRUE(SameBits(poses[f], expected[f].poses[b]));
  }
  // the same, by frames
  const std::size_t bodies = header.body_names.size(), first = expected.size() / 3;
  const std::vector<Pose> rest =
      reader.poses(static_cast<int>(first), static_cast<int>(expected.size()) - static_cast<int>(first));
  ASSERT_EQ(rest.size(), (expected.size() - first) * bodies);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_TRUE(SameBits(rest[i], expected[first + i / bodies].poses[i % bodies]));
  }
  for (std::size_t s = 0; s < header.scalar_names.size(); ++s) {
    const std::vector<double> values = reader.scalar(header.scalar_names[s]);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t f = 0; f < expected.size(); ++f) EXPECT_TRUE(SameBits(&values[f], &expected[f].scalars[s], 1));
  }
}

std::vector<OwnedFrame> SampleFrames(const RecordingHeader& header, int count, unsigned seed) {
  Source source(seed);
  std::vector<OwnedFrame> frames;
  for (int i = 0; i < count; ++i) frames.push_back(source.Frame(header, 1e-3 * i));
  return frames;
}

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class RecordingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("recording_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(RecordingTest, ComesBackToTheBit) {
  const RecordingHeader header = SampleHeader();
  // more than a block of frames
  const std::vector<OwnedFrame> frames = SampleFrames(header, 1500, 1);
  RecordingWriter writer(folder_ / "new" / "folder", header);
  for (const OwnedFrame& frame : frames) writer.Append(frame.View());
  writer.Close();
  writer.Close();
  const RecordingReader reader(folder_ / "new" / "folder");
  EXPECT_TRUE(reader.complete());
  ExpectHeader(reader.header(), header);
  ExpectFrames(reader, frames);
}

TEST_F(RecordingTest, NothingToRecord) {
  { RecordingWriter writer(folder_, RecordingHeader{}); }
  {
    const RecordingReader reader(folder_ / "recording.h5");
    EXPECT_TRUE(reader.complete());
    ExpectHeader(reader.header(), RecordingHeader{});
    ExpectFrames(reader, {});
  }
  // frames of nothing but their time
  const std::vector<OwnedFrame> frames = SampleFrames(RecordingHeader{}, 3, 1);
  {
    RecordingWriter writer(folder_, RecordingHeader{});
    for (const OwnedFrame& frame : frames) writer.Append(frame.View());
  }
  ExpectFrames(RecordingReader(folder_), frames);
}

TEST_F(RecordingTest, ReadableBesideItsWriter) {
  const RecordingHeader header = SampleHeader();
  const std::vector<OwnedFrame> frames = SampleFrames(header, 30, 2);
  RecordingWriter writer(folder_, header);
  for (int i = 0; i < 20; ++i) writer.Append(frames[static_cast<std::size_t>(i)].View());
  writer.Flush();
  // a copy is what another process sees
  std::filesystem::copy_file(folder_ / "recording.h5", folder_ / "seen.h5");
  for (int i = 20; i < 30; ++i) writer.Append(frames[static_cast<std::size_t>(i)].View());
  const RecordingReader reader(folder_ / "seen.h5");
  EXPECT_FALSE(reader.complete());
  ExpectFrames(reader, {frames.begin(), frames.begin() + 20});
}

TEST_F(RecordingTest, KilledRunLeavesWhatWasFlushed) {
  const RecordingHeader header = SampleHeader();
  const std::vector<OwnedFrame> frames = SampleFrames(header, 50, 3);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    RecordingWriter writer(folder_, header);
    for (std::size_t i = 0; i < 50; ++i) {
      writer.Append(frames[i].View());
      if (i == 9 || i == 39) writer.Flush();
    }
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const RecordingReader reader(folder_);
  EXPECT_FALSE(reader.complete());
  ExpectHeader(reader.header(), header);
  ExpectFrames(reader, {frames.begin(), frames.begin() + 40});
}

// Killed at arbitrary moments, often in the midst of a write: whatever is found is a true beginning of the run.
TEST_F(RecordingTest, KilledAtAnyMomentStaysReadable) {
  const RecordingHeader header = SampleHeader();
  const std::vector<OwnedFrame> frames = SampleFrames(header, 400, 4);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      RecordingWriter writer(folder_, header);
      writer.Flush();
      if (::write(ready[1], "r", 1) != 1) ::_exit(1);
      for (const OwnedFrame& frame : frames) {
        writer.Append(frame.View());
        writer.Flush();
      }
      ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(random() % 30'000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    const RecordingReader reader(folder_);
    EXPECT_FALSE(reader.complete());
    const auto count = static_cast<std::ptrdiff_t>(reader.frame_count());
    ExpectFrames(reader, {frames.begin(), frames.begin() + count});
  }
}

TEST_F(RecordingTest, MovedWritersKeepTheirFile) {
  const RecordingHeader header = SampleHeader();
  const std::vector<OwnedFrame> frames = SampleFrames(header, 4, 6);
  RecordingWriter first(folder_ / "a", header), second(folder_ / "b", header);
  first.Append(frames[0].View());
  second.Append(frames[1].View());
  first = std::move(second);
  first.Append(frames[2].View());
  first.Close();
  ExpectFrames(RecordingReader(folder_ / "a"), {frames[0]});
  ExpectFrames(RecordingReader(folder_ / "b"), {frames[1], frames[2]});
}

TEST_F(RecordingTest, UnwritablePlacesAreNamed) {
  std::ofstream(folder_ / "plain") << "a file where a folder should be";
  std::filesystem::create_directories(folder_ / "taken" / "recording.h5");
  for (const std::filesystem::path& place : {folder_ / "plain", folder_ / "plain" / "under", folder_ / "taken"}) {
    EXPECT_THAT(MessageOf([&] { RecordingWriter(place, SampleHeader()); }),
                HasSubstr((place / "recording.h5").string()));
  }
}

TEST_F(RecordingTest, WhatIsNoRecordingIsRefused) {
  EXPECT_THAT(MessageOf([&] { RecordingReader(folder_ / "absent.h5"); }), HasSubstr("no such file"));
  std::ofstream(folder_ / "text.h5") << "not HDF5";
  EXPECT_THAT(MessageOf([&] { RecordingReader(folder_ / "text.h5"); }), HasSubstr("text.h5"));
  std::ofstream(folder_ / "empty.h5");
  EXPECT_NE(MessageOf([&] { RecordingReader(folder_ / "empty.h5"); }), "");
}

TEST_F(RecordingTest, TruncatedFileIsRefusedNotMisread) {
  const RecordingHeader header = SampleHeader();
  const std::vector<OwnedFrame> frames = SampleFrames(header, 200, 8);
  {
    RecordingWriter writer(folder_, header);
    for (const OwnedFrame& frame : frames) writer.Append(frame.View());
  }
  const std::filesystem::path file = folder_ / "recording.h5";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_NE(MessageOf([&] { RecordingReader reader(file); }), "");
}

// Bytes changed in references to texts and in the heaps that these lead to: all texts, or one message.
TEST_F(RecordingTest, DamagedTextsAreRefusedNotFollowed) {
  RecordingWriter(folder_, SampleHeader()).Close();
  const std::filesystem::path file = folder_ / "recording.h5";
  std::string whole;
  {
    std::ifstream stream(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(stream), {});
  }
  const std::size_t heap = whole.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  // a reference is 4 bytes of length, the heap's address, and 4 bytes of a number
  std::string address;
  for (int k = 0; k < 8; ++k) address += static_cast<char>(heap >> (8 * k));
  std::vector<std::size_t> places;
  for (std::size_t at = whole.find(address); at != std::string::npos; at = whole.find(address, at + 1)) {
    for (std::size_t k = at - 4; k < at + 12; ++k) places.push_back(k);
  }
  ASSERT_GT(places.size(), 100U);
  for (std::size_t k = heap; k < heap + 400; ++k) places.push_back(k);
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole;
    for (int k = 0; k < 3; ++k) damaged[places[random() % places.size()]] = static_cast<char>(random());
    std::ofstream(file, std::ios::binary) << damaged;
    try {
      const RecordingReader reader(file);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("recording.h5"));
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(RecordingTest, UnknownNamesAreAnsweredWithTheKnown) {
  RecordingWriter(folder_, SampleHeader()).Close();
  const RecordingReader reader(folder_);
  EXPECT_THAT(MessageOf([&] { reader.scalar("heat"); }), HasSubstr("energy, residual"));
  EXPECT_THAT(MessageOf([&] { reader.poses("heat"); }), HasSubstr("\"heat\""));
  EXPECT_THROW(reader.contacts(0), BrokenInvariant);
}

TEST_F(RecordingTest, FramesMustFitTheHeader) {
  const RecordingHeader header = SampleHeader();
  RecordingWriter writer(folder_, header);
  Source source(9);
  OwnedFrame frame = source.Frame(header, 0);
  frame.q.pop_back();
  EXPECT_THROW(writer.Append(frame.View()), BrokenInvariant);
  frame = source.Frame(header, 0);
  frame.reactions.pop_back();
  EXPECT_THROW(writer.Append(frame.View()), BrokenInvariant);
  frame = source.Frame(header, 0);
  frame.contacts.assign(1, RecordingContact());
  frame.contacts[0].shape_b = static_cast<int>(header.shapes.size());
  EXPECT_THROW(writer.Append(frame.View()), BrokenInvariant);
  frame.contacts[0].shape_b = 1;
  frame.contacts[0].state = 3;
  EXPECT_THROW(writer.Append(frame.View()), BrokenInvariant);
  frame.contacts.clear();
  // what was refused has left no trace
  writer.Append(frame.View());
  writer.Close();
  EXPECT_THROW(writer.Append(frame.View()), BrokenInvariant);
  ExpectFrames(RecordingReader(folder_), {frame});
}

}  // namespace
}  // namespace slipstick::internal
