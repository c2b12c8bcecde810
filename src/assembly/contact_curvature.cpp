#include "slipstick/assembly/contact_curvature.h"

namespace slipstick::internal {
namespace {

// Rate of the velocity that a body has at a point which moves with `speed`, along motion without forces.
Vec3 RateAtPoint(const Kinematics& kin, const RigidMass* free, int body, const Vec3& point, const Vec3& speed) {
  const Vec3 &spin = kin.angular_velocity[body], arm = point - kin.X_WB[body].position;
  Vec3 angular = kin.angular_bias[body], linear = kin.linear_bias[body];
  if (free != nullptr) {
    angular = -(free->inverse_inertia * spin.cross(free->inertia * spin));
    linear = -(angular.cross(free->com) + spin.cross(spin.cross(free->com)));
  }
  return linear + angular.cross(arm) + spin.cross(speed - kin.linear_velocity[body]);
}

}  // namespace

Vec3 ContactCurvature(const Model& model, const Kinematics& kin, const ContactProblem& problem, int contact, int body_a,
                      int body_b, const Vec3& moved) {
  const ContactSet& contacts = problem.contacts;
  const BlockRows& rows = contacts.jacobian;
  const Vec3& point = contacts.position[contact];
  const Vec3 speed = moved / problem.step;
  Vec3 rate(0, 0, 0);
  const auto add = [&](int body, int tree, double sign) {
    if (body == kWorld) return;
    const RigidMass* free = tree >= 0 && model.tree_is_lone[tree] ? problem.mass.rigid(tree) : nullptr;
    rate += sign * RateAtPoint(kin, free, body, point, speed);
  };
  add(body_a, rows.block_a(contact), 1);
  add(body_b, rows.block_b(contact), -1);
  const Vec3 n = contacts.normal(contact);
  return 0.5 * problem.step * (rate - n.dot(rate) * n);
}

}  // namespace slipstick::internal
