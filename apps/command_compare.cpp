#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/run/compare_runs.h"
#include "slipstick/run/prepare_simulation.h"
#include "slipstick/run/record_run.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/version.h"
#include "slipstick/scene/scene_library.h"
#include "text_table.h"

namespace slipstick {
namespace {

using Json = nlohmann::ordered_json;

// A run to be made: LAW or LAW@STEP.
struct Planned {
  std::string label;
  Scene scene;
};

Planned Plan(const CompareArguments& arguments, const std::string& label) {
  SceneArguments scene = arguments.scene;
  const std::size_t at = label.find('@');
  scene.law = label.substr(0, at);
  if (at != std::string::npos) scene.step = label.substr(at + 1);
  return {label, ReadScene(FindScene(scene.scene), OverridesOf(scene))};
}

}  // namespace

int Compare(const CompareArguments& arguments) {
  std::vector<std::string> labels = arguments.laws;
  const std::string reference = arguments.reference.empty() ? labels.front() : arguments.reference;
  if (std::find(labels.begin(), labels.end(), reference) == labels.end()) labels.insert(labels.begin(), reference);

  // everything is checked before anything runs or is written
  std::vector<Planned> plans;
  std::vector<Simulation> simulations;
  std::vector<Fault> faults;
  for (const std::string& label : labels) {
    try {
      plans.push_back(Plan(arguments, label));
      simulations.push_back(PrepareSimulation(plans.back().scene));
    } catch (const InputError& error) {
      for (Fault fault : error.faults()) {
        fault.key = label + ": " + fault.key;
        faults.push_back(fault);
      }
    }
  }
  if (!faults.empty()) throw InputError(faults);

  // all are sampled at the longest of the steps, so that samples stand at equal times
  double sample_every = plans.front().scene.output.every;
  for (const Simulation& simulation : simulations) sample_every = std::max(sample_every, simulation.settings().step);

  const std::filesystem::path folder =
      arguments.output.empty() ? "out/compare-" + plans.front().scene.name : arguments.output;
  ProgressBar bar(arguments.quiet);
  std::vector<ComparedRun> runs;
  bool passed = true;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::string place = plans[i].label;
    std::replace(place.begin(), place.end(), '@', '-');
    RunRecorder recorder(folder / place, plans[i].scene, simulations[i]);
    RunOptions options;
    options.duration = simulations[i].settings().duration;
    options.sample_every = sample_every;
    options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder.Record(s, t); };
    options.on_progress = [&](const RunProgress& p) {
      bar.Show((static_cast<double>(i) + p.time / p.duration) / static_cast<double>(plans.size()), plans[i].label,
               fmt::format("t = {:.3f} s", p.time));
      return !Interrupted();
    };
    runs.push_back({plans[i].label, RunSimulation(&simulations[i], options), {}});
    recorder.Close();
    passed = passed && runs.back().result.summary.passed();
    WriteJson(SummaryJson(plans[i].scene, simulations[i], runs.back().result.summary), folder / place / "summary.json");
    if (Interrupted()) break;
  }
  bar.Clear();
  if (Interrupted()) return kExitInterrupted;

  MeasureDeviations(reference, &runs);
  WriteReport(ReportOfComparison(plans.front().scene, reference, runs), folder / "report.html");
  Json rows = Json::array();
  std::vector<std::vector<std::string>> table;
  for (const ComparedRun& run : runs) {
    const RunDeviation& d = run.deviation;
    rows.push_back({{"method", run.label},
                    {"position_deviation_metres_max", d.position_max},
                    {"energy_deviation_joule_max", d.energy_max},
                    {"friction_ratio_deviation_rms", d.friction_ratio_rms},
                    {"misalignment_degrees_rms", d.misalignment_rms * 180 / M_PI},
                    {"failed_steps", run.result.summary.failed_steps},
                    {"passed", run.result.summary.passed()},
                    {"seconds", run.result.summary.seconds}});
    table.push_back({run.label, fmt::format("{:.3g}", d.position_max), fmt::format("{:.3g}", d.energy_max),
                     fmt::format("{:.3g}", d.friction_ratio_rms), fmt::format("{:.3g}", d.misalignment_rms * 180 / M_PI),
                     fmt::format("{:.2g}", run.result.summary.seconds), run.result.summary.passed() ? "✓" : "✗"});
  }
  const Json summary = {{"format", "slipstick-compare 1"}, {"version", kVersion},  {"scene", plans.front().scene.name},
                        {"reference", reference},          {"passed", passed}, {"runs", rows}};
  WriteJson(summary, folder / "summary.json");
  if (arguments.json) {
    std::cout << summary.dump(2) << "\n";
  } else {
    fmt::print("{}, deviations from {}\n\n{}", plans.front().scene.title, reference,
               FormatTable({"method", "Δr max [m]", "ΔE max [J]", "Δf rms", "misal. [°]", "took [s]", "passed"}, table));
    fmt::print("report: {}\n", (folder / "report.html").string());
  }
  return passed ? kExitPassed : kExitNotPassed;
}

}  // namespace slipstick
