#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "slipstick/output/replay.h"
#include "slipstick/run/record_run.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

// The residual of each contact is the certificate's: the largest of them is what it tells.
TEST(RecordContacts, ResidualsAreTheCertificates) {
  for (const char* law : {"coulomb", "box"}) {
    Simulation simulation = Simulation(ReadScene(FindScene("cube-push"), {{"law", law}}));
    for (int i = 0; i < 600; ++i) simulation.Step();  // pushed at 45°, which the box does not hold
    double worst = 0;
    for (const RecordingContact& contact : RecordedContacts(simulation, SceneOutput::kAllContacts)) {
      worst = std::max(worst, contact.coulomb_residual);
    }
    EXPECT_EQ(worst, simulation.last_step().certificate.coulomb_residual) << law;
    if (std::string(law) == "box") {
      EXPECT_GT(worst, 1e-4);  // far from the exact law
    } else {
      EXPECT_LT(worst, 1e-8);
    }
  }
}

class RecordContactsFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("slipstick-contacts-" + std::to_string(::getpid()));
};

// Of many contacts the strongest are recorded; how many there were is known all the same.
TEST_F(RecordContactsFile, StrongestAreKept) {
  const Scene scene = ReadScene(FindScene("gravel-small"), {{"output.contacts", "20"}});
  Simulation simulation = Simulation(scene);
  Trajectory trajectory = StartTrajectory(simulation);
  RunRecorder recorder(folder_, scene, simulation);
  for (int i = 0; i < 150; ++i) simulation.Step();
  AppendSample(simulation, &trajectory);
  recorder.Record(simulation, trajectory);
  recorder.Close(simulation);

  std::vector<double> all;
  for (const RecordingContact& contact : RecordedContacts(simulation, SceneOutput::kAllContacts)) {
    if (contact.state != 0) all.push_back(contact.force.norm());
  }
  ASSERT_GT(all.size(), 60u);
  std::sort(all.begin(), all.end(), std::greater<>());
  const RecordingReader reader(folder_);
  ASSERT_EQ(reader.contact_count(0), 20);
  for (const RecordingContact& contact : reader.contacts(0)) {
    EXPECT_GE(contact.force.norm(), all[19] * (1 - 1e-6));  // single precision
    EXPECT_EQ(contact.force.x(), static_cast<float>(contact.force.x()));
    EXPECT_NEAR(contact.normal.norm(), 1, 1e-6);
  }
  EXPECT_EQ(reader.scalar("loaded_contacts")[0], static_cast<double>(all.size()));
  const EncodedReplay replay = EncodeReplay(reader);
  EXPECT_TRUE(replay.has_contacts);
}

}  // namespace
}  // namespace slipstick::internal
