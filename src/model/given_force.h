#pragma once

#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// A given force on a body at one time, in world axes.
struct GivenForce {
  Vec3 point = Vec3::Zero();  // where the force acts
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

GivenForce EvaluateForce(const BodyForce& given, const Kinematics& kinematics, double time);

}  // namespace slipstick::internal
