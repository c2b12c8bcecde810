#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/measure/angle_of_repose.h"
#include "slipstick/measure/motion_watch.h"
#include "slipstick/output/report.h"
#include "slipstick/scene/scene.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// A measure of the scene, taken.
struct MeasureResult {
  std::string name;
  std::vector<std::pair<std::string, double>> values;  // names with their units, as in summary.json
  std::optional<PileShape> pile;                       // of an angle of repose: for the plot
};

// All measures of the scene on the present state. Bodies that wait to be released do not count. What is taken over all
// steps is `watched`; where nobody has, it is that of the present state.
std::vector<MeasureResult> TakeMeasures(const Scene& scene, const Simulation& simulation,
                                        const std::vector<MotionWatch::Result>& watched = {});

// For the report of a run: the values, and the profiles of piles.
ReportSection MeasureSection(const std::vector<MeasureResult>& results);

}  // namespace slipstick::internal
