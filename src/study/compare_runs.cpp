#include "slipstick/study/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/run/version.h"

namespace slipstick::internal {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

double Rms(double square_sum, long count) {
  return count > 0 ? std::sqrt(square_sum / static_cast<double>(count)) : 0.0;
}

// Root mean square where the run slips.
double Misalignment(const Trajectory& run) {
  double sum = 0;
  long slipping = 0;
  for (int k = 0; k < run.size(); ++k) {
    if (!(run.slip_speed[k] > Trajectory::kSlipping)) continue;
    sum += run.misalignment[k] * run.misalignment[k];
    ++slipping;
  }
  return Rms(sum, slipping);
}

}  // namespace

bool Comparison::stopped_early() const {
  return interrupted ||
         std::any_of(runs.begin(), runs.end(), [](const ComparedRun& r) { return r.result.summary.stopped; });
}

bool Comparison::passed() const {
  return !interrupted &&
         std::all_of(runs.begin(), runs.end(), [](const ComparedRun& r) { return r.result.summary.passed(); });
}

double CommonSampling(double every, const std::vector<std::pair<std::string, double>>& steps_of_methods) {
  for (const auto& [method, step] : steps_of_methods) every = std::max(every, step);
  std::vector<Fault> faults;
  for (const auto& [method, step] : steps_of_methods) {
    if (SampleStride(every, step)) continue;
    const double below = std::floor(every / step);
    faults.push_back(
        {"", 0, method + ": stepper.step",
         fmt::format("a whole part of the {:g} s between samples (output.every or the longest step), such as "
                     "{:.9g} or {:.9g} s",
                     every, every / (below + 1), every / below),
         fmt::format("{:g} s", step)});
  }
  if (!faults.empty()) throw InputError(faults);
  return every;
}

RunDeviation Deviation(const Trajectory& run, const Trajectory& reference) {
  RunDeviation deviation;
  double ratio = 0;
  for (const auto& [k, r] : MatchTimes(run.time, reference.time)) {
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
  }
  deviation.friction_ratio_rms = Rms(ratio, static_cast<long>(deviation.time.size()));
  deviation.misalignment_rms = Misalignment(run);
  return deviation;
}

void MeasureDeviations(Comparison* comparison) {
  std::vector<ComparedRun>& runs = comparison->runs;
  const auto reference = std::find_if(runs.begin(), runs.end(),
                                      [&](const ComparedRun& run) { return run.label == comparison->reference; });
  if (reference == runs.end()) return;
  for (ComparedRun& run : runs) run.deviation = Deviation(run.result.trajectory, reference->result.trajectory);
}

nlohmann::ordered_json ComparisonJson(const Scene& scene, const Comparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const ComparedRun& run : comparison.runs) {
    const auto deviation = [&](auto figure) { return run.deviation ? Json(figure(*run.deviation)) : Json(); };
    const RunSummary& summary = run.result.summary;
    rows.push_back(
        {{"method", run.label},
         {"overrides", OverridesJson(run.overrides)},
         {"position_deviation_metres_max", deviation([](const RunDeviation& d) { return d.position_max; })},
         {"energy_deviation_joule_max", deviation([](const RunDeviation& d) { return d.energy_max; })},
         {"friction_ratio_deviation_rms", deviation([](const RunDeviation& d) { return d.friction_ratio_rms; })},
         {"misalignment_degrees_rms", kDegrees * Misalignment(run.result.trajectory)},
         {"failed_steps", summary.failed_steps},
         {"stopped_early", summary.stopped},
         {"passed", summary.passed()},
         {"seconds", summary.seconds}});
  }
  return {{"format", "slipstick-compare 1"},
          {"version", kVersion},
          {"scene", scene.name},
          {"reference", comparison.reference},
          {"passed", comparison.passed()},
          {"stopped_early", comparison.stopped_early()},
          {"runs", rows}};
}

}  // namespace slipstick::internal
