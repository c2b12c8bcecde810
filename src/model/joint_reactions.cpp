#include "slipstick/model/joint_reactions.h"

#include "slipstick/model/given_force.h"

namespace slipstick::internal {

void AddGivenWrenches(const Model& model, const Kinematics& kin, double time, BodyWrenches* wrenches) {
  ForEachGivenForce(model, kin, time, [&](int body, const GivenForce& now) {
    wrenches->AddForce(kin, body, now.point, now.force);
    wrenches->AddTorque(body, now.torque);
  });
}

void ComputeJointReactions(const Model& model, const Kinematics& kin, ConstRef<VecX> acceleration,
                           BodyWrenches* wrenches) {
  // J v̇ of the bodies is to v̇ what their velocities are to v
  BodyVelocities rates;
  ComputeBodyVelocities(model, kin, acceleration, &rates);
  for (const int i : model.linked_bodies) {
    const ModelBody& body = model.bodies[i];
    const Mat3& R_WB = kin.R_WB[i];
    const Vec3 c = R_WB * body.com;
    const Vec3& w = kin.angular_velocity[i];
    const Mat3 inertia = R_WB * body.inertia * R_WB.transpose();
    const Vec3 alpha = kin.angular_bias[i] + rates.angular[i];
    const Vec3 a_com = kin.linear_bias[i] + rates.linear[i] + alpha.cross(c) + w.cross(w.cross(c));
    const Vec3 change = body.mass * (a_com - model.gravity);
    wrenches->force[i] = change - wrenches->force[i];
    wrenches->torque[i] = inertia * alpha + w.cross(inertia * w) + c.cross(change) - wrenches->torque[i];
  }
  for (auto next = model.linked_bodies.rbegin(); next != model.linked_bodies.rend(); ++next) {
    const int i = *next, parent = model.bodies[i].parent;
    if (parent == kWorld) continue;
    const Vec3 r = kin.X_WB[i].position - kin.X_WB[parent].position;
    wrenches->force[parent] += wrenches->force[i];
    wrenches->torque[parent] += wrenches->torque[i] + r.cross(wrenches->force[i]);
  }
}

}  // namespace slipstick::internal
