#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/output/report.h"
#include "slipstick/run/run_simulation.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// One figure of a published experiment: what the paper prints, what comes out here, and the band it must be in.
struct ExperimentRow {
  std::string quantity;         // with its SI unit in the name, as in slip_end_seconds
  std::string method;           // law, or law@step where the step matters
  std::optional<double> paper;  // nothing where the paper shows it in a figure only, or not at all
  double here = 0;
  double least = 0, most = 0;  // accepted, and why in `note`
  std::string note;
  bool within() const { return here >= least && here <= most; }
};

struct Experiment {
  std::string name, title;
  std::vector<ExperimentRow> rows;
  std::vector<std::string> failures;    // runs that did not pass or could not be compared, in words
  std::vector<ReportSection> sections;  // figures for report.html

  bool passed() const;
};

struct ExperimentOptions {
  // Told before and during each run: what is running, and how far all of the experiment has come (0 … 1).
  std::function<void(const std::string& what, double fraction)> progress = [](const std::string&, double) {};
  // Where the runs' recordings and summaries go, a folder for each; empty: nowhere.
  std::filesystem::path folder;
};

struct ExperimentEntry {
  std::string name, summary;
  Experiment (*run)(const ExperimentOptions& options);
};

// All that `slipstick reproduce` knows.
const std::vector<ExperimentEntry>& ExperimentCatalog();

// One run that an experiment needs.
struct ExperimentRun {
  std::string label;
  std::string scene;
  std::vector<Override> overrides;
  double sample_every = 0;  // [s]
  double cost = 1;          // share of the work, for the progress
};

// Makes all runs and records them. Those whose certificate does not pass are told in *failures.
std::vector<RunResult> RunAll(const std::vector<ExperimentRun>& runs, const ExperimentOptions& options,
                              std::vector<std::string>* failures);

// The experiment as a page.
Report ReportOf(const Experiment& experiment);

}  // namespace slipstick::internal
