#pragma once

#include <limits>

#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

struct MlcpAutoSettings {
  double tolerance = 1e-10;                                  // NaturalResidual ≤ tolerance · ResidualScale
  double most_bases = 1 << 16;                               // enumerated at the end
  int largest_for_lemke = 3000;                              // rows; its tableau grows with their square
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, all rungs together
};

// One solver after the other, until an answer's residual meets the tolerance or there is a proof that none can:
//   block-pivoting        SolveByBlockPivoting
//   lemke                 SolveByLemke
//   interior-points       to the end, whatever the matrix
//   feasibility           a proof that no z meets bounds and signs, if there is one
//   lemke-covers          many more covering vectors
//   enumeration           of all bases where they are few: an answer, or a proof
// The answer with the least residual comes back, `report.solver` names who gave it, and `report.tried` tells the story.
// kNoSolution only with a proof; kTimeLimit where the time was over first; else the status of the best answer. It is
// the one ladder of mixed problems, in simulations and for saved problems alike.
MlcpAnswer SolveMlcpByAuto(const BoundedMlcp& problem, const MlcpAutoSettings& settings,
                           const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
