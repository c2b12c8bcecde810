#pragma once

#include "slipstick/model/constraints.h"
#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// Adds the given forces on bodies at time t.
void AddGivenWrenches(const Model& model, const Kinematics& kinematics, double time, BodyWrenches* wrenches);

// What the inboard joint of each body does to it, friction and drives within the joint included: Newton–Euler from the
// leaves to the roots with the accelerations v̇ (docs/theory.md (T4d)). `wrenches` holds all other forces on the bodies
// but gravity, and is overwritten by the reactions. Bodies that no joint holds are left as they are.
void ComputeJointReactions(const Model& model, const Kinematics& kinematics, ConstRef<VecX> acceleration,
                           BodyWrenches* wrenches);

}  // namespace slipstick::internal
