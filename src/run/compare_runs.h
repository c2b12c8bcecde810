#pragma once

#include "slipstick/output/report.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick {

// How far a run is from another, at the times they have in common.
struct RunDeviation {
  double position_max = 0;        // over all bodies [m]
  double energy_max = 0;          // [J]
  double friction_ratio_rms = 0;  // of Σ|λT| / ΣμλN
  double misalignment_rms = 0;    // of the run itself, where it slips [rad]
  std::vector<double> time, position, energy;  // the curves
};

struct ComparedRun {
  std::string label;  // LAW or LAW@STEP
  RunResult result;
  RunDeviation deviation;
};

RunDeviation Deviation(const Trajectory& run, const Trajectory& reference);

// Fills in the deviations from the run called `reference`.
void MeasureDeviations(const std::string& reference, std::vector<ComparedRun>* runs);

Report ReportOfComparison(const Scene& scene, const std::string& reference, const std::vector<ComparedRun>& runs);

}  // namespace slipstick
