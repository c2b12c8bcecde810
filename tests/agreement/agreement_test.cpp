#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "slipstick/problem/problem_file.h"
#include "slipstick/solve/solve_problem.h"

// Every solver on every saved problem: those of this project's scenes, in tests/agreement/problems (make_problems.py
// there makes them), and those of others in ../shared/problems where that folder is. A solver may fail; it may not
// say that it did not. Who fails where is printed and kept beside the test program (agreement.md).

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = SLIPSTICK_SOURCE_DIR;

std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension();
    if (ending == ".h5" || ending == ".hdf5" || ending == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> OwnProblems() { return FilesBelow(kSource / "tests/agreement/problems"); }
std::vector<fs::path> ProblemsOfOthers() { return FilesBelow(kSource / "../shared/problems"); }

// Linear complementarity problems without a solution: no z ≥ 0 makes w ≥ 0 (docs/methods.md).
const std::set<std::string> kUnsolvable = {"lcp_Pang_isolated_sol_perturbed.dat"};

// Too large to be solved to 1e-8 by each of nine solvers within a test; `slipstick solve` takes half a minute.
const std::set<std::string> kLarge = {"BoxStacks-s00010-nc1462-nds264.dat"};

ProblemSolution SolveFile(const fs::path& file, const std::string& solver, double tolerance, double seconds) {
  SolveSettings settings;
  settings.solver = solver;
  settings.tolerance = tolerance;
  settings.time_limit = seconds;
  return Solve(LoadProblem(file), settings);
}

void ExpectLadderSolves(const std::vector<fs::path>& files, double tolerance) {
  for (const fs::path& file : files) {
    const std::string name = file.filename();
    if (kLarge.count(name) > 0 && tolerance < 1e-4) continue;
    const ProblemSolution solution = SolveFile(file, "auto", tolerance, 60);
    if (kUnsolvable.count(name) > 0) {
      EXPECT_EQ(solution.status, SolveStatus::kNoSolution) << name;
    } else {
      EXPECT_EQ(solution.status, SolveStatus::kSolved) << name << ": " << ToString(solution.status);
      EXPECT_LE(solution.residual, tolerance) << name;
    }
  }
}

TEST(Agreement, TheLadderSolvesEveryProblemOfOurOwn) {
  const std::vector<fs::path> files = OwnProblems();
  ASSERT_GE(files.size(), 10U);
  ExpectLadderSolves(files, 1e-4);
  ExpectLadderSolves(files, 1e-8);
}

TEST(Agreement, TheLadderSolvesEveryProblemOfOthers) {
  const std::vector<fs::path> files = ProblemsOfOthers();
  if (files.empty())
    GTEST_SKIP() << "the problems of others are not part of this repository, and ../shared/problems is not there";
  ExpectLadderSolves(files, 1e-4);
  ExpectLadderSolves(files, 1e-8);
}

TEST(Agreement, NoSolverLies) {
  constexpr double kTolerance = 1e-6;
  std::vector<fs::path> files = OwnProblems();
  for (const fs::path& file : ProblemsOfOthers()) files.push_back(file);
  std::map<std::string, std::pair<int, int>> score;  // solved, tried
  std::string failures;
  for (const fs::path& file : files) {
    const std::string name = file.filename();
    if (kLarge.count(name) > 0) continue;
    const PreparedProblem problem = Prepare(LoadProblem(file));
    for (const SolverChoice& choice : SolversFor(problem)) {
      if (!choice.refusal.empty()) continue;
      SolveSettings settings;
      settings.solver = choice.name;
      settings.tolerance = kTolerance;
      settings.time_limit = 0.3;
      const ProblemSolution solution = Solve(problem, settings);
      const bool solved = solution.status == SolveStatus::kSolved;
      EXPECT_TRUE(!solved || solution.residual <= kTolerance) << choice.name << " on " << name;
      EXPECT_TRUE(!solved || kUnsolvable.count(name) == 0) << choice.name << " on " << name;
      EXPECT_TRUE(solution.r.allFinite() && solution.u.allFinite() && solution.z.allFinite()) << choice.name;
      ++score[choice.name].second;
      score[choice.name].first += solved ? 1 : 0;
      if (!solved && kUnsolvable.count(name) == 0) {
        failures +=
            fmt::format("| {} | {} | {} | {:.1e} |\n", name, choice.name, ToString(solution.status), solution.residual);
      }
    }
  }
  std::string text = fmt::format("tolerance {:g}, 0.3 s each\n\n| solver | solved | of |\n|---|---|---|\n", kTolerance);
  for (const auto& [solver, counts] : score)
    text += fmt::format("| {} | {} | {} |\n", solver, counts.first, counts.second);
  text += "\nnot solved:\n\n| problem | solver | status | residual |\n|---|---|---|---|\n" + failures;
  std::ofstream(fs::path(SLIPSTICK_BINARY_DIR) / "agreement.md") << text;
  fmt::print("{}", text);
}

}  // namespace
}  // namespace slipstick::internal
