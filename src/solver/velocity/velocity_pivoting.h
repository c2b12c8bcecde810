#pragma once

#include "slipstick/program/single_rows.h"

namespace slipstick::internal {

// Block pivoting with velocities kept, docs/theory.md (L2b). Where a row holds its velocity is given, and where all
// rows are at bounds the force on it is: what is left are equations in the velocities that move alone, whose matrix is
// that part of M. A partition that stays from one step to the next costs one factorization of it, or none where
// everything moves or everything holds. `start` are impulses whose partition is where it begins. Ends as kSolved, or as
// kStalled with the last point.
SingleRowsAnswer SolveByVelocityPivoting(const SingleRowsProgram& program, const VecX& start);

}  // namespace slipstick::internal
