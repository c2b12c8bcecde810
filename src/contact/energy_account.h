#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// What each kind of force does in a step. `applied` is the generalized force of the given forces, without gravity.
StepWork ComputeStepWork(const ContactProblem& problem, const ContactSolution& solution, ConstRef<VecX> applied);

}  // namespace slipstick::internal
