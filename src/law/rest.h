#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// Of a step's velocity scale: what slower is at rest, and what impulses must leave at most to be an answer that holds,
// well within what the certificate allows.
constexpr double kRest = 1e-7, kHolds = 1e-8;

// Whether nothing slides as the step begins. Then impulses that hold everything, where such exist, are the answer of a
// law that may have others: what can hold, holds (docs/theory.md §5.1).
bool BeginsAtRest(const ContactProblem& problem);

// Whether an answer holds all contacts that it loads: no row of such, but its first, is faster.
bool Hold(const ConeAnswer& answer, const std::vector<ConeBlock>& contacts, double slow);

}  // namespace slipstick::internal
