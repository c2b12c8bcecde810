#pragma once

#include "slipstick/law/law.h"

namespace slipstick::internal {

// A problem without contacts is the same for every law: constraints, friction and stops of joints, which are a mixed
// LCP with bounds (for friction alone QP 4 of Drumwright & Shell 2010, docs/theory.md (T4c)). Solved by
// solver.mlcp, which must be there.
LawAnswer SolveJointRows(const ContactProblem& problem, ProgramSolver& solver);

}  // namespace slipstick::internal
