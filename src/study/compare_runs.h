#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "slipstick/output/report.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// How far a run is from another, at the times they have in common.
struct RunDeviation {
  double position_max = 0;                     // over all bodies [m]
  double energy_max = 0;                       // [J]
  double friction_ratio_rms = 0;               // of Σ|λT| / ΣμλN
  double misalignment_rms = 0;                 // of the run itself, where it slips [rad]
  std::vector<double> time, position, energy;  // the curves
};

struct ComparedRun {
  std::string label;  // LAW, LAW@STEP or LAW@STEPPER
  RunResult result;
  std::optional<RunDeviation> deviation;                         // nothing where the reference did not run
  std::vector<std::pair<std::string, std::string>> overrides{};  // Scene::overrides of the run
};

// Runs of one scene with several methods.
struct Comparison {
  std::string reference;  // label of the run that deviations are measured from
  std::vector<ComparedRun> runs;
  bool interrupted = false;  // before all runs were made

  bool stopped_early() const;  // interrupted, or one of the runs did not go to its end
  bool passed() const;
};

// The time between samples that suits all methods: that of the scene, or the longest step. Throws InputError, naming
// the method and steps that fit, where it is no whole multiple of each step: deviations need samples at equal times.
double CommonSampling(double every, const std::vector<std::pair<std::string, double>>& steps_of_methods);

RunDeviation Deviation(const Trajectory& run, const Trajectory& reference);

// Fills in the deviations from the reference, where that has run.
void MeasureDeviations(Comparison* comparison);

// summary.json of a comparison, docs/file-formats.md.
nlohmann::ordered_json ComparisonJson(const Scene& scene, const Comparison& comparison);

// There is at least one run.
Report ReportOfComparison(const Scene& scene, const Comparison& comparison);

}  // namespace slipstick::internal
