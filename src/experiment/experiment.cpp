#include "slipstick/experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "slipstick/experiment/arm.h"
#include "slipstick/experiment/bristle.h"
#include "slipstick/experiment/disk.h"
#include "slipstick/experiment/engine.h"
#include "slipstick/experiment/grains.h"
#include "slipstick/experiment/guideway.h"
#include "slipstick/experiment/impacts.h"
#include "slipstick/experiment/mechanisms.h"
#include "slipstick/experiment/ramp.h"
#include "slipstick/experiment/wheel.h"
#include "slipstick/run/record_run.h"
#include "slipstick/run/run_report.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/sampling.h"
#include "slipstick/run/version.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

bool Experiment::passed() const {
  return failures.empty() && std::all_of(rows.begin(), rows.end(), [](const ExperimentRow& r) { return r.within(); });
}

const std::vector<ExperimentEntry>& ExperimentCatalog() {
  static const std::vector<ExperimentEntry> catalog = {
      {"wheel", "Peiret et al. 2016, figures 4, 5: laws against exact Coulomb", RunWheelExperiment},
      {"bristle", "Peiret et al., abstract, figure 1: bristle in an LCP", RunBristleExperiment},
      {"disk", "Tasora & Anitescu 2013, figures 2, 3: a disk rolls to rest", RunDiskExperiment},
      {"guideway", "Tasora & Anitescu 2013, figure 8: a guideway on balls", RunGuidewayExperiment},
      {"arm", "Drumwright & Shell 2010, figures 8, 9: friction in an arm", RunArmExperiment},
      {"ramp", "Drumwright & Shell 2010, figure 2: a box on a ramp", RunRampExperiment},
      {"engine", "Drumwright & Shell 2010, figures 3, 4: an engine of contacts", RunEngineExperiment},
      {"mechanisms", "IFToMM benchmarks A01 to A05: loops, redundancy, stiffness", RunMechanismsExperiment},
      {"grains", "Drumwright & Shell 2010, figures 5–7: 1001 spheres in a box", RunGrainsExperiment},
      {"impacts", "events against closed forms; time stepping against events", RunImpactsExperiment},
  };
  return catalog;
}

Report ReportOf(const Experiment& experiment) {
  Report report;
  report.title = experiment.title;
  report.passed = experiment.passed();
  const auto outside =
      std::count_if(experiment.rows.begin(), experiment.rows.end(), [](const ExperimentRow& r) { return !r.within(); });
  report.verdict = report.passed
                       ? fmt::format("All {} figures are within their bands, and every step passed its certificate.",
                                     experiment.rows.size())
                       : fmt::format("{} of {} figures are outside of their bands; what else failed: {}.", outside,
                                     experiment.rows.size(), experiment.failures.size());
  report.facts = {{"experiment", experiment.name}, {"slipstick", kVersion}};
  ReportTable table{"Paper and here", "", {"quantity", "method", "paper", "here", "accepted", "within", "note"}, {}};
  for (const ExperimentRow& row : experiment.rows) {
    table.rows.push_back({row.quantity, row.method, row.paper ? fmt::format("{:g}", *row.paper) : "–",
                          fmt::format("{:.4g}", row.here), fmt::format("{:g} … {:g}", row.least, row.most),
                          row.within() ? "✓" : "✗", row.note});
  }
  report.sections = experiment.sections;
  report.sections.push_back({"Table", "", {}, {table}});
  if (!experiment.failures.empty()) {
    ReportTable failures{"What failed", "", {"run"}, {}};
    for (const std::string& failure : experiment.failures) failures.rows.push_back({"✗ " + failure});
    report.sections.back().tables.push_back(failures);
  }
  return report;
}

namespace {

RunResult RunOne(const ExperimentRun& run, const ExperimentOptions& experiment,
                 const std::function<void(double)>& progress) {
  Scene scene = ReadScene(FindScene(run.scene), run.overrides);
  scene.output.every = run.sample_every;
  Simulation simulation = Simulation(scene);
  CheckSampling(scene, simulation);  // the scene may be the user's own, with another step
  const std::filesystem::path folder = experiment.folder / run.label;
  std::optional<RunRecorder> recorder;
  if (!experiment.folder.empty()) recorder.emplace(folder, scene, simulation);
  RunOptions options;
  options.scene = &scene;
  options.duration = simulation.duration();
  options.sample_every = run.sample_every;
  if (recorder) options.on_sample = [&](const Simulation& s, const Trajectory& t) { recorder->Record(s, t); };
  options.on_progress = [&](const RunProgress& p) {
    progress(p.time / p.duration);
    return true;
  };
  RunResult result = RunSimulation(&simulation, options);
  if (recorder) {
    recorder->Close(simulation);
    WriteJson(SummaryJson(scene, simulation, result.summary), folder / "summary.json");
  }
  return result;
}

}  // namespace

std::vector<RunResult> RunAll(const std::vector<ExperimentRun>& runs, const ExperimentOptions& options,
                              std::vector<std::string>* failures) {
  double total = 0, done = 0;
  for (const ExperimentRun& run : runs) total += run.cost;
  std::vector<RunResult> results;
  for (const ExperimentRun& run : runs) {
    options.progress(run.label, done / total);
    results.push_back(
        RunOne(run, options, [&](double part) { options.progress(run.label, (done + part * run.cost) / total); }));
    done += run.cost;
    const RunSummary& summary = results.back().summary;
    if (!summary.passed()) failures->push_back(run.label + ": " + VerdictOf(summary));
  }
  return results;
}

}  // namespace slipstick::internal
