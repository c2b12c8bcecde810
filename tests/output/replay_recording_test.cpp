#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "slipstick/base/random_source.h"
#include "slipstick/output/recording.h"

// Recordings of many bodies for replay: rounded, small, and with the times from which on bodies are to be seen.

namespace slipstick::internal {
namespace {

class ReplayRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("replay_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static RecordingHeader Header(int bodies, double rounding) {
    RecordingHeader header;
    for (int i = 0; i < bodies; ++i) {
      header.body_names.push_back("stone-" + std::to_string(i));
      header.body_releases.push_back(0.125 * i);
    }
    header.pose_rounding = rounding;
    return header;
  }

  std::filesystem::path folder_;
};

std::vector<Pose> RandomPoses(int count, RandomSource* random) {
  std::vector<Pose> poses(count);
  for (Pose& pose : poses) {
    pose.rotation = random->Rotation();
    pose.position = Vec3(random->Uniform(-2, 2), random->Uniform(-2, 2), random->Uniform(0, 1));
  }
  return poses;
}

TEST_F(ReplayRecording, PosesComeBackRounded) {
  const double rounding = 1.7e-5;
  RandomSource random(1);
  std::vector<std::vector<Pose>> frames;
  {
    RecordingWriter writer(folder_, Header(5000, rounding));  // more than a block of bodies
    for (int k = 0; k < 19; ++k) {                            // and more than two of frames
      frames.push_back(RandomPoses(5000, &random));
      writer.Append({.t = 0.03 * k, .poses = frames.back(), .q = {}, .v = {}, .scalars = {}, .contacts = {}});
    }
    writer.Close();
  }
  const RecordingReader reader(folder_);
  ASSERT_EQ(reader.frame_count(), 19);
  EXPECT_EQ(reader.header().pose_rounding, 0x1p-16);  // the power of two below
  EXPECT_EQ(reader.header().body_releases[4999], 0.125 * 4999);
  for (int body : {0, 2047, 2048, 4999}) {
    const std::vector<Pose> poses = reader.poses("stone-" + std::to_string(body));
    ASSERT_EQ(poses.size(), 19u);
    for (int k = 0; k < 19; ++k) {
      const Pose& exact = frames[k][body];
      EXPECT_LE((poses[k].position - exact.position).cwiseAbs().maxCoeff(), 0x1p-17);
      EXPECT_EQ(std::fmod(poses[k].position.x(), 0x1p-16), 0);
      EXPECT_LE((poses[k].rotation.coeffs() - exact.rotation.coeffs()).cwiseAbs().maxCoeff(), 0x1p-14);
    }
  }
}

// What waits, and what rests but for trembling below the rounding, takes next to no room.
TEST_F(ReplayRecording, RestTakesNoRoom) {
  constexpr int kBodies = 2000, kFrames = 160;
  RandomSource random(2);
  const std::vector<Pose> start = RandomPoses(kBodies, &random);
  {
    RecordingWriter writer(folder_, Header(kBodies, 1e-5));
    for (int k = 0; k < kFrames; ++k) {
      std::vector<Pose> poses = start;
      for (Pose& pose : poses) {
        // from the middle of a step of the rounding, so that trembling does not cross an end of it
        for (double& x : pose.position) x = (std::floor(x * 0x1p17) + 0.1 * random.Uniform(-1, 1)) * 0x1p-17;
        for (double& x : pose.rotation.coeffs()) x = (std::floor(x * 0x1p13) + 0.3 * random.Uniform(-1, 1)) * 0x1p-13;
      }
      writer.Append({.t = 0.03 * k, .poses = poses, .q = {}, .v = {}, .scalars = {}, .contacts = {}});
    }
    writer.Close();
  }
  // 7 numbers of 4 bytes are 9 MB raw
  EXPECT_LT(std::filesystem::file_size(folder_ / "recording.h5"), 1'200'000u);
  EXPECT_EQ(RecordingReader(folder_).frame_count(), kFrames);
}

TEST_F(ReplayRecording, WithoutReleasesAllAreThereFromTheStart) {
  RecordingHeader header = Header(3, 0);
  header.body_releases.clear();
  { RecordingWriter writer(folder_, header); }
  const RecordingReader reader(folder_);
  EXPECT_EQ(reader.header().body_releases, std::vector<double>(3, 0.0));
  EXPECT_EQ(reader.header().pose_rounding, 0);
}

}  // namespace
}  // namespace slipstick::internal
