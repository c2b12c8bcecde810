#pragma once

#include "slipstick/problem/friction_problem.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// The friction cone of a contact, from the number of its rows.
FrictionCone ConeOfContact(const ContactCoefficients& contacts, int i);

// The sets of the contacts' impulses, then those of the bilateral rows.
std::vector<ConeBlock> BlocksOf(const LocalProblem& problem);

// The program of a saved problem: the rows of the contacts, then the bilateral ones, whose λ and residual are the tail
// of r and u.
ConeProgram ToConeProgram(const LocalProblem& problem, bool non_associated = true);

}  // namespace slipstick::internal
