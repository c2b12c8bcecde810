#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "slipstick/run/record_run.h"
#include "slipstick/run/run_report.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/state_file/state_file.h"

namespace slipstick::internal {
namespace {

class RecordJoints : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  RunResult Run(const Scene& scene, Simulation* simulation, bool reads_joints) const {
    RunRecorder recorder(folder_, scene, *simulation);
    RunOptions options;
    options.duration = 0.02;
    options.reads_joints = reads_joints;
    options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder.Record(s, t); };
    RunResult result = RunSimulation(simulation, options);
    recorder.Close(*simulation);
    return result;
  }
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("slipstick-joints-" + std::to_string(::getpid()));
};

// Whether the trajectory has them for the report or not, a recording has the readings of each sample.
TEST_F(RecordJoints, ReadingsOfEachSample) {
  for (const bool reads_joints : {true, false}) {
    const Scene scene = ReadScene(FindScene("gripper"));
    Simulation simulation(scene);
    Run(scene, &simulation, reads_joints);
    const RecordingReader reader(folder_);
    const JointGauges gauges = ListJointGauges(simulation.model());
    const JointReadings last = ComputeJointReadings(simulation);
    using Names = std::vector<std::string>;
    EXPECT_EQ(reader.header().effort_names, (Names{"left-servo", "right-servo", "rack", "sinking"}));
    EXPECT_EQ(reader.header().effort_units, (Names{"N", "N", "N", "N"}));
    EXPECT_EQ(reader.header().reaction_names, (Names{"left-finger", "right-finger", "lift"}));
    EXPECT_EQ(reader.header().reaction_bodies, (Names{"left", "right", "pedestal"}));
    const RowMatX efforts = reader.efforts(), reactions = reader.reactions();
    const Eigen::Index end = reader.frame_count() - 1;
    ASSERT_EQ(efforts.cols(), 4);
    ASSERT_EQ(reactions.cols(), 18);
    EXPECT_TRUE(std::isnan(efforts(0, 0)));
    EXPECT_TRUE(std::isnan(reactions(0, 5)));
    for (Eigen::Index i = 0; i < 4; ++i) EXPECT_EQ(efforts(end, i), last.efforts[i]);
    for (Eigen::Index i = 0; i < 3; ++i) {
      EXPECT_EQ(Vec3(reactions.block<1, 3>(end, 6 * i)), last.reactions[i].force);
      EXPECT_EQ(Vec3(reactions.block<1, 3>(end, 6 * i + 3)), last.reactions[i].torque);
    }
    EXPECT_GT(last.reactions[2].force.z(), 1.9 * 9.81);  // the lift carries box and pedestal
  }
}

TEST_F(RecordJoints, AReplayHasNone) {
  const Scene scene = ReadScene(FindScene("gripper"), {{"output.record", "replay"}});
  Simulation simulation(scene);
  Run(scene, &simulation, false);
  const RecordingReader reader(folder_);
  EXPECT_TRUE(reader.header().effort_names.empty());
  EXPECT_EQ(reader.reactions().cols(), 0);
}

TEST_F(RecordJoints, TheReportDrawsThem) {
  const Scene scene = ReadScene(FindScene("gripper"));
  Simulation simulation(scene);
  const RunResult result = Run(scene, &simulation, true);
  const Report report = ReportOfRun(scene, simulation, result);
  const auto section = std::find_if(report.sections.begin(), report.sections.end(),
                                    [](const ReportSection& one) { return one.title == "Drives and joints"; });
  ASSERT_NE(section, report.sections.end());
  std::vector<std::string> titles;
  for (const ReportPlot& plot : section->plots) titles.push_back(plot.title);
  ASSERT_GE(titles.size(), 2u);
  EXPECT_EQ(titles[0], "Forces of drives");  // all slide
  EXPECT_EQ(titles[1], "Forces in joints");
  EXPECT_EQ(section->plots[0].series.size(), 4u);
  EXPECT_EQ(section->plots[1].series.size(), 3u);
  EXPECT_EQ(section->plots[0].series[0].y.size(), section->plots[0].x.size());
}

// Pins turn freely: what is left of torques in them is rounding, and only the pivot that is driven has a curve.
TEST_F(RecordJoints, CurvesOfRoundingAreLeftOut) {
  const Scene scene = ReadScene(FindScene("four-bar"));
  Simulation simulation(scene);
  const RunResult result = Run(scene, &simulation, true);
  for (const ReportSection& section : ReportOfRun(scene, simulation, result).sections) {
    for (const ReportPlot& plot : section.plots) {
      if (plot.title != "Torques in joints") continue;
      ASSERT_EQ(plot.series.size(), 1u);
      EXPECT_EQ(plot.series[0].name, "crank-pivot");
      return;
    }
  }
  FAIL() << "no plot of torques";
}

// What was fed in is kept beside the recording, and gives the same bits again.
TEST_F(RecordJoints, InputsBesideTheRecording) {
  const Scene scene = ReadScene(FindScene("pendulum"));
  const auto run = [&](Simulation* simulation, const std::function<bool(Simulation*)>& before_step) {
    RunRecorder recorder(folder_, scene, *simulation);
    RunOptions options;
    options.duration = 0.05;
    options.before_step = before_step;
    options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder.Record(s, t); };
    const RunResult result = RunSimulation(simulation, options);
    recorder.Close(*simulation);
    return result.summary.state_hash;
  };
  Simulation plain(scene), fed(scene), again(scene);
  const std::uint64_t alone = run(&plain, {});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "inputs.h5"));
  const std::uint64_t hash = run(&fed, [](Simulation* s) {
    s->SetEffort(0, -3 * s->state().q[0]);
    return true;
  });
  EXPECT_NE(hash, alone);
  again.ReplayInputs(ReadInputs(folder_ / "inputs.h5"));
  EXPECT_EQ(run(&again, {}), hash);
}

}  // namespace
}  // namespace slipstick::internal
