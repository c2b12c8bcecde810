#pragma once

#include "slipstick/program/stop_rule.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// Programs with velocities kept by what suits them: Newton's method from the states of the last step where these prove
// themselves soon, interior points, which need no start, and Newton's method on the path from soft to hard contacts.
ConeAnswer SolveVelocityProgram(const VelocityProgram& program, const StopRule& stop, const VecX* states);

}  // namespace slipstick::internal
