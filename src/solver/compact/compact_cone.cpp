#include "slipstick/solver/compact/compact_cone.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {

CompactScale ScaleOf(const CompactProgram& program, const CompactContact& contact) {
  const ContactDiagonal own = OwnDiagonal(program, contact);
  if (!(own.normal > 0)) return {};
  CompactScale scale{1 / std::sqrt(own.normal), 0, std::max(1.0, own.tangential / own.normal)};
  if (contact.has_moment() && own.angular > 0) scale.length = std::sqrt(own.normal / own.angular);
  return scale;
}

CompactPair ProjectScaled(const CompactContact& contact, const CompactScale& scale, const CompactPair& z) {
  const Vec3& n = contact.normal;
  const double normal = n.dot(z.force);
  const Vec3 sliding = z.force - normal * n;
  const double slid = sliding.norm();
  const auto shrunk = [](double length, double before) { return before > 0 ? length / before : 0.0; };
  if (scale.length == 0) {
    double p[3] = {normal, slid, 0};
    ProjectOnFrictionCone(FrictionCone::Sliding(contact.friction), p, p);
    return {p[0] * n + shrunk(p[1], slid) * sliding, Vec3::Zero()};
  }
  const double spinning = n.dot(z.moment);
  const Vec3 rolling = z.moment - spinning * n;
  const double rolled = rolling.norm();
  double p[6] = {normal, slid, 0, spinning, rolled, 0};
  ProjectOnFrictionCone(FrictionCone::SpinningAndRolling(contact.friction, contact.spinning / scale.length,
                                                         contact.rolling / scale.length),
                        p, p);
  return {p[0] * n + shrunk(p[1], slid) * sliding, p[3] * n + shrunk(p[4], rolled) * rolling};
}

CompactPair ScaledVelocity(const CompactContact& contact, const CompactScale& scale,
                           const CompactVelocities& velocities, const Vec3& force) {
  CompactPair u{scale.factor * ContactVelocity(contact, velocities, force), Vec3::Zero()};
  if (scale.length > 0) u.moment = scale.factor * scale.length * ContactSpin(contact, velocities);
  return u;
}

double ScaledSlip(const CompactContact& contact, const CompactScale& scale, const CompactPair& velocity) {
  const Vec3 &n = contact.normal, &u = velocity.force, &spin = velocity.moment;
  const double sliding = contact.friction * (u - n.dot(u) * n).norm();
  if (scale.length == 0) return sliding;
  const double turning = n.dot(spin);
  return sliding +
         (contact.rolling * (spin - turning * n).norm() + contact.spinning * std::abs(turning)) / scale.length;
}

}  // namespace slipstick::internal
