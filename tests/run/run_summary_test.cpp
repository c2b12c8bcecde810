#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "slipstick/run/run_report.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"
#include "tests/base/full_disk.h"
#include "tests/base/scratch.h"

namespace slipstick::internal {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Spread, ANanStays) {
  Spread spread;
  for (double value : {1.0, kNan, 2.0, 0.5}) spread.Add(value);
  EXPECT_TRUE(std::isnan(spread.worst));
  EXPECT_TRUE(std::isnan(spread.Rms()));
  EXPECT_EQ(spread.count, 4);
}

TEST(Spread, WorstAndRms) {
  Spread spread;
  for (double value : {3.0, 4.0, 0.0}) spread.Add(value);
  EXPECT_EQ(spread.worst, 4);
  EXPECT_DOUBLE_EQ(spread.Rms(), std::sqrt(25.0 / 3));
}

RunSummary Summary(long steps, long failed, bool stopped, bool not_finite) {
  RunSummary summary;
  summary.steps = steps;
  summary.steps_planned = 100;
  summary.failed_steps = failed;
  if (failed > 0) summary.failures.push_back({7, 0.007, "a reason"});
  summary.stopped = stopped;
  summary.not_finite = not_finite;
  summary.end_time = 0.04;
  summary.duration = summary.end_time_planned = 0.1;
  return summary;
}

TEST(Verdict, SaysWhereARunEnded) {
  EXPECT_EQ(VerdictOf(Summary(100, 0, false, false)), "All 100 steps passed their certificate.");
  EXPECT_EQ(VerdictOf(Summary(40, 0, true, false)),
            "Ended early at 0.04 of 0.1 s; all 40 steps until then passed their certificate.");
  EXPECT_EQ(VerdictOf(Summary(100, 2, false, false)),
            "2 of 100 steps failed their certificate; the first at 0.007 s: a reason.");
  EXPECT_EQ(VerdictOf(Summary(40, 2, true, false)),
            "2 of 40 steps failed their certificate; the first at 0.007 s: a reason. Ended early at 0.04 of 0.1 s.");
  EXPECT_EQ(VerdictOf(Summary(41, 1, true, true)),
            "1 of 41 steps failed their certificate: a reason, and the run ended there, at 0.04 of 0.1 s.");
  EXPECT_EQ(VerdictOf(Summary(41, 3, true, true)),
            "3 of 41 steps failed their certificate; the first at 0.007 s: a reason; the last was not finite, and the "
            "run ended there, at 0.04 of 0.1 s.");
  EXPECT_EQ(VerdictOf(RunSummary()).find("passed"), std::string::npos);  // nothing was judged
}

constexpr const char* kBall = R"yaml(format: slipstick-scene 1
bodies:
  - {name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}]}
forces:
  - {body: ball, force: ["1/(1 - step(t - 0.0305))", 0, 0]
}
stepper: {step: 0.001, duration: 0.0707}
)yaml";

TEST(RunSimulation, AStepThatIsNotFiniteEndsTheRun) {
  Simulation simulation = Simulation(ReadSceneText(kBall, "ball.yaml", {}));
  RunOptions options;
  options.duration = simulation.duration();
  const RunResult result = RunSimulation(&simulation, options);
  const RunSummary& summary = result.summary;
  EXPECT_TRUE(summary.stopped);
  EXPECT_TRUE(summary.not_finite);
  EXPECT_FALSE(summary.passed());
  EXPECT_EQ(summary.failed_steps, 1);
  EXPECT_EQ(summary.steps_planned, 71);
  EXPECT_LT(summary.steps, 40);
  EXPECT_NE(VerdictOf(summary).find("the run ended there, at 0.03"), std::string::npos) << VerdictOf(summary);
  EXPECT_NE(VerdictOf(summary).find("of 0.071 s"), std::string::npos) << VerdictOf(summary);
}

// A margin of zero sees the wall only when the ball is in it: after one step, which no certificate judges.
TEST(RunSimulation, TheStateAfterTheLastStepIsJudged) {
  Simulation simulation = Simulation(ReadSceneText(R"(
format: slipstick-scene 1
gravity: [0, 0, 0]
world: {shapes: [{type: plane}]}
bodies: [{name: ball, mass: 1, position: [0, 0, 0.2], velocity: [0, 0, -150], shapes: [{type: sphere, radius: 0.1}]}]
stepper: {step: 0.001, duration: 0.001, contact_margin: 0, scheme: semi-implicit}
)",
                                                   "case.yaml"));
  RunOptions options;
  options.duration = 0.001;
  const RunSummary summary = RunSimulation(&simulation, options).summary;
  EXPECT_FALSE(summary.passed());
  ASSERT_EQ(summary.failures.size(), 1u);
  EXPECT_EQ(summary.failures[0].reason,
            "after the last step: penetration, in half-extents of the thinner shape, 0.5 is above 0.02");
}

TEST(RunSimulation, RoundsTheDurationAndSaysSo) {
  for (const auto& [duration, steps] : {std::pair{0.0124, 12L}, {0.0125999, 13L}, {0.0006, 1L}}) {
    Simulation simulation = Simulation(ReadSceneText(kBall, "ball.yaml", {}));
    RunOptions options;
    options.duration = duration;
    const RunSummary summary = RunSimulation(&simulation, options).summary;
    EXPECT_EQ(summary.steps, steps);
    EXPECT_TRUE(summary.passed());
    EXPECT_NE(RoundingOf(summary), "");
  }
  Simulation simulation = Simulation(ReadSceneText(kBall, "ball.yaml", {}));
  RunOptions options;
  options.duration = 0.03;  // 0.03 / 0.001 is not 30 to the bit
  EXPECT_EQ(RoundingOf(RunSimulation(&simulation, options).summary), "");
}

// Those of a scene's file that is based on another are the file's, not overrides.
TEST(Overrides, StandInSummaryAndReport) {
  const std::vector<Override> given = {{"stepper.duration", "0.002"}, {"bodies.ball.mass", "2*3"}};
  const Scene scene = ReadSceneText(kBall, "ball.yaml", given);
  Simulation simulation(scene);
  RunOptions options;
  options.duration = simulation.duration();
  const RunResult result = RunSimulation(&simulation, options);
  const auto json = SummaryJson(scene, simulation, result.summary);
  ASSERT_EQ(json["overrides"].size(), 2u);
  EXPECT_EQ(json["overrides"][1]["key"], "bodies.ball.mass");
  EXPECT_EQ(json["overrides"][1]["value"], "2*3");
  const Report report = ReportOfRun(scene, simulation, result);
  const ReportSection& section = report.sections.front();
  EXPECT_EQ(section.title, "Set from outside");
  using Row = std::vector<std::string>;
  EXPECT_EQ(section.tables.front().rows,
            (std::vector<Row>{{"stepper.duration", "0.002"}, {"bodies.ball.mass", "2*3"}}));

  const Scene derived = ReadScene(FindScene("arm-on-table"), {{"stepper.duration", "1"}});
  ASSERT_EQ(derived.overrides.size(), 1u);
  EXPECT_EQ(derived.overrides[0].first, "stepper.duration");
  const Scene plain = ReadSceneText(kBall, "ball.yaml", {});
  EXPECT_TRUE(plain.overrides.empty());
  EXPECT_NE(ReportOfRun(plain, simulation, result).sections.front().title, "Set from outside");
}

TEST(WriteJson, WhatCannotBeReplacedIsTheUsersFault) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "slipstick_write_json";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "summary.json" / "inside");
  try {
    WriteJson({{"a", 1}}, folder / "summary.json");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().front().file, (folder / "summary.json").string());
  }
  // nothing is left of the attempt
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

// A summary says that all beside it is complete: one that could not be written must not stand there empty.
TEST(WriteJson, AFullDiskLeavesTheSummaryBefore) {
  const testing::Scratch scratch;
  const std::filesystem::path file = scratch / "summary.json";
  WriteJson({{"run", 1}}, file);
  bool told = false;
  {
    const testing::FullDisk full;
    try {
      WriteJson({{"run", 2}}, file);
    } catch (const InputError& error) {
      told = error.faults().front().file == file.string();
    }
  }
  EXPECT_TRUE(told);
  std::ifstream stream(file);
  EXPECT_EQ(nlohmann::json::parse(stream, nullptr, false), (nlohmann::json{{"run", 1}}));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}), 1);
}

}  // namespace
}  // namespace slipstick::internal
