#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "slipstick/experiment/wheel_metrics.h"
#include "slipstick/study/compare_runs.h"

namespace slipstick::internal {
namespace {

// One body along x: x = speed·t, the energy a tenth of x, friction ratio as given.
Trajectory Line(double step, int samples, double speed, double ratio) {
  Trajectory t;
  t.bodies = {"body"};
  t.position.resize(1);
  for (int k = 0; k < samples; ++k) {
    t.time.push_back(k * step);
    t.position[0].emplace_back(speed * k * step, 0, 0);
    t.total.push_back(0.1 * speed * k * step);
    t.friction_ratio.push_back(ratio);
    t.slip_speed.push_back(1);
    t.misalignment.push_back(0.2);
  }
  return t;
}

Comparison Two(const Trajectory& one, const Trajectory& other) {
  Comparison comparison;
  comparison.reference = "one";
  comparison.runs.resize(2);
  comparison.runs[0].label = "one";
  comparison.runs[0].result.trajectory = one;
  comparison.runs[1].label = "other";
  comparison.runs[1].result.trajectory = other;
  return comparison;
}

TEST(CommonSampling, LongestStepOrTheScenes) {
  EXPECT_EQ(CommonSampling(0, {{"a", 1e-3}, {"b", 5e-4}}), 1e-3);
  EXPECT_EQ(CommonSampling(0.01, {{"a", 1e-3}, {"b", 5e-4}}), 0.01);
  EXPECT_EQ(CommonSampling(1e-3, {{"a", 2e-3}, {"b", 1e-3}}), 2e-3);
}

TEST(CommonSampling, StepsThatDoNotFitAreFaults) {
  try {
    CommonSampling(0, {{"coulomb", 1e-3}, {"box@0.00061", 6.1e-4}, {"liang", 5e-4}, {"box@0.0003", 3e-4}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    ASSERT_EQ(error.faults().size(), 2u);
    EXPECT_EQ(error.faults()[0].key, "box@0.00061: stepper.step");
    EXPECT_NE(error.faults()[0].expected.find("0.0005 or 0.001 s"), std::string::npos) << error.what();
    EXPECT_EQ(error.faults()[1].key, "box@0.0003: stepper.step");
  }
}

TEST(Deviation, IsMeasuredAtEqualTimes) {
  const RunDeviation d = Deviation(Line(0.2, 6, 1.5, 0.9), Line(0.1, 11, 1.0, 0.5));
  ASSERT_EQ(d.time.size(), 6u);
  EXPECT_NEAR(d.position_max, 0.5, 1e-12);
  EXPECT_NEAR(d.energy_max, 0.05, 1e-12);
  EXPECT_NEAR(d.friction_ratio_rms, 0.4, 1e-12);
  EXPECT_NEAR(d.misalignment_rms, 0.2, 1e-12);
}

TEST(ComparisonReport, EachCurveStandsAtItsOwnTimes) {
  // one ended early; the other is sampled half as often
  Comparison comparison = Two(Line(0.1, 5, 1, 0.5), Line(0.2, 6, 2, 0.25));
  MeasureDeviations(&comparison);
  const Report report = ReportOfComparison(Scene(), comparison);
  int curves = 0;
  for (const ReportPlot& plot : report.sections.back().plots) {
    ASSERT_EQ(plot.x, comparison.runs[1].result.trajectory.time);
    for (const ReportSeries& series : plot.series) {
      ASSERT_EQ(series.y.size(), plot.x.size());
      ++curves;
    }
    if (plot.title != "Position") continue;
    // |Δr| = t where both have samples, a gap after the end of the reference
    const std::vector<double>& y = plot.series.front().y;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(y[k], plot.x[k], 1e-12);
    for (int k = 3; k < 6; ++k) EXPECT_TRUE(std::isnan(y[k]));
  }
  EXPECT_EQ(curves, 6);
}

TEST(ComparisonJson, WithoutItsReferenceADeviationIsNull) {
  Comparison comparison = Two(Line(0.1, 5, 1, 0.5), Line(0.1, 5, 2, 0.25));
  comparison.reference = "third";
  comparison.interrupted = true;
  MeasureDeviations(&comparison);
  const auto json = ComparisonJson(Scene(), comparison);
  EXPECT_TRUE(json["stopped_early"].get<bool>());
  EXPECT_FALSE(json["passed"].get<bool>());
  EXPECT_TRUE(json["runs"][0]["position_deviation_metres_max"].is_null());
  EXPECT_FALSE(ReportOfComparison(Scene(), comparison).passed);
}

TEST(WheelMetrics, AReferenceThatEndedEarlyIsTold) {
  const Trajectory run = Line(0.1, 11, 1.5, 0.9), reference = Line(0.1, 6, 1, 0.5);
  const WheelCurves curves = CompareWheel(run, reference);
  EXPECT_EQ(curves.time.size(), 5u);
  EXPECT_NEAR(MeasureWheel(run, curves).force_deviation, 0.4, 1e-12);
  EXPECT_NE(Shortfall("run", run, curves), "");
  EXPECT_EQ(Shortfall("run", run, CompareWheel(run, run)), "");
  EXPECT_EQ(Shortfall("reference", reference, CompareWheel(reference, run)), "");
}

// A key that was given twice stands once, with the value that holds; a run without it has a dash.
TEST(Comparison, TellsWhatWasSetFromOutside) {
  Comparison comparison = Two(Line(0.1, 2, 1, 0.5), Line(0.1, 2, 1, 0.5));
  comparison.runs[0].overrides = {{"law.name", "box"}, {"bodies.a.mass", "1"}, {"bodies.a.mass", "2"}};
  comparison.runs[1].overrides = {{"law.name", "liang"}, {"stepper.step", "0.01"}};
  const Report report = ReportOfComparison(Scene(), comparison);
  const ReportTable& table = report.sections.front().tables.back();
  using Row = std::vector<std::string>;
  EXPECT_EQ(table.columns, (Row{"key", "one", "other"}));
  EXPECT_EQ(table.rows, (std::vector<Row>{
                            {"law.name", "box", "liang"}, {"bodies.a.mass", "2", "–"}, {"stepper.step", "–", "0.01"}}));
  const auto json = ComparisonJson(Scene(), comparison);
  EXPECT_EQ(json["runs"][1]["overrides"][1]["key"], "stepper.step");
  EXPECT_EQ(json["runs"][0]["overrides"].size(), 3u);
  comparison.runs[0].overrides.clear();
  comparison.runs[1].overrides.clear();
  EXPECT_EQ(ReportOfComparison(Scene(), comparison).sections.front().tables.size(), 1u);
}

}  // namespace
}  // namespace slipstick::internal
