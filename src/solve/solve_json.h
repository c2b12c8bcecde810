#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "slipstick/solve/solve_record.h"

namespace slipstick::internal {

// The array that `slipstick solve --json` prints, docs/file-formats.md. Numbers that are not finite become null.
nlohmann::ordered_json SolvesJson(const std::vector<SolveRecord>& records);

// What each solver did in all, in the order in which they were asked.
nlohmann::ordered_json SolversJson(const std::vector<SolveRecord>& records);

}  // namespace slipstick::internal
