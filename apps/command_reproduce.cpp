#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/experiment/experiment.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/version.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

std::vector<const ExperimentEntry*> Choose(const std::vector<std::string>& names) {
  std::vector<const ExperimentEntry*> chosen;
  std::vector<Fault> faults;
  std::vector<std::string> known;
  for (const ExperimentEntry& entry : ExperimentCatalog()) {
    known.push_back(entry.name);
    if (names.empty()) chosen.push_back(&entry);
  }
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      faults.push_back({"", 0, "NAME", fmt::format("one of {}", fmt::join(known, ", ")), fmt::format("'{}'", name)});
      continue;
    }
    const ExperimentEntry* entry = &ExperimentCatalog()[at - known.begin()];
    if (std::find(chosen.begin(), chosen.end(), entry) != chosen.end()) {
      faults.push_back({"", 0, "NAME", "each experiment once", fmt::format("'{}' again", name)});
    }
    chosen.push_back(entry);
  }
  if (!faults.empty()) throw InputError(faults);
  return chosen;
}

Json ExperimentJson(const Experiment& experiment) {
  Json rows = Json::array();
  for (const ExperimentRow& row : experiment.rows) {
    rows.push_back({{"quantity", row.quantity},
                    {"method", row.method},
                    {"paper", row.paper ? Json(*row.paper) : Json()},
                    {"here", row.here},
                    {"within", row.within()},
                    {"least", row.least},
                    {"most", row.most},
                    {"note", row.note}});
  }
  return {{"name", experiment.name}, {"rows", rows}, {"failures", experiment.failures}};
}

void PrintExperiment(const Experiment& experiment) {
  std::vector<std::vector<std::string>> rows;
  for (const ExperimentRow& row : experiment.rows) {
    rows.push_back({row.quantity, row.method, row.paper ? fmt::format("{:.4g}", *row.paper) : "–",
                    fmt::format("{:.4g}", row.here), row.within() ? "✓" : "✗"});
  }
  fmt::print("{}\n\n{}", experiment.title, FormatTable({"quantity", "method", "paper", "here", "within"}, rows, 1));
  for (const std::string& failure : experiment.failures) fmt::print("✗ {}\n", failure);
}

// Thrown from the progress of an experiment, to leave it in the middle.
struct Interruption {};

}  // namespace

int Reproduce(const ReproduceArguments& arguments) {
  const std::vector<const ExperimentEntry*> chosen = Choose(arguments.names);
  const std::filesystem::path folder = arguments.output.empty() ? "out/reproduce" : arguments.output;
  ProgressBar bar(arguments.quiet);
  Json all = Json::array();
  bool passed = true;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    // one experiment asked for by name: its report stands in the folder itself
    const std::filesystem::path place = chosen.size() == 1 ? folder : folder / chosen[i]->name;
    ExperimentOptions options;
    options.folder = place;
    options.progress = [&](const std::string& what, double fraction) {
      bar.Show((static_cast<double>(i) + fraction) / static_cast<double>(chosen.size()), chosen[i]->name + ": " + what,
               "");
      if (Interrupted()) throw Interruption{};
    };
    Experiment experiment;
    try {
      experiment = chosen[i]->run(options);
    } catch (const Interruption&) {
      bar.Clear();
      return kExitInterrupted;  // experiments and runs that were finished keep their files
    }
    bar.Clear();
    passed = passed && experiment.passed();
    all.push_back(ExperimentJson(experiment));
    WriteReport(ReportOf(experiment), place / "report.html");
    if (!arguments.json) {
      PrintExperiment(experiment);
      fmt::print("report: {}\n{}", (place / "report.html").string(), i + 1 < chosen.size() ? "\n" : "");
    }
  }
  WriteJson({{"format", "slipstick-reproduce 1"}, {"version", kVersion}, {"passed", passed}, {"experiments", all}},
            folder / "summary.json");
  if (arguments.json) std::cout << all.dump(2) << "\n";
  return passed ? kExitPassed : kExitNotPassed;
}

}  // namespace slipstick::internal
