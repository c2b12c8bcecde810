#pragma once

#include "slipstick/program/stop_rule.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// Block Gauss–Seidel on a program with velocities kept: contact by contact, the exact solution of its own problem with
// all others held (solver/cone/block_solutions.h), velocities kept up as impulses change. Where the impulses of the
// last step are not far off, a few sweeps bring most contacts into the state that they will have.
struct VelocitySweepSettings {
  int max_iterations = 30;  // sweeps, there and back in turn
  int interval = 10;        // sweeps between two looks at the error
  double gain = 0.9;        // given up where the error is above so much of that at the last look
};

ConeAnswer SolveByVelocitySweep(const VelocityProgram& program, const VelocitySweepSettings& settings,
                                const StopRule& stop, const VecX& start);

}  // namespace slipstick::internal
