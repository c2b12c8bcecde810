#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "progress_bar.h"
#include "slipstick/run/run_summary_json.h"
#include "slipstick/run/version.h"
#include "slipstick/solve/save_solution.h"
#include "slipstick/solve/solve_json.h"
#include "slipstick/study/solve_comparison.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

struct Loaded {
  std::string file;
  PreparedProblem problem;
  std::vector<std::string> solvers;    // that it is given to
  std::vector<SolverChoice> left_out;  // of "all", as they do not take it
};

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Those of the asked solvers that take the problem; "all" are all that do.
void ChooseSolvers(const std::vector<std::string>& asked, Loaded* loaded, std::vector<Fault>* faults) {
  std::vector<std::string> takers;
  for (const SolverChoice& choice : SolversFor(loaded->problem)) {
    if (choice.refusal.empty()) {
      takers.push_back(choice.name);
    } else {
      loaded->left_out.push_back(choice);
    }
  }
  loaded->solvers = takers;
  if (Contains(asked, "all")) return;
  for (const std::string& name : asked) {
    if (Contains(takers, name)) continue;
    const auto refused = std::find_if(loaded->left_out.begin(), loaded->left_out.end(),
                                      [&](const SolverChoice& choice) { return choice.name == name; });
    const std::string why = refused == loaded->left_out.end() ? "" : ", which is " + refused->refusal;
    faults->push_back({loaded->file, 0, "--solver", fmt::format("all, or of {}", fmt::join(takers, ", ")),
                       fmt::format("'{}'{}", name, why)});
  }
  loaded->solvers = asked;
  loaded->left_out.clear();
}

// Everything is read and checked before anything is solved, so that all faults are told at once.
std::vector<Loaded> LoadAll(const SolveArguments& arguments) {
  std::vector<Loaded> all;
  std::vector<Fault> faults;
  for (const std::string& file : arguments.files) {
    if (std::count(arguments.files.begin(), arguments.files.end(), file) > 1) {
      const bool told =
          std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) { return fault.file == file; });
      if (!told) faults.push_back({file, 0, "FILE", "each file once", "it again"});
      continue;
    }
    try {
      Loaded loaded{file, Prepare(LoadProblem(file)), {}, {}};
      ChooseSolvers(arguments.solvers, &loaded, &faults);
      all.push_back(std::move(loaded));
    } catch (const InputError& error) {
      for (Fault fault : error.faults()) {
        if (fault.file.empty()) fault.file = file;
        faults.push_back(fault);
      }
    }
  }
  for (std::size_t i = 0; i < arguments.solvers.size(); ++i) {
    const auto begin = arguments.solvers.begin(), here = begin + static_cast<std::ptrdiff_t>(i);
    if (std::find(begin, here, *here) != here) {
      faults.push_back({"", 0, "--solver", "each solver once", fmt::format("'{}' again", *here)});
    }
  }
  if (!(arguments.tolerance > 0 && arguments.tolerance < 1)) {
    faults.push_back({"", 0, "--tolerance", "a number above 0 and below 1", fmt::format("{}", arguments.tolerance)});
  }
  if (!(arguments.time_limit > 0)) {
    faults.push_back({"", 0, "--time-limit", "seconds, above 0", fmt::format("{}", arguments.time_limit)});
  }
  if (!arguments.save_solution.empty() &&
      (arguments.files.size() != 1 || arguments.solvers.size() != 1 || arguments.solvers.front() == "all")) {
    faults.push_back(
        {"", 0, "--save-solution", "one file and one solver",
         fmt::format("{} files and solver {}", arguments.files.size(), fmt::join(arguments.solvers, ","))});
  }
  for (const std::string& file : arguments.files) {
    std::error_code ignored;
    if (!arguments.save_solution.empty() && std::filesystem::equivalent(file, arguments.save_solution, ignored)) {
      faults.push_back({"", 0, "--save-solution", "another file than the problem's", arguments.save_solution});
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return all;
}

SolveRecord SolveOne(const Loaded& loaded, const std::string& solver, const SolveArguments& arguments) {
  const SolveSettings settings{.solver = solver,
                               .tolerance = arguments.tolerance,
                               .time_limit = arguments.time_limit,
                               .convex = arguments.convex,
                               .solver_settings = {}};
  SolveRecord record{
      .file = loaded.file, .solver = solver, .tolerance = arguments.tolerance, .solution = {}, .hyperstaticity = {}};
  const PreparedProblem& problem = loaded.problem;
  record.contacts = problem.is_friction() ? problem.local->contacts.contacts() : 0;
  record.rows = static_cast<int>(problem.is_friction() ? problem.local->q.size() + problem.local->s.size()
                                                       : problem.mixed->q.size());
  record.solution = Solve(problem, settings);
  if (arguments.hyperstatic && problem.is_friction() && record.solved()) {
    record.hyperstaticity = AnalyzeHyperstaticity(problem, record.solution, settings);
  }
  return record;
}

std::string Number(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "∞"; }

void Print(const std::vector<SolveRecord>& records) {
  std::vector<std::vector<std::string>> table, redundancy;
  for (const SolveRecord& record : records) {
    const ProblemSolution& solution = record.solution;
    table.push_back({record.solved() ? "✓" : "✗", record.file,
                     record.contacts > 0 ? fmt::format("{}", record.contacts) : "–", record.solver,
                     ToString(solution.status), Number(solution.residual), fmt::format("{}", solution.iterations),
                     fmt::format("{:.3f}", solution.seconds)});
    if (!record.hyperstaticity) continue;
    const Hyperstaticity& analysis = *record.hyperstaticity;
    const auto open = std::count(analysis.is_unique.begin(), analysis.is_unique.end(), false);
    redundancy.push_back({record.file, record.solver, fmt::format("{}", analysis.rows),
                          fmt::format("{}", analysis.rank), fmt::format("{}", analysis.degree),
                          fmt::format("{}", analysis.freedom), fmt::format("{} of {}", open, analysis.is_unique.size()),
                          fmt::format("{:.6g}", analysis.least_norm)});
  }
  // residuals of the worst contact and of the least forces are in --json
  fmt::print("{}", FormatTable({"", "file", "size", "solver", "status", "residual", "steps", "[s]"}, table, 1));
  if (!redundancy.empty()) {
    fmt::print("\n{}", FormatTable({"file", "solver", "rows", "rank", "degree", "freedom", "not unique", "least |r|"},
                                   redundancy, 0));
  }
}

// What "all" did not give to whom, and why.
std::string LeftOut(const std::vector<Loaded>& problems) {
  std::vector<std::vector<std::string>> table;
  for (const Loaded& loaded : problems) {
    for (const SolverChoice& choice : loaded.left_out) table.push_back({loaded.file, choice.name, choice.refusal});
  }
  return table.empty() ? "" : "\n" + FormatTable({"file", "left out", "as it is"}, table);
}

nlohmann::ordered_json LeftOutJson(const std::vector<Loaded>& problems) {
  auto all = nlohmann::ordered_json::array();
  for (const Loaded& loaded : problems) {
    for (const SolverChoice& choice : loaded.left_out) {
      all.push_back({{"file", loaded.file}, {"solver", choice.name}, {"reason", choice.refusal}});
    }
  }
  return all;
}

nlohmann::ordered_json SummaryOf(const std::vector<SolveRecord>& records, const std::vector<Loaded>& problems,
                                 bool passed, bool interrupted) {
  return {{"format", "slipstick-solve 1"},
          {"version", kVersion},
          {"passed", passed},
          {"stopped_early", interrupted},
          {"solvers", SolversJson(records)},
          {"left_out", LeftOutJson(problems)},
          {"solves", SolvesJson(records)}};
}

// Made before anything is solved: a place that cannot be written is told at once.
void MakeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw InputError({Fault{.file = folder.string(),
                            .expected = "a folder that can be made",
                            .found = error ? error.message() : "something else"}});
  }
}

}  // namespace

int Solve(const SolveArguments& arguments) {
  const std::vector<Loaded> problems = LoadAll(arguments);
  const std::filesystem::path folder = arguments.output;
  if (!folder.empty()) MakeFolder(folder);
  std::unique_ptr<Hdf5Writer> solution_file;
  if (!arguments.save_solution.empty()) solution_file = std::make_unique<Hdf5Writer>(arguments.save_solution);

  std::size_t total = 0;
  for (const Loaded& loaded : problems) total += loaded.solvers.size();
  std::vector<SolveRecord> records;
  ProgressBar bar(arguments.quiet);
  for (const Loaded& loaded : problems) {
    for (const std::string& solver : loaded.solvers) {
      if (Interrupted()) break;
      bar.Show(static_cast<double>(records.size()) / static_cast<double>(total),
               fmt::format("{} by {}", std::filesystem::path(loaded.file).filename().string(), solver),
               fmt::format("{} of {}", records.size() + 1, total));
      records.push_back(SolveOne(loaded, solver, arguments));
    }
  }
  bar.Clear();

  const bool interrupted = records.size() < total;
  const bool passed =
      !interrupted && std::all_of(records.begin(), records.end(), [](const auto& record) { return record.solved(); });
  if (solution_file && !records.empty()) WriteSolution(records.front(), solution_file.get());
  if (!folder.empty()) {
    WriteReport(ReportOfSolves(records, interrupted), folder / "report.html");
    WriteJson(SummaryOf(records, problems, passed, interrupted), folder / "summary.json");
  }
  if (arguments.json) {
    std::cout << SolvesJson(records).dump(2) << "\n";
  } else {
    Print(records);
    fmt::print("{}", LeftOut(problems));
    if (!folder.empty()) fmt::print("report: {}\n", (folder / "report.html").string());
  }
  if (Interrupted()) return kExitInterrupted;
  return passed ? kExitPassed : kExitNotPassed;
}

}  // namespace slipstick::internal
