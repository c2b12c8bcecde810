#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

// A solver of cone programs, by name.
struct ConeSolver {
  std::string name;
  std::string summary;
  std::vector<SettingSpec> settings;  // its own; when to stop is the StopRule's
  std::function<ConeAnswer(const ConeProgram& program, const Settings& settings, const StopRule& stop,
                           const VecX* warm_start)>
      solve;
  // Why it cannot take such blocks, as in "not for rolling contacts"; "" where it can. Null: it takes all.
  std::string (*refusal)(const std::vector<ConeBlock>& blocks) = nullptr;

  std::string Refusal(const std::vector<ConeBlock>& blocks) const {
    return refusal == nullptr ? std::string() : refusal(blocks);
  }
};

// All of them, the ladder `auto` first.
const std::vector<ConeSolver>& ConeSolvers();

// Null where there is none of that name.
const ConeSolver* FindConeSolver(const std::string& name);

}  // namespace slipstick::internal
