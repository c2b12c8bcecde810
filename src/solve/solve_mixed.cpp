#include "slipstick/solve/solve_mixed.h"

#include <algorithm>
#include <chrono>

#include "slipstick/base/check.h"
#include "slipstick/base/deadline.h"
#include "slipstick/base/fault.h"
#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"
#include "slipstick/solver/mlcp/mlcp_auto.h"
#include "slipstick/solver/mlcp/mlcp_general.h"

namespace slipstick::internal {
namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kBlockPivoting = "block-pivoting";
constexpr const char* kLemke = "lemke";

constexpr int kTightenings = 3;  // of a solver's own tolerance, a factor 10 each

MlcpAnswer SolveBy(const std::string& solver, const BoundedMlcp& square, const Settings& settings, double tightening,
                   double seconds, const VecX* warm) {
  if (solver == kBlockPivoting) {
    BlockPivotingSettings own = BlockPivotingSettings::Table().From(settings);
    own.tolerance *= tightening;
    own.seconds = seconds;
    return SolveByBlockPivoting(square, own, warm);
  }
  if (solver == kLemke) {
    LemkeSettings own = LemkeSettings::Table().From(settings);
    own.tolerance *= tightening;
    own.seconds = seconds;
    return SolveByLemke(square, own);
  }
  MlcpAutoSettings own;
  own.tolerance *= tightening;
  own.seconds = seconds;
  return SolveMlcpByAuto(square, own, warm);
}

// Judged on the problem as it was given.
ProblemSolution Judge(const MixedProblem& problem, const SquareMlcp& square, const VecX& z) {
  ProblemSolution solution;
  solution.z.resize(problem.M.cols());
  for (int column = 0; column < solution.z.size(); ++column) solution.z[column] = z[square.columns[column]];
  solution.w = problem.M * solution.z + problem.q;
  const ProblemResidual residual = ResidualOf(problem, solution.z);
  solution.residual = residual.relative;
  solution.residual_per_contact = residual.per_contact;
  return solution;
}

}  // namespace

std::vector<SolverChoice> MixedSolvers() {
  return {{kAuto, "one after the other of the below, then interior points and enumeration, until one is good", {}, ""},
          {kBlockPivoting, "block principal pivoting with bounds (Júdice & Pires)",
           BlockPivotingSettings::Table().Specs(), ""},
          {kLemke, "Lemke's method, lexicographic", LemkeSettings::Table().Specs(), ""}};
}

ProblemSolution SolveMixed(const MixedProblem& problem, const SolveSettings& settings) {
  const std::vector<SolverChoice> known = MixedSolvers();
  const auto choice =
      std::find_if(known.begin(), known.end(), [&](const SolverChoice& one) { return one.name == settings.solver; });
  SLIPSTICK_CHECK(choice != known.end(), "a solver of MixedSolvers()");
  std::vector<Fault> faults;
  const Settings own = Settings::Read(choice->settings, settings.solver_settings, "solver", &faults);
  if (!faults.empty()) throw InputError(faults);

  const Deadline deadline(settings.time_limit);
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const SquareMlcp square = MakeSquare(problem.M, problem.q, problem.is_equation, problem.is_free);
  ProblemSolution best;
  int iterations = 0;
  double tightening = 1, took = 0;
  std::vector<SolveAttempt> tried;
  VecX warm;
  for (int attempt = 0; attempt <= kTightenings; ++attempt) {
    const double before = seconds();
    MlcpAnswer answer = SolveBy(settings.solver, square.problem, own, tightening, deadline.SecondsLeft(),
                                attempt > 0 ? &warm : nullptr);
    took = seconds();
    SolveReport& report = answer.report;
    ProblemSolution found = Judge(problem, square, answer.z);
    found.solver = report.solver.empty() ? settings.solver : report.solver;
    found.history = std::move(report.history);
    iterations += report.iterations;
    if (report.tried.empty())
      report.tried = {{found.solver, report.status, report.iterations, found.residual, took - before}};
    tried.insert(tried.end(), report.tried.begin(), report.tried.end());
    const bool says_solved = report.status == SolveStatus::kSolved;
    // claims that do not hold are no more than a lack of progress; a proof that there is no solution is one, however
    // near a point may come to solving
    found.status = report.status == SolveStatus::kNoSolution ? SolveStatus::kNoSolution
                   : found.residual <= settings.tolerance    ? SolveStatus::kSolved
                   : says_solved                             ? SolveStatus::kStalled
                                                             : report.status;
    const bool is_first = attempt == 0;
    if (is_first || found.residual < best.residual) best = std::move(found);
    if (best.status == SolveStatus::kSolved || !says_solved || deadline.HasPassed()) break;
    warm = answer.z;
    tightening *= 0.1;
  }
  best.iterations = iterations;
  best.seconds = took;
  best.tried = std::move(tried);
  return best;
}

}  // namespace slipstick::internal
