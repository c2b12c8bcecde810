#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

// How hard a step's rows J = (bilateral, bounded, contacts) are to tell apart, (T11) of docs/theory.md: of the Delassus
// matrix W = J M⁻¹ Jᵀ, each contact and each other row scaled to a mean diagonal of 1, the largest eigenvalue over the
// smallest one that is not zero. Rows that depend on others (a fourth leg) make W singular and count in the rank alone:
// they leave impulses open, not velocities. Tangential rows without friction are no rows.
struct ProblemCondition {
  double number =
      1;  // largest over smallest eigenvalue on the range of W; 1 where there is none, ∞ where M is singular
  int rows = 0;
  int rank = 0;

  int deficit() const { return rows - rank; }
};

struct ConditionSettings {
  int largest_dense = 150;  // velocities of the bodies in contact up to which all eigenvalues are computed
};

// Worse conditioned; of equals the one with more rows too many.
bool IsWorse(const ProblemCondition& a, const ProblemCondition& b);

// The matrix W is never formed: its eigenvalues but zero are those of Jᵀ F² J v = λ M v, which has the size of the
// velocities and the sparsity of the bodies' graph. Up to `largest_dense` of them all eigenvalues are computed; beyond,
// the two at the ends by Lanczos' method (with the inverse, by one sparse factorization, for the small one) to about
// two digits, and the rank by Sylvester's law of inertia.
ProblemCondition ConditionOf(const ContactProblem& problem, const ConditionSettings& settings = {});

}  // namespace slipstick
