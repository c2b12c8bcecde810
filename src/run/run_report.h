#pragma once

#include "slipstick/output/report.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// The verdict of a run's certificate in one sentence.
std::string VerdictOf(const RunSummary& summary);

// That the duration was rounded to whole steps, in one sentence; empty where it was not.
std::string RoundingOf(const RunSummary& summary);
// How many rows of the constraints are redundant, in words; empty where none is.
std::string RedundancyOf(const RunSummary& summary);
// What lay in each other at the start, and what to do about it; empty where nothing did.
std::string OverlapsOf(const RunSummary& summary);

// What was changed from outside of a scene's file, as a table.
ReportSection OverridesSection(const std::vector<std::pair<std::string, std::string>>& overrides);

// report.html of a single run: energy, contact, residuals, motion.
Report ReportOfRun(const Scene& scene, const Simulation& simulation, const RunResult& result);

}  // namespace slipstick::internal
