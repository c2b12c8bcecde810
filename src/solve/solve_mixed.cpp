#include "slipstick/solve/solve_mixed.h"

#include <algorithm>
#include <chrono>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"
#include "slipstick/solver/block_pivoting.h"
#include "slipstick/solver/lemke.h"
#include "slipstick/solver/mlcp_auto.h"
#include "slipstick/solver/mlcp_general.h"

namespace slipstick {
namespace {

constexpr const char* kAuto = "auto";
constexpr const char* kBlockPivoting = "block-pivoting";
constexpr const char* kLemke = "lemke";

MlcpAnswer SolveBy(const std::string& solver, const BoundedMlcp& square, const Settings& settings) {
  if (solver == kBlockPivoting) return SolveByBlockPivoting(square, BlockPivotingSettings::From(settings));
  if (solver == kLemke) return SolveByLemke(square, LemkeSettings::From(settings));
  return SolveMlcpByAuto(square, {});
}

}  // namespace

std::vector<SolverChoice> MixedSolvers() {
  return {{kAuto, "one after the other of the below, then interior points and enumeration, until one is good", {}},
          {kBlockPivoting, "block principal pivoting with bounds (Júdice & Pires)", BlockPivotingSettings::Specs()},
          {kLemke, "Lemke's method, lexicographic", LemkeSettings::Specs()}};
}

ProblemSolution SolveMixed(const MixedProblem& problem, const SolveSettings& settings) {
  const std::vector<SolverChoice> known = MixedSolvers();
  const auto choice =
      std::find_if(known.begin(), known.end(), [&](const SolverChoice& one) { return one.name == settings.solver; });
  SLIPSTICK_CHECK(choice != known.end(), "a solver of MixedSolvers()");
  std::vector<Fault> faults;
  const Settings own = Settings::Read(choice->settings, settings.solver_settings, "solver", &faults);
  if (!faults.empty()) throw InputError(faults);

  const auto begin = std::chrono::steady_clock::now();
  const SquareMlcp square = MakeSquare(problem.M, problem.q, problem.is_equation, problem.is_free);
  const MlcpAnswer answer = SolveBy(settings.solver, square.problem, own);
  ProblemSolution solution;
  solution.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  solution.z.resize(problem.M.cols());
  for (int column = 0; column < solution.z.size(); ++column) solution.z[column] = answer.z[square.columns[column]];
  solution.w = problem.M * solution.z + problem.q;
  const ProblemResidual residual = ResidualOf(problem, solution.z);
  solution.residual = residual.relative;
  solution.residual_per_contact = residual.per_contact;
  const SolveReport& report = answer.report;
  // claims that do not hold are no more than a lack of progress
  solution.status = solution.residual <= settings.tolerance ? SolveStatus::kSolved
                    : report.status == SolveStatus::kSolved ? SolveStatus::kStalled
                                                            : report.status;
  solution.solver = report.solver.empty() ? settings.solver : report.solver;
  solution.iterations = report.iterations;
  solution.history = report.history;
  solution.tried = report.tried;
  if (solution.tried.empty()) {
    solution.tried.push_back({solution.solver, report.status, report.iterations, solution.residual, solution.seconds});
  }
  return solution;
}

}  // namespace slipstick
