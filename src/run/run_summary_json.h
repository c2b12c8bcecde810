#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "slipstick/run/run_simulation.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Stands for all that a run of the scene depends on: the text of its file, the overrides and the program's version.
// Runs with equal hashes give equal results.
std::string InputHash(const Scene& scene);

// What was changed from outside of a scene's file, an entry each with `key` and `value`.
nlohmann::ordered_json OverridesJson(const std::vector<std::pair<std::string, std::string>>& overrides);

// summary.json of a run, docs/file-formats.md. Numbers that are not finite are written as null.
nlohmann::ordered_json SummaryJson(const Scene& scene, const Simulation& simulation, const RunSummary& summary);

// Written under another name and renamed, so that it is never seen half written. Throws InputError where it cannot be.
void WriteJson(const nlohmann::ordered_json& json, const std::filesystem::path& file);

}  // namespace slipstick::internal
