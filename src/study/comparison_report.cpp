#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "slipstick/base/check.h"
#include "slipstick/run/sampling.h"
#include "slipstick/study/compare_runs.h"

namespace slipstick::internal {
namespace {

constexpr const char* kTime = "time [s]";
constexpr double kDegrees = 180 / std::numbers::pi;

std::string VerdictOf(const Comparison& comparison) {
  if (comparison.passed()) return "Every step of every run passed its certificate.";
  long failed = 0, early = 0;
  for (const ComparedRun& run : comparison.runs) {
    failed += run.result.summary.failed_steps;
    early += run.result.summary.stopped ? 1 : 0;
  }
  std::string verdict = fmt::format("{} steps failed their certificate.", failed);
  if (early > 0) verdict += fmt::format(" Runs that ended early: {}.", early);
  if (comparison.interrupted) verdict += " Interrupted before all runs were made.";
  return verdict;
}

ReportTable DeviationTable(const Comparison& comparison) {
  ReportTable table{"Deviations from " + comparison.reference,
                    "",
                    {"method", "position, max [m]", "energy, max [J]", "friction ratio, rms", "misalignment, rms [°]",
                     "residual of the law, worst [m/s]", "took [s]", "certificate"},
                    {}};
  for (const ComparedRun& run : comparison.runs) {
    const RunSummary& summary = run.result.summary;
    std::vector<std::string> row = {run.label, "–", "–", "–", "–"};
    if (run.deviation) {
      row = {run.label, fmt::format("{:.3g}", run.deviation->position_max),
             fmt::format("{:.3g}", run.deviation->energy_max), fmt::format("{:.3g}", run.deviation->friction_ratio_rms),
             fmt::format("{:.3g}", run.deviation->misalignment_rms * kDegrees)};
    }
    row.push_back(fmt::format("{:.2g}", summary.law_residual.worst));
    row.push_back(fmt::format("{:.2g}", summary.seconds));
    row.push_back(summary.passed() ? "✓ passed" : summary.stopped ? "✗ ended early" : "✗ failed");
    table.rows.push_back(row);
  }
  return table;
}

// A column for each run, so that what they have in common and where they differ is seen at once. Of a key that was
// given twice the last value holds.
ReportTable OverridesTable(const Comparison& comparison) {
  ReportTable table{"Set from outside", "What differs from the file of the scene.", {"key"}, {}};
  for (const ComparedRun& run : comparison.runs) {
    table.columns.push_back(run.label);
    for (const auto& [key, value] : run.overrides) {
      const auto is_it = [&key = key](const auto& row) { return row.front() == key; };
      if (std::none_of(table.rows.begin(), table.rows.end(), is_it)) table.rows.push_back({key});
    }
  }
  for (std::vector<std::string>& row : table.rows) {
    for (const ComparedRun& run : comparison.runs) {
      std::string found = "–";
      for (const auto& [key, value] : run.overrides) {
        if (key == row.front()) found = value;
      }
      row.push_back(found);
    }
  }
  return table;
}

ReportSection Curves(const Comparison& comparison) {
  // runs may end early, so the longest gives the times, and the others have gaps
  const auto longest =
      std::max_element(comparison.runs.begin(), comparison.runs.end(), [](const ComparedRun& a, const ComparedRun& b) {
        return a.result.trajectory.size() < b.result.trajectory.size();
      });
  const std::vector<double>& axis = longest->result.trajectory.time;
  ReportPlot ratio{"Use of friction", "Σ|λT| / Σμλ_N.", kTime, "ratio", axis, {}};
  ReportPlot angle{
      "Misalignment", "Angle between friction and the direction against sliding.", kTime, "angle [°]", axis, {}};
  ReportPlot position{
      "Position", "Largest distance of a body from where the reference has it.", kTime, "|Δr| [m]", axis, {}};
  ReportPlot energy{"Energy", "Mechanical energy against the reference's.", kTime, "ΔE [J]", axis, {}};
  for (const ComparedRun& run : comparison.runs) {
    const Trajectory& t = run.result.trajectory;
    ratio.series.push_back({run.label, ValuesAt(axis, t.time, t.friction_ratio)});
    std::vector<double> degrees = ValuesAt(axis, t.time, t.misalignment);
    for (double& value : degrees) value *= kDegrees;
    angle.series.push_back({run.label, degrees});
    if (!run.deviation || run.label == comparison.reference) continue;
    position.series.push_back({run.label, ValuesAt(axis, run.deviation->time, run.deviation->position)});
    energy.series.push_back({run.label, ValuesAt(axis, run.deviation->time, run.deviation->energy)});
  }
  ReportSection section{"Curves", "", {ratio, angle}, {}};
  if (!position.series.empty()) section.plots.insert(section.plots.end(), {position, energy});
  return section;
}

}  // namespace

Report ReportOfComparison(const Scene& scene, const Comparison& comparison) {
  SLIPSTICK_CHECK(!comparison.runs.empty(), "a comparison of at least one run");
  Report report;
  report.title = (scene.title.empty() ? scene.name : scene.title) + ": laws compared";
  report.subtitle = scene.source;
  report.passed = comparison.passed();
  report.verdict = VerdictOf(comparison);
  report.facts = {{"scene", scene.name}, {"reference", comparison.reference}};
  report.sections = {{"Overview", "", {}, {DeviationTable(comparison)}}, Curves(comparison)};
  if (ReportTable overrides = OverridesTable(comparison); !overrides.rows.empty()) {
    report.sections.front().tables.push_back(std::move(overrides));
  }
  return report;
}

}  // namespace slipstick::internal
