#include "slipstick/study/solve_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "slipstick/solve/solver_tally.h"

namespace slipstick::internal {
namespace {

std::string Number(double value, const char* otherwise = "∞") {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : otherwise;
}

std::string Seconds(double value) { return value < 0.001 ? "< 0.001" : fmt::format("{:.3f}", value); }

int FileCount(const std::vector<SolveRecord>& records) {
  std::set<std::string> files;
  for (const SolveRecord& record : records) files.insert(record.file);
  return static_cast<int>(files.size());
}

ReportPlot ProfilePlot(const std::vector<SolveRecord>& records, const std::vector<SolverTally>& solvers) {
  const PerformanceProfile profile = ProfileOf(records, solvers);
  ReportPlot plot;
  plot.title = "Performance profile";
  plot.caption =
      "Share of the problems that a solver brought below the tolerance within τ times the time of the fastest solver "
      "on "
      "that problem (Dolan & Moré 2002). On the left: how often it is the fastest. On the right: how much it solves at "
      "all. Times below 0.1 ms count as 0.1 ms.";
  plot.x_label = "time ratio τ";
  plot.y_label = "share of problems";
  plot.x = profile.tau;
  plot.log_x = plot.steps = true;
  plot.y_min = 0;
  plot.y_max = 1.02;
  for (std::size_t s = 0; s < solvers.size(); ++s) plot.series.push_back({solvers[s].solver, profile.share[s]});
  return plot;
}

ReportPlot ConvergencePlot(const std::vector<SolveRecord>& records) {
  ReportPlot plot;
  plot.title = "Convergence";
  plot.caption =
      "The measure by which each solver steers itself, after each of its iterations; an iteration costs different "
      "times. "
      "The residuals of the tables are computed apart.";
  plot.x_label = "iteration";
  plot.y_label = "error";
  plot.log_y = true;
  std::size_t longest = 0;
  for (const SolveRecord& record : records) longest = std::max(longest, record.solution.history.size());
  for (std::size_t i = 0; i < longest; ++i) plot.x.push_back(static_cast<double>(i + 1));
  for (const SolveRecord& record : records) {
    if (record.solution.history.empty()) continue;
    std::vector<double> values = record.solution.history;
    values.resize(longest, std::numeric_limits<double>::quiet_NaN());
    plot.series.push_back({record.solver, std::move(values)});
  }
  return plot;
}

ReportTable SolverTable(const std::vector<SolverTally>& solvers) {
  ReportTable table{.title = "Solvers",
                    .caption =
                        "Fastest: of all solvers that solved the problem; several where it took them less than "
                        "0.1 ms. Seconds: on all problems together.",
                    .columns = {"solver", "solved", "fastest", "seconds"},
                    .rows = {}};
  for (const SolverTally& tally : solvers) {
    table.rows.push_back({tally.solver, fmt::format("{} of {}", tally.solved, tally.problems),
                          fmt::format("{}", tally.fastest), fmt::format("{:.3g}", tally.seconds)});
  }
  return table;
}

// Files by solvers: the time, or how far it came.
ReportTable MatrixTable(const std::vector<SolveRecord>& records, const std::vector<SolverTally>& solvers) {
  ReportTable table{.title = "Seconds of each solver",
                    .caption = "✓ with the time where the tolerance was reached, ✗ with the residual where it was not.",
                    .columns = {"file"},
                    .rows = {}};
  for (const SolverTally& tally : solvers) table.columns.push_back(tally.solver);
  std::map<std::string, std::size_t> row_of;
  for (const SolveRecord& record : records) {
    const auto [place, is_new] = row_of.try_emplace(record.file, table.rows.size());
    if (is_new) {
      std::vector<std::string>& row = table.rows.emplace_back(solvers.size() + 1, "–");
      row[0] = std::filesystem::path(record.file).filename().string();
    }
    for (std::size_t s = 0; s < solvers.size(); ++s) {
      if (solvers[s].solver != record.solver) continue;
      table.rows[place->second][s + 1] =
          record.solved() ? "✓ " + Seconds(record.solution.seconds) : "✗ " + Number(record.solution.residual);
    }
  }
  return table;
}

ReportTable RecordTable(const std::vector<SolveRecord>& records) {
  ReportTable table{
      .title = "All solves",
      .caption =
          "Residual: relative to the problem's numbers, as users of FCLIB compare it. Per contact: "
          "the worst contact relative to its own numbers.",
      .columns = {"file", "contacts", "rows", "solver", "status", "residual", "per contact", "iterations", "seconds"},
      .rows = {}};
  for (const SolveRecord& record : records) {
    const ProblemSolution& solution = record.solution;
    table.rows.push_back(
        {std::filesystem::path(record.file).filename().string(),
         record.contacts > 0 ? fmt::format("{}", record.contacts) : "–", fmt::format("{}", record.rows), record.solver,
         (record.solved() ? "✓ " : "✗ ") + ToString(solution.status), Number(solution.residual),
         Number(solution.residual_per_contact), fmt::format("{}", solution.iterations), Seconds(solution.seconds)});
  }
  return table;
}

ReportTable HyperstaticityTable(const std::vector<SolveRecord>& records) {
  ReportTable table{
      .title = "Hyperstaticity",
      .caption =
          "Degree: rows less the rank of their Jacobian. Freedom: dimension of the impulses that "
          "give the same velocities. Least |r|: of all those impulses.",
      .columns = {"file", "solver", "rows", "rank", "degree", "freedom", "contacts not unique", "|r|", "least |r|"},
      .rows = {}};
  for (const SolveRecord& record : records) {
    if (!record.hyperstaticity) continue;
    const Hyperstaticity& analysis = *record.hyperstaticity;
    const auto open = std::count(analysis.is_unique.begin(), analysis.is_unique.end(), false);
    table.rows.push_back({std::filesystem::path(record.file).filename().string(), record.solver,
                          fmt::format("{}", analysis.rows), fmt::format("{}", analysis.rank),
                          fmt::format("{}", analysis.degree), fmt::format("{}", analysis.freedom),
                          fmt::format("{} of {}", open, analysis.is_unique.size()),
                          fmt::format("{:.6g}", std::hypot(record.solution.r.norm(), record.solution.lambda.norm())),
                          fmt::format("{:.6g}", analysis.least_norm)});
  }
  return table;
}

// Profile and tables of the solvers of one kind of problems; nothing where there is nothing to compare. The wide table
// has a section of its own: beside another it would be cut.
void AddComparison(const std::string& title, const std::vector<SolveRecord>& records, Report* report) {
  const std::vector<SolverTally> solvers = TallySolvers(records);
  if (solvers.size() < 2) return;
  report->sections.push_back(
      {.title = title,
       .text = "A solve counts where the residual, computed apart from all solvers, is within the tolerance.",
       .plots = {ProfilePlot(records, solvers)},
       .tables = {SolverTable(solvers)}});
  if (FileCount(records) > 1) {
    report->sections.push_back(
        {.title = title + ", one by one", .text = "", .plots = {}, .tables = {MatrixTable(records, solvers)}});
  }
}

}  // namespace

Report ReportOfSolves(const std::vector<SolveRecord>& records, bool interrupted) {
  const std::vector<SolverTally> solvers = TallySolvers(records);
  const int files = FileCount(records);
  const auto solved = std::count_if(records.begin(), records.end(), [](const auto& record) { return record.solved(); });
  Report report;
  report.title = "Saved contact problems";
  report.subtitle = fmt::format("{} problem{}, {} solver{}", files, files == 1 ? "" : "s", solvers.size(),
                                solvers.size() == 1 ? "" : "s");
  report.passed = !interrupted && solved == static_cast<long>(records.size());
  report.verdict = fmt::format("{} of {} solves reached the tolerance{}", solved, records.size(),
                               interrupted ? "; interrupted before the others" : "");
  std::set<std::string> solved_files;
  for (const SolveRecord& record : records) {
    if (record.solved()) solved_files.insert(record.file);
  }
  report.facts.emplace_back("solved by any", fmt::format("{} of {}", solved_files.size(), files));
  if (!records.empty()) report.facts.emplace_back("tolerance", fmt::format("{:g}", records.front().tolerance));
  // solvers of one kind of problems do not take the other: each kind has its own profile
  const auto of_kind = [&records](bool friction) {
    std::vector<SolveRecord> chosen;
    for (const SolveRecord& record : records) {
      if ((record.contacts > 0) == friction) chosen.push_back(record);
    }
    return chosen;
  };
  const std::vector<SolveRecord> friction = of_kind(true), complementarity = of_kind(false);
  const bool both = !friction.empty() && !complementarity.empty();
  AddComparison(both ? "Friction problems" : "Solvers", friction, &report);
  AddComparison(both ? "Complementarity problems" : "Solvers", complementarity, &report);
  if (files == 1) {
    ReportPlot convergence = ConvergencePlot(records);
    if (!convergence.series.empty()) {
      report.sections.push_back({.title = "Convergence", .text = "", .plots = {std::move(convergence)}, .tables = {}});
    }
  }
  report.sections.push_back({.title = "All solves", .text = "", .plots = {}, .tables = {RecordTable(records)}});
  ReportTable redundancy = HyperstaticityTable(records);
  if (!redundancy.rows.empty()) {
    report.sections.push_back({.title = "Hyperstaticity", .text = "", .plots = {}, .tables = {std::move(redundancy)}});
  }
  return report;
}

}  // namespace slipstick::internal
