#pragma once

#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// A given force on a body at one time, in world axes.
struct GivenForce {
  Vec3 point = Vec3::Zero();  // where the force acts
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

GivenForce EvaluateForce(const BodyForce& given, const Kinematics& kinematics, double time);
GivenForce EvaluateForce(const Inputs::Wrench& given, const Kinematics& kinematics);

// Calls function(body, force) for the forces on bodies that the scene gives and those that were fed in.
template <typename F>
void ForEachGivenForce(const Model& model, const Kinematics& kinematics, double time, F&& function) {
  for (const BodyForce& given : model.body_forces) function(given.body, EvaluateForce(given, kinematics, time));
  for (const Inputs::Wrench& given : model.given_wrenches) function(given.body, EvaluateForce(given, kinematics));
}

}  // namespace slipstick::internal
