#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "slipstick/base/fault.h"
#include "slipstick/benchmark/benchmark_table.h"

namespace slipstick::internal {
namespace {

BenchmarkRow RowOf(const std::string& benchmark, double milliseconds) {
  BenchmarkRow row;
  row.benchmark = benchmark;
  row.engine = "slipstick, cone";
  row.settled_milliseconds = milliseconds;
  return row;
}

// Ten steps of which every one takes longer than the one before.
MeasuredSteps TenSteps(int* taken) {
  MeasuredSteps steps;
  steps.step = 0.1;
  steps.duration = 1;
  steps.settled_steps = 4;
  steps.take = [taken] {
    volatile double sum = 0;
    for (int k = 0; k < 20000 * (*taken + 1); ++k) sum = sum + k;
    return ++*taken;
  };
  steps.judge = [](bool, BenchmarkRow*) { return true; };
  return steps;
}

TEST(BenchmarkTest, SettledFiguresAreOfTheLastSteps) {
  int taken = 0, settled = 0;
  MeasuredSteps steps = TenSteps(&taken);
  steps.judge = [&](bool is_settled, BenchmarkRow*) {
    settled += is_settled;
    return true;
  };
  BenchmarkRow row;
  MeasureSteps(steps, {}, &row);
  EXPECT_EQ(taken, 10);
  EXPECT_EQ(settled, 4);
  EXPECT_TRUE(row.is_complete());
  EXPECT_EQ(row.contacts, (7 + 8 + 9 + 10) / 4.0);
  EXPECT_GT(row.settled_milliseconds, 0);
  EXPECT_GE(row.worst_milliseconds, row.settled_milliseconds);
}

TEST(BenchmarkTest, ARunThatIsCutShortHasNoSettledStep) {
  int taken = 0;
  BenchmarkRow limited, broken, interrupted;
  BenchmarkOptions options;
  options.time_limit = 1e-9;
  MeasureSteps(TenSteps(&taken), options, &limited);
  EXPECT_EQ(limited.steps, 1);
  EXPECT_NE(limited.note.find("used up"), std::string::npos);
  EXPECT_TRUE(std::isnan(limited.settled_milliseconds));

  taken = 0;
  MeasuredSteps steps = TenSteps(&taken);
  steps.judge = [&](bool, BenchmarkRow*) { return taken < 3; };
  MeasureSteps(steps, {}, &broken);
  EXPECT_EQ(broken.steps, 3);
  EXPECT_NE(broken.note.find("not finite"), std::string::npos);

  taken = 0;
  options = {};
  options.on_progress = [](double fraction) { return fraction < 0.5; };
  MeasureSteps(TenSteps(&taken), options, &interrupted);
  EXPECT_EQ(interrupted.steps, 5);
}

TEST(BenchmarkTest, RowsSurviveJson) {
  BenchmarkRow row = RowOf("heap", 2.5);
  row.step = 0.005;
  row.steps = 600;
  row.steps_planned = 601;
  row.worst_milliseconds = 7;
  row.penetration = 0.25;
  row.centre = Vec3(1, 2, 3);
  row.note = "interrupted";
  const BenchmarkRow read = BenchmarkRowFrom(nlohmann::ordered_json::parse(BenchmarkRowJson(row).dump()));
  EXPECT_EQ(BenchmarkRowJson(read), BenchmarkRowJson(row));
  EXPECT_TRUE(std::isnan(read.residual));
  EXPECT_EQ(read.centre, row.centre);
  EXPECT_FALSE(read.is_complete());
}

TEST(BenchmarkTest, GrowthIsTheExponentOfBodies) {
  const auto power = [](double bodies, double exponent) { return 1e-3 * std::pow(bodies, exponent); };
  const std::vector<std::vector<std::string>> cells =
      GrowthCells({RowOf("heap-100-settled", power(100, 1)), RowOf("heap-settled", power(225, 1.25)),
                   RowOf("heap-1000-settled", power(1000, 1.25))});
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].front(), "slipstick, cone");
  EXPECT_EQ(cells[0].back(), "1.25");
  EXPECT_TRUE(GrowthCells({RowOf("heap-settled", 1)}).empty());
}

TEST(BenchmarkTest, RatiosAreToTheFastestOfAScene) {
  BenchmarkRow failed = RowOf("stack", BenchmarkRow::kUnknown);
  failed.note = "interrupted";
  const auto cells = BenchmarkCells({RowOf("stack", 3), RowOf("stack", 2), RowOf("pile", 50), failed});
  EXPECT_EQ(cells[0][5], "1.50");
  EXPECT_EQ(cells[1][5], "1.00");
  EXPECT_EQ(cells[2][5], "1.00");
  EXPECT_EQ(cells[3][4], "interrupted");
  EXPECT_EQ(cells[3][5], "–");
  for (const auto& row : cells) EXPECT_EQ(row.size(), BenchmarkColumns().size());
}

TEST(BenchmarkTest, NamesAreChecked) {
  EXPECT_EQ(ChooseBenchmarks({}).size(), BenchmarkCatalog().size());
  EXPECT_EQ(ChooseBenchmarks({"stack", "heap"})[1].name, "heap");
  EXPECT_THROW(ChooseBenchmarks({"stack", "stack"}), InputError);
  EXPECT_THROW(ChooseBenchmarks({"stck"}), InputError);
  std::set<std::string> names;
  for (const Benchmark& benchmark : BenchmarkCatalog()) EXPECT_TRUE(names.insert(benchmark.name).second);
}

}  // namespace
}  // namespace slipstick::internal
