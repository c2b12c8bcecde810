#pragma once

#include "slipstick/solve/performance_profile.h"
#include "slipstick/solve/solve_record.h"

namespace slipstick::internal {

// What one solver did on all problems.
struct SolverTally {
  std::string solver;
  int problems = 0, solved = 0;
  int fastest = 0;     // problems on which it was the fastest of those that solved them, or as fast
  double seconds = 0;  // on all problems, solved or not
};

// Solvers in the order of their first record.
std::vector<SolverTally> TallySolvers(const std::vector<SolveRecord>& records);

// The profile of these solvers over all files of the records.
PerformanceProfile ProfileOf(const std::vector<SolveRecord>& records, const std::vector<SolverTally>& solvers);

}  // namespace slipstick::internal
