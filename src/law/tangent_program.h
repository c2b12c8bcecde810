#pragma once

#include <vector>

#include "slipstick/law/delassus_form.h"
#include "slipstick/law/tangent_rows.h"

namespace slipstick::internal {

// The mixed LCPs of laws with two tangential rows a contact, in the order of a DelassusForm.

// With limits that are numbers: Peiret eq 30 with v⁺ eliminated and each contact's tangents turned to its directions
// (eqs 14, 17). Answers have the form's rows.
MlcpAnswer SolveWithLimits(const ContactProblem& problem, const DelassusForm& form,
                           const std::vector<TangentRows>& rows, const GivenNormals& normals, const VecX& warm,
                           ProgramSolver& solver);

// With limits |p_j| ≤ c_j p_N of this program's own normals at the contacts where `ratios` has c > 0, docs/theory.md
// (L7b): p_j = a_j − b_j and γ_j in place of p_j, as of a polygon with two corners.
MlcpAnswer SolveWithOwnLimits(const ContactProblem& problem, const DelassusForm& form,
                              const std::vector<TangentRows>& rows, const std::vector<Vec2>& ratios,
                              ProgramSolver& solver);

// The same with velocities kept, for a form that has no W.
MlcpAnswer SolveInVelocities(const ContactProblem& problem, const DelassusForm& form,
                             const std::vector<TangentRows>& rows, const std::vector<Vec2>& ratios, const VecX& warm,
                             ProgramSolver& solver);

}  // namespace slipstick::internal
