#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "slipstick/output/recording.h"
#include "slipstick/run/record_run.h"
#include "slipstick/run/run_report.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// With many bodies, output that was not asked for in full is thinned.

namespace slipstick::internal {
namespace {

// Falling, without contact: a thousand steps cost little.
Scene Rain(int count, const std::vector<Override>& more = {}) {
  std::vector<Override> overrides = {{"groups.drop.lattice.count", std::to_string(count)}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return ReadSceneText(R"(
format: slipstick-scene 1
groups:
  - {name: drop, template: {density: 1000, shapes: [{type: sphere, radius: 0.01}]}, lattice: {counts: [20, 20, 5], spacing: 1}}
stepper: {step: 0.005, duration: 0.5}
)",
                       "rain.yaml", overrides);
}

TEST(ManyBodies, SamplesAboutThirtyASecond) {
  EXPECT_EQ(SampleInterval(Rain(200), 0.005), 0);
  EXPECT_DOUBLE_EQ(SampleInterval(Rain(201), 0.005), 0.035);
  EXPECT_DOUBLE_EQ(SampleInterval(Rain(201), 0.001), 0.033);
  EXPECT_DOUBLE_EQ(SampleInterval(Rain(201), 0.5), 0.5);
  EXPECT_EQ(SampleInterval(Rain(201, {{"output.every", "0"}}), 0.005), 0);
  EXPECT_EQ(DetailOfRecording(Rain(200)), RecordingDetail::kFull);
  EXPECT_EQ(DetailOfRecording(Rain(201)), RecordingDetail::kReplay);
  EXPECT_EQ(DetailOfRecording(Rain(201, {{"output.record", "full"}})), RecordingDetail::kFull);
  EXPECT_EQ(MostRecordedContacts(Rain(3)), SceneOutput::kAllContacts);
  EXPECT_EQ(MostRecordedContacts(Rain(201)), 500u);
  EXPECT_EQ(MostRecordedContacts(Rain(201, {{"output.contacts", "true"}})), SceneOutput::kAllContacts);
  EXPECT_EQ(MostRecordedContacts(Rain(201, {{"output.contacts", "12"}})), 12u);
  EXPECT_EQ(MostRecordedContacts(Rain(3, {{"output.contacts", "false"}})), 0u);
  EXPECT_EQ(MostRecordedContacts(Rain(3, {{"output.record", "replay"}})), 500u);
}

RunResult RunRain(const Scene& scene, Simulation* simulation, RunRecorder* recorder) {
  RunOptions options;
  options.duration = simulation->duration();
  options.sample_every = SampleInterval(scene, simulation->step());
  options.tracked_bodies = scene.output.bodies;
  if (recorder) options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder->Record(s, t); };
  return RunSimulation(simulation, options);
}

TEST(ManyBodies, TrajectoryKeepsSomeAndTheTotalsOfAll) {
  const Scene scene = Rain(1000);
  Simulation simulation = Simulation(scene);
  const RunResult result = RunRain(scene, &simulation, nullptr);
  const Trajectory& t = result.trajectory;
  EXPECT_EQ(t.bodies.size(), kMostTracked);
  EXPECT_EQ(t.bodies.front(), "drop-0");
  EXPECT_EQ(t.bodies.back(), "drop-995");
  EXPECT_EQ(t.size(), 16);  // 0, 14 at 7 steps each, and the last of the 100 steps
  EXPECT_EQ(t.body_count.back(), 1000);
  // all fall alike, ½ g t²; 400 from the height 0, 400 from 1, 200 from 2
  const double fallen = 0.5 * 9.81 * 0.5 * 0.5, mean = (400 * 1 + 200 * 2) / 1000.0;
  EXPECT_NEAR(t.center_height.back(), mean - fallen, 1e-9);
  EXPECT_NEAR(t.top_height.back(), 2 - fallen, 1e-9);
  EXPECT_NEAR(t.speed_rms.back(), 9.81 * 0.5, 1e-9);
  EXPECT_NEAR(t.speed_max.back(), 9.81 * 0.5, 1e-9);
}

TEST(ManyBodies, NamedBodiesAreTracked) {
  const Scene scene = Rain(1000, {{"output.bodies", "[drop-500, drop-3]"}});
  Simulation simulation = Simulation(scene);
  const RunResult result = RunRain(scene, &simulation, nullptr);
  EXPECT_EQ(result.trajectory.bodies, (std::vector<std::string>{"drop-3", "drop-500"}));
}

TEST(ManyBodies, FilesStaySmall) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("many_bodies_" + std::to_string(::getpid()));
  const Scene scene = Rain(2000);
  Simulation simulation = Simulation(scene);
  RunResult result;
  {
    RunRecorder recorder(folder, scene, simulation);
    result = RunRain(scene, &simulation, &recorder);
    recorder.Close(simulation);
  }
  const RecordingReader reader(folder);
  EXPECT_EQ(reader.frame_count(), 16);
  EXPECT_EQ(reader.header().coordinate_names.size(), 0u);
  EXPECT_EQ(reader.header().body_names.size(), 2000u);
  // 4.9e-6 m or finer: 1/2048 of the radius, rounded to a power of two
  EXPECT_GT(reader.header().pose_rounding, 2e-6);
  EXPECT_LT(reader.header().pose_rounding, 5e-6);
  const Vec3 last = reader.poses("drop-1999").back().position;
  EXPECT_LT((last - simulation.kinematics().X_WB[1999].position).norm(), 5e-6);
  EXPECT_LT(std::filesystem::file_size(folder / "recording.h5"), 2'000'000u);
  EXPECT_LT(SummaryJson(scene, simulation, result.summary).dump(2).size(), 10'000u);
  const Report report = ReportOfRun(scene, simulation, result);
  std::size_t series = 0;
  for (const ReportSection& section : report.sections)
    for (const ReportPlot& plot : section.plots) series += plot.series.size();
  EXPECT_LT(series, 60u);
  EXPECT_LT(RenderReport(report).size(), 600'000u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace slipstick::internal
