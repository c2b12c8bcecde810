#pragma once

#include "slipstick/law/law.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// What the laws that are cone programs share, `coulomb` and `cone`: three rows a contact, six where it has rolling or
// spinning friction, sparse W, bilateral and bounded rows in the same program, contacts that give way.
//
// Rows of contact i: normal, tangent_1, tangent_2, and with angular rows spin, roll_1, roll_2. The angular ones are
// scaled by ContactSet::angular_length L, velocities L ω, impulses m/L, limits σ/L and ρ/L, so that all rows of a block
// have the same units and about the same weight: solvers and the natural map take a block as a whole.
struct ContactCones {
  std::vector<double> friction;     // μ of each contact in this step
  std::vector<double> target;       // what the normal velocity is compared with [m/s]
  bool non_associated = true;       // exact, or the convex relaxation
  bool tangential_springs = false;  // C_T with the spring's memory, or tangents that do not give way
};

LawAnswer SolveContactCones(const ContactProblem& problem, const ContactCones& cones, ProgramSolver& solver);

// Largest natural-map residual (T8) over all rows [m/s].
double ContactConesResidual(const ContactProblem& problem, const ContactCones& cones, const ContactSolution& solution,
                            const ContactMotion& after);

// Of each contact the velocities of its rows that the cone sees: targets taken off, what springs give way added,
// angular rows scaled. Entries as in the program; and the impulses likewise.
struct ContactRowValues {
  FrictionCone cone;
  ContactVector velocity, impulse;
  double compliance = 0;  // mean of the rows' [1/kg]
};
ContactRowValues RowValues(const ContactProblem& problem, const ContactCones& cones, const ContactSolution& solution,
                           const ContactMotion& motion, int i);

}  // namespace slipstick::internal
