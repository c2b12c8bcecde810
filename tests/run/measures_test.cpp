#include "slipstick/measure/measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "slipstick/run/run_summary_json.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

// A bed of one layer on a table of height 1, a body far away, and three that wait.
constexpr const char* kBed = R"(
format: slipstick-scene 1
bodies: [{name: far, mass: 1, position: [3, 0, 9], inertia: [1, 1, 1]}]
groups:
  - {name: low, template: {density: 1, shapes: [{type: sphere, radius: 0.05}]}, lattice: {counts: [21, 21, 1], spacing: 0.1, origin: [-1, -1, 1.05]}}
  - {name: late, template: {density: 1, shapes: [{type: sphere, radius: 0.05}]}, pour: {count: 3, rate: 1, start: 1, region: {center: [0, 0, 5], size: [1, 1, 1]}}}
measures:
  - {name: bed, type: angle-of-repose, group: low, floor: 1, axis: [0, 0], reach: 1}
  - {name: lost, type: outside, center: [0, 0, 1], size: [2.01, 2.01, 1]}
  - {name: strays, type: outside, group: low, center: [0, 0, 1], size: [1.81, 2.01, 1]}
)";

double ValueOf(const std::vector<MeasureResult>& results, const std::string& measure, const std::string& quantity) {
  for (const MeasureResult& result : results)
    for (const auto& [name, value] : result.values)
      if (result.name == measure && name == quantity) return value;
  return std::nan("");
}

TEST(Measures, AreTakenOfTheirGroupAndOfWhatTakesPart) {
  const Scene scene = ReadSceneText(kBed, "bed.yaml");
  const Simulation simulation = Simulation(scene);
  const auto results = TakeMeasures(scene, simulation);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(ValueOf(results, "bed", "bodies"), 441);
  EXPECT_NEAR(ValueOf(results, "bed", "angle_degrees"), 0, 0.5);
  EXPECT_NEAR(ValueOf(results, "bed", "radius_metres"), 1, 0.1);
  EXPECT_NEAR(ValueOf(results, "bed", "height_metres"), 0.1, 0.01);
  EXPECT_EQ(ValueOf(results, "lost", "outside"), 1);  // `far`; those that wait do not count
  EXPECT_EQ(ValueOf(results, "lost", "bodies"), 442);
  EXPECT_EQ(ValueOf(results, "strays", "outside"), 42);

  const auto summary = SummaryJson(scene, simulation, {});
  EXPECT_EQ(summary["measures"]["lost"]["outside"], 1);
  EXPECT_EQ(summary["body_count"], 445);
  EXPECT_TRUE(summary["bodies"].empty());  // too many
  const ReportSection section = MeasureSection(results);
  EXPECT_EQ(section.plots.size(), 1u);
  EXPECT_EQ(section.tables.at(0).rows.size(), 9u);
}

TEST(Measures, NamedBodiesOfManyStandInTheSummary) {
  const Scene scene = ReadSceneText(kBed, "bed.yaml", {{"output.bodies", "[low-7, far]"}});
  const auto summary = SummaryJson(scene, Simulation(scene), {});
  EXPECT_EQ(summary["bodies"].size(), 2u);
  EXPECT_TRUE(summary["bodies"].contains("low-7"));
}

TEST(Measures, Faults) {
  const auto refused = [](const std::vector<Override>& overrides) {
    try {
      ReadSceneText(kBed, "bed.yaml", overrides);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused({{"measures.bed.group", "hogh"}}).find("low"), std::string::npos);
  EXPECT_NE(refused({{"measures.bed.size", "[1, 1, 1]"}}).find("measures.bed.size"), std::string::npos);
  EXPECT_NE(refused({{"measures.lost.size", "[1, 0, 1]"}}).find("above 0"), std::string::npos);
  EXPECT_NE(refused({{"measures.bed.type", "angle"}}).find("angle-of-repose"), std::string::npos);
  EXPECT_EQ(refused({}), "");
}

}  // namespace
}  // namespace slipstick::internal
