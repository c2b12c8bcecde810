#pragma once

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/model/joint_reactions.h"

namespace slipstick::internal {

// Forces of contacts on the bodies, from the impulses of a step.
void AddContactWrenches(const Model& model, const Kinematics& kinematics, const ContactProblem& problem,
                        const ContactSolution& solution, BodyWrenches* wrenches);

// Limit of friction that a bearing has under a force and a moment about its middle, (T4d) [N or N m].
double BearingLimit(const BearingFriction& bearing, const Vec3& axis, const Vec3& force, const Vec3& moment);

// Of each bounded row whose friction depends on the load, in the order of the rows: what the loads of an answer add to
// its limit, as an impulse (T4d). Loads are those that the joints carry in the step itself: multipliers where there are
// some, Newton–Euler with the answer's velocities, contacts and constraints else.
VecX ComputeLoadLimits(const Model& model, const MotionState& state, const Kinematics& kinematics,
                       const AssemblyWorkspace& workspace, const ContactProblem& problem,
                       const ContactSolution& solution);

// Sets the limits of these rows to their own ones and what loads add.
void SetLoadLimits(const AssemblyWorkspace& workspace, const VecX& added, BoundedSet* bounded);

}  // namespace slipstick::internal
