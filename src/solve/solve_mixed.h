#pragma once

#include "slipstick/solve/solve_problem.h"

namespace slipstick::internal {

// The solvers of complementarity problems, `auto` first.
std::vector<SolverChoice> MixedSolvers();

// Expects a problem without faults and a solver of MixedSolvers().
ProblemSolution SolveMixed(const MixedProblem& problem, const SolveSettings& settings);

}  // namespace slipstick::internal
