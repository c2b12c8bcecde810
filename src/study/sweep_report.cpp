#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "slipstick/base/time_function.h"
#include "slipstick/run/run_report.h"
#include "slipstick/run/version.h"
#include "slipstick/study/sweep.h"
#include "slipstick/study/sweep_curves.h"

namespace slipstick::internal {
namespace {

std::string VerdictOf(const Sweep& sweep) {
  const auto count = [&](auto condition) { return std::count_if(sweep.runs.begin(), sweep.runs.end(), condition); };
  const auto passed = count([](const SweepRun& run) { return run.outcome && run.outcome->passed; });
  if (sweep.passed()) return fmt::format("Every step of all {} runs passed its certificate.", sweep.runs.size());
  const auto finished = count([](const SweepRun& run) { return run.outcome.has_value(); });
  std::string verdict = fmt::format("{} of {} runs passed their certificate.", passed, sweep.runs.size());
  if (finished < static_cast<std::ptrdiff_t>(sweep.runs.size()))
    verdict += fmt::format(" {} were not made to their end.", sweep.runs.size() - finished);
  return verdict;
}

// The values of an axis as numbers; empty where one is none.
std::vector<double> NumbersOf(const SweepAxis& axis) {
  std::vector<double> numbers;
  for (const std::string& value : axis.values) {
    std::string problem;
    const auto formula = TimeFunction::Parse(value, &problem);
    if (!formula || !formula->is_constant() || !std::isfinite((*formula)(0))) return {};
    numbers.push_back((*formula)(0));
  }
  return numbers;
}

// The first axis of at least two numbers, if any.
std::optional<std::size_t> AxisToPlot(const Sweep& sweep) {
  for (std::size_t a = 0; a < sweep.axes.size(); ++a)
    if (sweep.axes[a].values.size() > 1 && !NumbersOf(sweep.axes[a]).empty()) return a;
  return std::nullopt;
}

ReportPlot QuantityPlot(const Sweep& sweep, std::size_t quantity, std::size_t axis) {
  const std::vector<double> numbers = NumbersOf(sweep.axes[axis]);
  std::vector<double> x = numbers;
  std::sort(x.begin(), x.end());
  const std::string name = HeadingOf(sweep.quantities[quantity]);
  ReportPlot plot{name, "", HeadingOf(sweep.axes[axis]), name, x, {}};
  std::map<std::string, std::size_t> series_of;
  for (const SweepRun& run : sweep.runs) {
    const std::string label = ChoiceOf(sweep, run, axis);
    const auto [entry, is_new] = series_of.try_emplace(label, plot.series.size());
    if (is_new)
      plot.series.push_back(
          {label.empty() ? name : label, std::vector<double>(x.size(), std::numeric_limits<double>::quiet_NaN())});
    const auto place = std::lower_bound(x.begin(), x.end(), numbers[run.choice[axis]]) - x.begin();
    if (run.outcome && run.outcome->quantities[quantity])
      plot.series[entry->second].y[place] = *run.outcome->quantities[quantity];
  }
  return plot;
}

ReportTable RunTable(const Sweep& sweep) {
  ReportTable table{"Runs", "Each in the folder named last.", {}, {}};
  for (const SweepAxis& axis : sweep.axes) table.columns.push_back(HeadingOf(axis));
  for (const std::string& quantity : sweep.quantities) table.columns.push_back(HeadingOf(quantity));
  for (const char* column : {"took [s]", "certificate", "folder"}) table.columns.emplace_back(column);
  for (const SweepRun& run : sweep.runs) {
    std::vector<std::string> row;
    for (std::size_t a = 0; a < sweep.axes.size(); ++a) row.push_back(sweep.axes[a].values[run.choice[a]]);
    for (std::size_t q = 0; q < sweep.quantities.size(); ++q)
      row.push_back(run.outcome && run.outcome->quantities[q] ? fmt::format("{:.4g}", *run.outcome->quantities[q])
                                                              : "–");
    row.push_back(run.outcome ? fmt::format("{:.3g}", run.outcome->seconds) : "–");
    row.push_back(!run.outcome          ? "✗ not finished"
                  : run.outcome->passed ? "✓ passed"
                                        : fmt::format("✗ {} steps failed", run.outcome->failed_steps));
    row.push_back(run.folder);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string ChoiceOf(const Sweep& sweep, const SweepRun& run, std::optional<std::size_t> except) {
  std::string label;
  for (std::size_t a = 0; a < sweep.axes.size(); ++a)
    if (a != except)
      label += fmt::format("{}{} {}", label.empty() ? "" : ", ", HeadingOf(sweep.axes[a]),
                           sweep.axes[a].values[run.choice[a]]);
  return label;
}

Report ReportOfSweep(const Sweep& sweep, const std::filesystem::path& folder) {
  Report report;
  report.title = sweep.title;
  report.subtitle = fmt::format("{} runs", sweep.runs.size());
  report.verdict = VerdictOf(sweep);
  report.passed = sweep.passed();
  report.facts.emplace_back("scene", sweep.scene_name);
  for (const SweepAxis& axis : sweep.axes) {
    std::string keys, values;
    for (const std::string& key : axis.keys) keys += (keys.empty() ? "" : " = ") + key;
    for (const std::string& value : axis.values) values += (values.empty() ? "" : ", ") + value;
    report.facts.emplace_back(keys, values);
  }
  report.facts.emplace_back("slipstick", kVersion);
  ReportSection section{"Results", "", {}, {}};
  const std::optional<std::size_t> axis = AxisToPlot(sweep);
  if (axis)
    for (std::size_t q = 0; q < sweep.quantities.size(); ++q) section.plots.push_back(QuantityPlot(sweep, q, *axis));
  section.tables.push_back(RunTable(sweep));
  report.sections.push_back(std::move(section));
  if (!sweep.overrides.empty()) report.sections.push_back(OverridesSection(sweep.overrides));
  AddCurves(sweep, folder, axis, &report);
  return report;
}

}  // namespace slipstick::internal
