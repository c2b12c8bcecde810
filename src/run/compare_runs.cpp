#include "slipstick/run/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

constexpr const char* kTime = "time [s]";

double Rms(double square_sum, long count) {
  return count > 0 ? std::sqrt(square_sum / static_cast<double>(count)) : 0.0;
}

}  // namespace

RunDeviation Deviation(const Trajectory& run, const Trajectory& reference) {
  RunDeviation deviation;
  double ratio = 0, angle = 0;
  long samples = 0, slipping = 0;
  for (int k = 0, r = 0; k < run.size(); ++k) {
    if (run.slip_speed[k] > Trajectory::kSlipping) {
      angle += run.misalignment[k] * run.misalignment[k];
      ++slipping;
    }
    const double tolerance = 1e-9 * (1.0 + run.time[k]);
    while (r < reference.size() && reference.time[r] < run.time[k] - tolerance) ++r;
    if (r == reference.size()) break;
    if (reference.time[r] > run.time[k] + tolerance) continue;
    double distance = 0;
    for (std::size_t b = 0; b < run.position.size(); ++b) {
      distance = std::max(distance, (run.position[b][k] - reference.position[b][r]).norm());
    }
    const double energy = run.total[k] - reference.total[r];
    deviation.time.push_back(run.time[k]);
    deviation.position.push_back(distance);
    deviation.energy.push_back(energy);
    deviation.position_max = std::max(deviation.position_max, distance);
    deviation.energy_max = std::max(deviation.energy_max, std::abs(energy));
    const double d = run.friction_ratio[k] - reference.friction_ratio[r];
    ratio += d * d;
    ++samples;
  }
  deviation.friction_ratio_rms = Rms(ratio, samples);
  deviation.misalignment_rms = Rms(angle, slipping);
  return deviation;
}

void MeasureDeviations(const std::string& reference, std::vector<ComparedRun>* runs) {
  const auto at =
      std::find_if(runs->begin(), runs->end(), [&](const ComparedRun& run) { return run.label == reference; });
  SLIPSTICK_CHECK(at != runs->end(), "the reference is one of the runs");
  for (ComparedRun& run : *runs) run.deviation = Deviation(run.result.trajectory, at->result.trajectory);
}

Report ReportOfComparison(const Scene& scene, const std::string& reference, const std::vector<ComparedRun>& runs) {
  Report report;
  report.title = (scene.title.empty() ? scene.name : scene.title) + ": laws compared";
  report.subtitle = scene.source;
  report.passed = true;
  long failed = 0;
  for (const ComparedRun& run : runs) {
    failed += run.result.summary.failed_steps;
    report.passed = report.passed && run.result.summary.passed();
  }
  report.verdict = report.passed ? "Every step of every run passed its certificate."
                                 : fmt::format("{} steps failed their certificate.", failed);
  report.facts = {{"scene", scene.name}, {"reference", reference}};

  ReportTable table{"Deviations from " + reference,
                    "",
                    {"method", "position, max [m]", "energy, max [J]", "friction ratio, rms", "misalignment, rms [°]",
                     "residual of the law, worst [m/s]", "took [s]", "certificate"},
                    {}};
  for (const ComparedRun& run : runs) {
    const RunDeviation& d = run.deviation;
    table.rows.push_back({run.label, fmt::format("{:.3g}", d.position_max), fmt::format("{:.3g}", d.energy_max),
                          fmt::format("{:.3g}", d.friction_ratio_rms),
                          fmt::format("{:.3g}", d.misalignment_rms * 180 / std::numbers::pi),
                          fmt::format("{:.2g}", run.result.summary.law_residual.worst),
                          fmt::format("{:.2g}", run.result.summary.seconds),
                          run.result.summary.passed() ? "✓ passed" : "✗ failed"});
  }
  ReportSection overview{"Overview", "", {}, {table}};

  // runs may end early, so every curve is cut to the shortest
  std::size_t samples = runs.front().deviation.time.size(), all = runs.front().result.trajectory.time.size();
  for (const ComparedRun& run : runs) {
    samples = std::min(samples, run.deviation.time.size());
    all = std::min(all, run.result.trajectory.time.size());
  }
  const auto cut = [](std::vector<double> values, std::size_t n) {
    values.resize(std::min(values.size(), n));
    return values;
  };
  ReportPlot position{"Position", "Largest distance of a body from where the reference has it.", kTime, "|Δr| [m]",
                      cut(runs.front().deviation.time, samples), {}};
  ReportPlot energy{"Energy", "Mechanical energy against the reference's.", kTime, "ΔE [J]",
                    cut(runs.front().deviation.time, samples), {}};
  ReportPlot ratio{"Use of friction", "Σ|λT| / Σμλ_N.", kTime, "ratio", cut(runs.front().result.trajectory.time, all), {}};
  ReportPlot angle{"Misalignment", "Angle between friction and the direction against sliding.", kTime, "angle [°]",
                   cut(runs.front().result.trajectory.time, all), {}};
  for (const ComparedRun& run : runs) {
    ratio.series.push_back({run.label, cut(run.result.trajectory.friction_ratio, all)});
    std::vector<double> degrees = cut(run.result.trajectory.misalignment, all);
    for (double& value : degrees) value *= 180 / std::numbers::pi;
    angle.series.push_back({run.label, degrees});
    if (run.label == reference) continue;
    position.series.push_back({run.label, cut(run.deviation.position, samples)});
    energy.series.push_back({run.label, cut(run.deviation.energy, samples)});
  }
  ReportSection curves{"Curves", "", {ratio, angle}, {}};
  if (!position.series.empty()) curves.plots.insert(curves.plots.end(), {position, energy});
  report.sections = {overview, curves};
  return report;
}

}  // namespace slipstick
