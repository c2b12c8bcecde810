#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/output/report.h"
#include "slipstick/scene/scene.h"
#include "slipstick/scene_file/scene_reader.h"

// A grid of runs of one scene: which there are, which are done, and what they show together. The runs themselves are
// made elsewhere, each by `slipstick run` in a folder of its own.

namespace slipstick::internal {

// Keys of the scene that take the same value, one after the other.
struct SweepAxis {
  std::vector<std::string> keys;
  std::vector<std::string> values;  // YAML, as for --set
};

// "keys=values", both lists with commas; commas inside of brackets, braces and quotes belong to the value. Throws
// InputError.
SweepAxis ParseSweepAxis(const std::string& given);

// What a finished run showed.
struct SweepOutcome {
  bool passed = false;
  long failed_steps = 0;
  double seconds = 0;
  std::vector<std::optional<double>> quantities;  // as Sweep::quantities; none where it is not finite
};

struct SweepRun {
  std::vector<std::size_t> choice;  // which value of each axis
  std::string folder;               // its name in the sweep's folder
  std::string input_hash;           // InputHash of its scene
  bool reused = false;              // was there already
  bool interrupted = false;
  std::optional<SweepOutcome> outcome;  // not there where the run was not made to its end
  std::string complaint;                // what a run that broke down said
};

struct Sweep {
  std::string scene_name, title;
  std::vector<std::pair<std::string, std::string>> overrides;  // of all runs alike; each has its choice beside them
  std::vector<SweepAxis> axes;
  std::vector<std::string> quantities;  // paths in summary.json
  std::vector<SweepRun> runs;           // all combinations, the last axis running first

  bool passed() const;
  bool complete() const;  // every run was made
};

// All combinations, with their folders. Throws InputError where a key or value stands twice, or there are too many.
std::vector<SweepRun> PlanRuns(const std::vector<SweepAxis>& axes);
std::vector<Override> OverridesOf(const std::vector<SweepAxis>& axes, const SweepRun& run);

// The summary of a run in the folder that was made to its end from these inputs; nothing where there is none.
std::optional<nlohmann::ordered_json> FindFinished(const std::filesystem::path& folder, const std::string& input_hash);

// Paths of all numbers in a summary, such as measures.pile.angle_degrees.
std::vector<std::string> QuantityPaths(const nlohmann::ordered_json& summary);
// Those worth showing where the user chose none: all measures, or else friction's work and how right the run was.
std::vector<std::string> UsualQuantities(const nlohmann::ordered_json& summary);

SweepOutcome OutcomeOf(const nlohmann::ordered_json& summary, const std::vector<std::string>& quantities);

// How a table names a run's value of an axis, or a quantity.
std::string HeadingOf(const SweepAxis& axis);
std::string HeadingOf(const std::string& quantity);

nlohmann::ordered_json SweepJson(const Sweep& sweep);

// A table of all runs, each quantity against the first axis of numbers, one curve for each choice of the others, and
// what the recordings in the sweep's folder hold over time.
Report ReportOfSweep(const Sweep& sweep, const std::filesystem::path& folder);

}  // namespace slipstick::internal
