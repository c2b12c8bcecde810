#pragma once

#include "slipstick/assembly/assemble_problem.h"

namespace slipstick::internal {

// (h/2) J̇ v of a contact along its tangents, docs/theory.md (T3c): how the velocity at which two bodies pass each other
// at their point of contact changes from the problem's configuration to the end of the step, for velocities of joints
// that stay as they are and bodies that turn freely. World axes. `moved` is the way of the point since the last step.
Vec3 ContactCurvature(const Model& model, const Kinematics& kinematics, const ContactProblem& problem, int contact,
                      int body_a, int body_b, const Vec3& moved);

}  // namespace slipstick::internal
