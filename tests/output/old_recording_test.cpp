#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "slipstick/export/export_recording.h"
#include "slipstick/output/recording.h"
#include "slipstick/output/replay.h"

// Recordings of older programs, made anew by a script as those programs wrote them.

namespace slipstick::internal {
namespace {

class OldRecording : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("slipstick-old-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    const std::string python = SLIPSTICK_TEST_PYTHON;
    if (std::system((python + " -c 'import h5py' > /dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "there is no h5py";
    const std::string script = SLIPSTICK_SOURCE_DIR "/tests/output/old_recording.py";
    const std::string command =
        python + " -B '" + script + "' '" + (folder_ / "recording.h5").string() + "' " + std::to_string(GetParam());
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

// A feature held 12 bits for each side; shapes had no parts.
TEST_P(OldRecording, FeaturesBecomePlaces) {
  const RecordingReader reader(folder_);
  EXPECT_TRUE(reader.complete());
  ASSERT_EQ(reader.frame_count(), 2);
  ASSERT_EQ(reader.contact_count(0), 1);
  ASSERT_EQ(reader.contact_count(1), 2);
  const RecordingContact first = reader.contacts(0)[0], second = reader.contacts(1)[0], third = reader.contacts(1)[1];
  EXPECT_EQ(first.place_a, 5u);
  EXPECT_EQ(first.place_b, 0u);
  EXPECT_EQ(second.place_a, 8u);
  EXPECT_EQ(second.place_b, 1u);
  EXPECT_EQ(third.place_a, 0xfffu);
  EXPECT_EQ(third.place_b, 0xfffu);
  EXPECT_EQ(KeyWords(second), (std::array<std::uint64_t, 2>{1, 8ull << 32 | 1}));
  EXPECT_EQ(second.shape_a, 0);
  EXPECT_EQ(second.shape_b, 1);
  EXPECT_EQ(second.force.z(), 2);
  EXPECT_EQ(second.moment.z(), GetParam() >= 2 ? 0.1 : 0.0);
  EXPECT_TRUE(std::isnan(second.friction_static));
}

TEST_P(OldRecording, HasNoEffortsAndReactions) {
  const RecordingReader reader(folder_);
  EXPECT_TRUE(reader.header().effort_names.empty());
  EXPECT_EQ(reader.efforts().rows(), 2);
  EXPECT_EQ(reader.efforts().cols(), 0);
  EXPECT_EQ(reader.reactions().cols(), 0);
  EXPECT_EQ(reader.coordinates()(1, 0), 0.25);
}

// What is made from recordings is made from old ones too.
TEST_P(OldRecording, IsExportedAndReplayed) {
  const RecordingReader reader(folder_);
  for (const std::string& name : ExportFormatNames()) {
    const ExportSettings settings{.format = ExportFormatOf(name), .output = folder_ / ("out-" + name)};
    EXPECT_TRUE(ExportRecording(reader, settings)) << name;
  }
  std::ifstream table(folder_ / "out-csv" / "contacts.csv");
  std::string heading, row;
  std::getline(table, heading);
  std::getline(table, row);
  EXPECT_EQ(row.substr(0, row.find("stick")), "0,box,body,world,ground,0,5,0,0,") << heading;
  EXPECT_TRUE(EncodeReplay(reader).has_contacts);
}

INSTANTIATE_TEST_SUITE_P(Versions, OldRecording, ::testing::Values(1, 2));

}  // namespace
}  // namespace slipstick::internal
