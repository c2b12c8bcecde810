#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// The problem with v⁺ eliminated, dense, for laws that become a mixed LCP or fix their bounds; without angular rows and
// compliance: row velocities minus targets are W p + q, with rows in the order bilateral, bounded,
// contacts (normal, tangent_1, tangent_2). W = J M⁻¹ Jᵀ is the Delassus matrix, docs/theory.md (T5).
struct DelassusForm {
  MatX W;  // empty where velocities are kept instead
  VecX q;
  int bilateral = 0;  // number of rows
  int bounded = 0;
  int contacts = 0;

  bool keeps_velocities() const { return W.size() == 0 && q.size() > 0; }
  int bounded_row(int i) const { return bilateral + i; }
  int contact_row(int i) const { return bilateral + bounded + 3 * i; }
};

DelassusForm BuildDelassusForm(const ContactProblem& problem);
// The same without W.
DelassusForm BuildRowsAlone(const ContactProblem& problem);

// Impulses of all rows, in the form's order, as a solution with its velocity.
ContactSolution SolutionFromImpulses(const ContactProblem& problem, const DelassusForm& form, ConstRef<VecX> impulses);

// The blocks of a cone program for the bilateral and bounded rows, which come before the contacts'.
void AppendBlocksOutsideContacts(const ContactProblem& problem, const DelassusForm& form,
                                 std::vector<ConeBlock>* blocks);

// Impulses of the last step where a contact remembers them, zero elsewhere.
VecX RememberedImpulses(const ContactProblem& problem, const DelassusForm& form);

// |z − clamp(z − m w, lower, upper)| / m: natural-map residual of a row with bounds, as a velocity; m is the mass that
// turns velocities into impulses.
double IntervalResidual(double z, double w, double lower, double upper, double m);

// 1/(J M⁻¹ Jᵀ) of each row; 1 where the row moves nothing.
VecX RowMasses(const ContactProblem& problem, const BlockRows& rows);
double RowMass(const ContactProblem& problem, const BlockRows& rows, int group);  // a group of one row

// Largest residual of the bilateral and bounded rows, which are the same for all laws.
double ResidualOutsideContacts(const ContactProblem& problem, const ContactSolution& solution);

// The same of a contact's normal row, whose velocity must not fall below `target`.
double NormalResidual(const ContactProblem& problem, const ContactSolution& solution, const ContactMotion& after, int i,
                      double target);

// Row velocities of all contacts, J v, and of their angular rows.
VecX ContactVelocities(const ContactProblem& problem, ConstRef<VecX> velocity);

}  // namespace slipstick::internal
