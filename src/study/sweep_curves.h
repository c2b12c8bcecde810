#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "slipstick/study/sweep.h"

namespace slipstick::internal {

// What a run has on the axes, or on all but one: "friction 0.3, step 0.001".
std::string ChoiceOf(const Sweep& sweep, const SweepRun& run, std::optional<std::size_t> except);

// Adds what the runs recorded over time: of few all in the same plots, of many a small plot for each choice of the axes
// but one, whose values are its curves. `axis` is that one.
void AddCurves(const Sweep& sweep, const std::filesystem::path& folder, std::optional<std::size_t> axis,
               Report* report);

}  // namespace slipstick::internal
