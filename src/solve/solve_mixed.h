#pragma once

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solve/solve_problem.h"

namespace slipstick {

// The square problem with bounds that a mixed problem is: the rows in the order of their variables, the k-th equation
// with the k-th free variable. Where there are more equations than free variables, free variables that occur nowhere
// are added, and where there are fewer, equations 0 = 0: singular, but consistent just where the problem is. The
// variables of the problem come first.
BoundedMlcp ToBoundedMlcp(const MixedProblem& problem);

std::vector<SolverChoice> MixedSolvers();

// Expects a problem without faults and a solver of MixedSolvers().
ProblemSolution SolveMixed(const MixedProblem& problem, const SolveSettings& settings);

}  // namespace slipstick
