#pragma once

#include <string>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick {

// A solver of cone programs, by name.
struct ConeSolver {
  std::string name;
  std::string summary;
  std::vector<SettingSpec> settings;  // its own; when to stop is the StopRule's
  ConeAnswer (*solve)(const ConeProgram& program, const Settings& settings, const StopRule& stop,
                      const VecX* warm_start);
};

// All of them, the ladder `auto` first.
const std::vector<ConeSolver>& ConeSolvers();

// Null where there is none of that name.
const ConeSolver* FindConeSolver(const std::string& name);

}  // namespace slipstick
