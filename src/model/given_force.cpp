#include "slipstick/model/given_force.h"

namespace slipstick::internal {

GivenForce EvaluateForce(const BodyForce& given, const Kinematics& kin, double time) {
  GivenForce now;
  for (int i = 0; i < 3; ++i) {
    now.force[i] = given.force[i](time);
    now.torque[i] = given.torque[i](time);
  }
  const Pose X_WB = kin.PoseOf(given.body);
  if (given.in_body_axes) {
    now.force = X_WB.rotation * now.force;
    now.torque = X_WB.rotation * now.torque;
  }
  now.point = X_WB * given.point;
  return now;
}

GivenForce EvaluateForce(const Inputs::Wrench& given, const Kinematics& kin) {
  return {kin.PoseOf(given.body) * given.point, given.force, given.torque};
}

}  // namespace slipstick::internal
