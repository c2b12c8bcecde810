#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/run/record_run.h"
#include "slipstick/run/run_report.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/stepper_catalog.h"
#include "slipstick/study/compare_runs.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

// A run to be made.
struct Planned {
  std::string label;  // LAW, LAW@STEP or LAW@STEPPER
  Scene scene;
  Simulation simulation;
};

// Name of the folder of a run; a step may be a formula, as in 1/2000.
std::string PlaceOf(std::string label) {
  for (char& c : label) {
    if (c == '@' || c == '/') c = '-';
  }
  return label;
}

// All methods, the reference among them.
std::vector<std::string> LabelsOf(const CompareArguments& arguments, const std::string& reference) {
  std::vector<std::string> labels = arguments.laws;
  if (std::find(labels.begin(), labels.end(), reference) == labels.end()) labels.insert(labels.begin(), reference);
  std::vector<Fault> faults;
  std::vector<std::string> places;
  for (const std::string& label : labels) {
    if (label.empty() || label.front() == '@' || label.back() == '@') {
      const bool of_law = std::find(arguments.laws.begin(), arguments.laws.end(), label) != arguments.laws.end();
      faults.push_back({"", 0, of_law ? "--laws" : "--reference",
                        "LAW, LAW@STEP or LAW@STEPPER, such as box or coulomb@0.001", fmt::format("'{}'", label)});
    } else if (std::find(places.begin(), places.end(), PlaceOf(label)) != places.end()) {
      faults.push_back({"", 0, "--laws", "each method once", fmt::format("'{}' again", label)});
    }
    places.push_back(PlaceOf(label));
  }
  if (!faults.empty()) throw InputError(faults);
  return labels;
}

Planned Plan(const CompareArguments& arguments, const std::string& label) {
  SceneArguments given = arguments.scene;
  const std::size_t at = label.find('@');
  given.law = label.substr(0, at);
  if (at != std::string::npos) {
    const std::string after = label.substr(at + 1);
    const auto is_it = [&](const StepperEntry& stepper) { return stepper.name == after; };
    const bool is_stepper = std::any_of(StepperCatalog().begin(), StepperCatalog().end(), is_it);
    (is_stepper ? given.stepper : given.step) = after;
  }
  const Scene scene = ReadScene(FindScene(given.scene), OverridesOf(given));
  return {label, scene, Simulation(scene)};
}

std::vector<Planned> PlanAll(const CompareArguments& arguments, const std::vector<std::string>& labels) {
  std::vector<Planned> plans;
  std::vector<Fault> faults;
  for (const std::string& label : labels) {
    try {
      plans.push_back(Plan(arguments, label));
    } catch (const InputError& error) {
      for (Fault fault : error.faults()) {
        fault.key = label + ": " + fault.key;
        faults.push_back(fault);
      }
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return plans;
}

// All are sampled at equal times.
double SamplingOf(const std::vector<Planned>& plans) {
  std::vector<std::pair<std::string, double>> steps;
  steps.reserve(plans.size());
  for (const Planned& plan : plans) steps.emplace_back(plan.label, plan.simulation.step());
  const Planned& first = plans.front();
  return CommonSampling(SampleInterval(first.scene, first.simulation.step()), steps);
}

ComparedRun RunOne(Planned* plan, double sample_every, const std::filesystem::path& folder,
                   const std::function<void(const RunProgress&)>& show) {
  RunRecorder recorder(folder, plan->scene, plan->simulation);
  RunOptions options;
  options.scene = &plan->scene;
  options.duration = plan->simulation.duration();
  options.sample_every = sample_every;
  options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder.Record(s, t); };
  options.on_progress = [&](const RunProgress& p) {
    show(p);
    return !Interrupted();
  };
  ComparedRun run{plan->label, RunSimulation(&plan->simulation, options), {}, plan->scene.overrides};
  recorder.Close(plan->simulation);
  WriteJson(SummaryJson(plan->scene, plan->simulation, run.result.summary), folder / "summary.json");
  return run;
}

void RunAll(std::vector<Planned>* plans, bool quiet, const std::filesystem::path& folder, Comparison* comparison) {
  using Clock = std::chrono::steady_clock;
  const double sample_every = SamplingOf(*plans);
  ProgressBar bar(quiet);
  for (Planned& plan : *plans) {
    const double done = static_cast<double>(comparison->runs.size());
    const auto start = Clock::now();
    comparison->runs.push_back(RunOne(&plan, sample_every, folder / PlaceOf(plan.label), [&](const RunProgress& p) {
      bar.Show((done + p.time / p.duration) / static_cast<double>(plans->size()), plan.label,
               ProgressDetail(p, std::chrono::duration<double>(Clock::now() - start).count()));
    }));
    if (Interrupted()) break;
  }
  bar.Clear();
  comparison->interrupted = comparison->runs.size() < plans->size();
}

// The reference and then the others, as long as the page does not grow too large to be opened.
void AddReplays(const Comparison& comparison, const std::filesystem::path& folder, Report* report) {
  constexpr std::size_t kMostBytes = 30'000'000;
  std::vector<std::string> labels;
  for (const ComparedRun& run : comparison.runs) labels.push_back(run.label);
  std::stable_partition(labels.begin(), labels.end(),
                        [&](const std::string& label) { return label == comparison.reference; });
  std::size_t bytes = 0;
  for (const std::string& label : labels) {
    EncodedReplay replay = EncodeReplay(RecordingReader(folder / PlaceOf(label)));
    for (const std::string& block : replay.blocks) bytes += block.size();
    // a comparison needs two
    if (report->replays.size() >= 2 && bytes > kMostBytes) break;
    report->replays.push_back({label, std::move(replay)});
  }
}

void PrintComparison(const Scene& scene, const Comparison& comparison) {
  std::vector<std::vector<std::string>> table;
  for (const ComparedRun& run : comparison.runs) {
    std::vector<std::string> row = {run.label, "–", "–", "–", "–"};
    if (run.deviation) {
      const RunDeviation& d = *run.deviation;
      row = {run.label, fmt::format("{:.3g}", d.position_max), fmt::format("{:.3g}", d.energy_max),
             fmt::format("{:.3g}", d.friction_ratio_rms),
             fmt::format("{:.3g}", d.misalignment_rms * 180 / std::numbers::pi)};
    }
    row.push_back(fmt::format("{:.2g}", run.result.summary.seconds));
    row.push_back(run.result.summary.passed() ? "✓" : "✗");
    table.push_back(row);
  }
  fmt::print("{}, deviations from {}\n\n{}", scene.title.empty() ? scene.name : scene.title, comparison.reference,
             FormatTable({"method", "Δr [m]", "ΔE [J]", "Δf rms", "misal. [°]", "took [s]", "passed"}, table, 0));
  for (const ComparedRun& run : comparison.runs) {
    const RunSummary& summary = run.result.summary;
    if (const std::string rounding = RoundingOf(summary); !rounding.empty())
      fmt::print("{}: {}\n", run.label, rounding);
    if (!summary.passed()) fmt::print("{}: {}\n", run.label, VerdictOf(summary));
  }
}

}  // namespace

int Compare(const CompareArguments& arguments) {
  Comparison comparison;
  comparison.reference = arguments.reference.empty() ? arguments.laws.front() : arguments.reference;
  // everything is checked before anything runs or is written
  std::vector<Planned> plans = PlanAll(arguments, LabelsOf(arguments, comparison.reference));
  const Scene scene = plans.front().scene;
  const std::filesystem::path folder = arguments.output.empty() ? "out/compare-" + scene.name : arguments.output;
  RunAll(&plans, arguments.quiet, folder, &comparison);
  MeasureDeviations(&comparison);

  Report report = ReportOfComparison(scene, comparison);
  AddReplays(comparison, folder, &report);
  WriteReport(report, folder / "report.html");
  const auto summary = ComparisonJson(scene, comparison);
  WriteJson(summary, folder / "summary.json");
  if (arguments.json) {
    std::cout << summary.dump(2) << "\n";
  } else {
    PrintComparison(scene, comparison);
    fmt::print("report: {}\n", (folder / "report.html").string());
  }
  if (Interrupted()) return kExitInterrupted;
  return comparison.passed() ? kExitPassed : kExitNotPassed;
}

}  // namespace slipstick::internal
