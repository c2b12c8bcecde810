#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/program/program_solver.h"

namespace slipstick::internal {

struct LawAnswer {
  ContactSolution solution;
  SolveReport report;  // of the last program solved
  int programs = 0;    // how many programs it took: one, or more where bounds were iterated
};

// A law of contact and friction: turns the physical problem into a program, has it solved, and turns the answer back
// into impulses. One file a law.
class Law {
 public:
  virtual ~Law() = default;

  // What the law keeps of each contact and of each row of joint friction besides the forces it carried: declared here,
  // found in ContactSet::memory and BoundedSet::memory, answered for in ContactSolution. Nothing else needs to know.
  virtual MemorySlots ContactSlots() const { return {}; }
  virtual MemorySlots JointSlots() const { return {}; }

  virtual LawAnswer Solve(const ContactProblem& problem, ProgramSolver& solver) const = 0;

  // How far velocities and impulses are from what this law says, as a velocity [m/s]: the largest natural-map residual
  // over all rows. Evaluated on the physical problem with `after`, J v⁺; uses no program and no solver.
  virtual double Residual(const ContactProblem& problem, const ContactSolution& solution,
                          const ContactMotion& after) const = 0;
  // Of each contact the gap that a convex law adds where it slides, rolls or spins [m]; nothing: an exact law.
  virtual VecX RelaxationGaps(const ContactProblem& /*problem*/, const ContactSolution& /*solution*/,
                              const ContactMotion& /*after*/) const {
    return {};
  }
  double Residual(const ContactProblem& problem, const ContactSolution& solution) const {
    ContactMotion after;
    ComputeEndMotion(problem, solution.velocity, &after);
    return Residual(problem, solution, after);
  }
};

}  // namespace slipstick::internal
