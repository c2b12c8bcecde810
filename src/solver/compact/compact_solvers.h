#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/base/thread_team.h"
#include "slipstick/program/compact_program.h"

namespace slipstick::internal {

// Solves from the impulses given, until CompactResidual is below the tolerance [m/s].
using CompactSolve =
    std::function<SolveReport(const CompactProgram& program, double tolerance, CompactImpulses* impulses)>;

// A solver of compact programs, by name. What `make` returns keeps its storage from one program to the next.
struct CompactSolver {
  std::string name;
  std::string summary;
  bool takes_mechanisms = false;
  std::vector<SettingSpec> settings;  // its own; when to stop is the caller's
  CompactSolve (*make)(const Settings& settings, const std::shared_ptr<ThreadTeam>& team);
};

const std::vector<CompactSolver>& CompactSolvers();

}  // namespace slipstick::internal
