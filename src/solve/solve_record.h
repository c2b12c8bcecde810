#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/solve/hyperstaticity.h"
#include "slipstick/solve/solve_problem.h"

namespace slipstick::internal {

// One problem given to one solver, and what came out.
struct SolveRecord {
  std::string file;    // as the user named it
  std::string solver;  // asked for; the one that answered is in the solution
  int rows = 0;        // of contacts and constraints, or of complementarity
  int contacts = 0;    // 0: a complementarity problem
  double tolerance = 0;
  ProblemSolution solution;
  std::optional<Hyperstaticity> hyperstaticity;

  bool solved() const { return solution.status == SolveStatus::kSolved; }
};

// "open", "sliding", "sticking", "mixed".
std::string ToString(ContactMode mode);

}  // namespace slipstick::internal
