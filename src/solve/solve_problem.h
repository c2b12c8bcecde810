#pragma once

#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/program/solve_report.h"
#include "slipstick/solve/prepared_problem.h"

namespace slipstick::internal {

// Saved contact problems, or those of another simulator: numbers in, impulses out, judged by the independent residual
// (problem/residual.h).

struct SolveSettings {
  std::string solver = "auto";                                  // a name of SolversFor
  double tolerance = 1e-8;                                      // of ProblemResidual::relative
  double time_limit = std::numeric_limits<double>::infinity();  // seconds
  bool convex = false;            // the convex relaxation in place of exact Coulomb; friction problems only
  GivenSettings solver_settings;  // of the solver, see SolverChoice::settings
};

struct ProblemSolution {
  // friction problems
  VecX r, u;    // impulses and velocities of the contacts' rows
  VecX lambda;  // of the bilateral rows
  VecX v;       // of a global problem
  // complementarity problems
  VecX z, w;

  double residual = std::numeric_limits<double>::infinity();  // ProblemResidual::relative
  double residual_per_contact = std::numeric_limits<double>::infinity();
  SolveStatus status = SolveStatus::kStalled;  // kSolved just where residual ≤ tolerance, and no proof against it
  std::string solver;                          // who gave the answer
  int iterations = 0;                          // of all attempts together
  double seconds = 0;                          // the elimination of v included, the final judgement not
  std::vector<SolveAttempt> tried;             // in order; at least one
  std::vector<double> history;                 // the answering solver's own measure after each iteration
};

struct SolverChoice {
  std::string name, summary;
  std::vector<SettingSpec> settings;
  std::string refusal;  // why it does not take this problem, as in "not for rolling contacts"; "": it does
};

// The solvers of such problems, the ladder `auto` first, those that do not take this one included.
std::vector<SolverChoice> SolversFor(const PreparedProblem& problem);

// Throws InputError for an unknown solver, one that does not take the problem, settings that it does not have, or a
// problem that is faulty. A solver that
// says "solved" where the residual does not agree is asked again from its answer, with a tenth of the tolerance, a few
// times; what comes out is told as it is. All numbers of the answer are finite.
ProblemSolution Solve(const PreparedProblem& problem, const SolveSettings& settings = {});
// The same for what a file held, or for a LocalProblem, GlobalProblem, MixedProblem or ContactProblem made in code.
ProblemSolution Solve(const LoadedProblem& problem, const SolveSettings& settings = {});

}  // namespace slipstick::internal
