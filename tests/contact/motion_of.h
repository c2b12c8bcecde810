#pragma once

#include "slipstick/contact/energy_account.h"

namespace slipstick {

// Of the contacts, with the answer's velocity.
inline ContactMotion MotionOf(const ContactProblem& problem, const ContactSolution& solution) {
  ContactMotion motion;
  ComputeContactMotion(problem, solution.velocity, &motion);
  return motion;
}

inline StepWork WorkOf(const ContactProblem& problem, const ContactSolution& solution, const VecX& applied) {
  ContactMotion before;
  ComputeContactMotion(problem, problem.velocity, &before);
  return ComputeStepWork(problem, solution, before, MotionOf(problem, solution), applied);
}

}  // namespace slipstick
