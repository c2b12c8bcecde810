#pragma once

#include "slipstick/contact/contact_problem.h"

namespace slipstick::internal {

// What contacts and joints carry from a step's answer to the next step, in the slots that the problem has.
void StoreContacts(const ContactProblem& problem, const ContactSolution& solution, ContactMemory* memory);
void StoreJoints(const ContactProblem& problem, const ContactSolution& solution, JointMemory* memory);

}  // namespace slipstick::internal
