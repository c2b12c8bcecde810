#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick::internal {

// Of the contacts, with the answer's velocity.
inline ContactMotion MotionOf(const ContactProblem& problem, const ContactSolution& solution) {
  ContactMotion motion;
  ComputeContactMotion(problem, solution.velocity, &motion);
  return motion;
}

}  // namespace slipstick::internal
