#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick::internal {

// How hard a step's rows J = (bilateral, bounded, contacts) are to tell apart, (T11) of docs/theory.md: of the Delassus
// matrix W = J M⁻¹ Jᵀ, with the normals' compliance on its diagonal and each contact and each other row scaled to a
// mean diagonal of 1, the largest eigenvalue over the smallest one that is not zero. Rows that depend on others (a
// fourth leg) make W singular and count in the rank alone: they leave impulses open, not velocities. Tangential,
// spinning and rolling rows without friction are no rows.
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

// Worse conditioned; of equals, to six digits, the one with more rows too many.
bool IsWorse(const ProblemCondition& a, const ProblemCondition& b);

// The matrix W is never formed: its eigenvalues but zero are those of Jᵀ F² J v = λ M v, which has the size of the
// velocities and the sparsity of the bodies' graph. Up to `largest_dense` of them all eigenvalues are computed; beyond,
// the largest by Lanczos' method, and rank and smallest by counting with Sylvester's law of inertia, a dozen sparse
// factorizations, to 2 %.
ProblemCondition ConditionOf(const ContactProblem& problem, const ConditionSettings& settings = {});

}  // namespace slipstick::internal
