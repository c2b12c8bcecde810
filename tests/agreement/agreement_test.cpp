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

// A dense method, whose time grows with the cube of the size.
bool TakesTooLong(const std::string& solver, const PreparedProblem& problem) {
  return solver == "gauss-seidel-newton" && problem.is_friction() && problem.local->contacts.rows() > 500;
}

// How many problems a solver must solve: of our own, and of the problems of others where these are there. What a solver
// fails at today is its method's limit (see agreement.md); where answers come close to the tolerance, as on some of the
// others' problems, two more may fail on another processor.
struct LeastSolved {
  int own, others;
};
const std::map<std::string, LeastSolved> kLeastSolved = {{"accelerated-gradient", {12, 48}},
                                                         {"admm", {12, 48}},
                                                         {"auto", {12, 76}},
                                                         {"block-pivoting", {0, 28}},
                                                         {"extragradient", {10, 41}},
                                                         {"gauss-seidel", {8, 40}},
                                                         {"gauss-seidel-newton", {12, 31}},
                                                         {"interior-point", {12, 48}},
                                                         {"lemke", {0, 26}},
                                                         {"proximal-newton", {11, 48}},
                                                         {"semismooth-newton", {3, 37}}};

struct Score {
  int solved = 0, tried = 0;
};

// Everyone on every file, without a limit of time: nothing here depends on how fast the machine is.
std::map<std::string, Score> TryEveryone(const std::vector<fs::path>& files, double tolerance, std::string* failures) {
  std::map<std::string, Score> scores;
  for (const fs::path& file : files) {
    const std::string name = file.filename();
    if (kLarge.count(name) > 0) continue;
    const bool is_solvable = kUnsolvable.count(name) == 0;
    const PreparedProblem problem = Prepare(LoadProblem(file));
    for (const SolverChoice& choice : SolversFor(problem)) {
      if (!choice.refusal.empty() || TakesTooLong(choice.name, problem)) continue;
      SCOPED_TRACE(choice.name + " on " + name);
      SolveSettings settings;
      settings.solver = choice.name;
      settings.tolerance = tolerance;
      const ProblemSolution solution = Solve(problem, settings);
      EXPECT_FALSE(solution.tried.empty());
      // its own word, before anybody has judged its answer
      for (const SolveAttempt& attempt : solution.tried) {
        if (attempt.status != SolveStatus::kSolved) continue;
        EXPECT_LE(attempt.error, tolerance) << attempt.solver << " says that it has solved";
        EXPECT_TRUE(is_solvable) << attempt.solver << " says that it has solved what has no solution";
      }
      EXPECT_TRUE(solution.r.allFinite() && solution.u.allFinite() && solution.z.allFinite());
      const bool solved = solution.status == SolveStatus::kSolved;
      EXPECT_TRUE(is_solvable || !solved);
      Score& score = scores[choice.name];
      ++score.tried;
      score.solved += solved ? 1 : 0;
      if (!solved && is_solvable) {
        *failures +=
            fmt::format("| {} | {} | {} | {:.1e} |\n", name, choice.name, ToString(solution.status), solution.residual);
      }
    }
  }
  return scores;
}

TEST(Agreement, NoSolverLiesAndEachSolvesWhatItCan) {
  constexpr double kTolerance = 1e-6;
  const std::vector<fs::path> others = ProblemsOfOthers();
  std::string failures;
  std::map<std::string, Score> own = TryEveryone(OwnProblems(), kTolerance, &failures),
                               of_others = TryEveryone(others, kTolerance, &failures);
  std::string text =
      fmt::format("tolerance {:g}\n\n| solver | solved | of | of others | of |\n|---|---|---|---|---|\n", kTolerance);
  for (const auto& [solver, least] : kLeastSolved) {
    EXPECT_GE(own[solver].solved, least.own) << solver;
    if (!others.empty()) {
      EXPECT_GE(of_others[solver].solved, least.others) << solver;
    }
    text += fmt::format("| {} | {} | {} | {} | {} |\n", solver, own[solver].solved, own[solver].tried,
                        of_others[solver].solved, of_others[solver].tried);
  }
  for (const auto& scores : {own, of_others}) {
    for (const auto& [solver, score] : scores) {
      EXPECT_EQ(kLeastSolved.count(solver), 1U) << "what must " << solver << " solve at least?";
    }
  }
  text += "\nnot solved:\n\n| problem | solver | status | residual |\n|---|---|---|---|\n" + failures;
  std::ofstream(fs::path(SLIPSTICK_BINARY_DIR) / "agreement.md") << text;
  fmt::print("{}", text);
}

}  // namespace
}  // namespace slipstick::internal
