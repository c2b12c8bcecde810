#include "slipstick/program/compact_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// a part that is not finite compares as the worst
double Worse(double worst, double value) { return value <= worst ? worst : value; }

Vec3 Across(const Vec3& normal, const Vec3& vector) { return vector - normal.dot(vector) * normal; }

Vec3 OnDisk(const Vec3& vector, double radius) {
  const double length = vector.norm();
  return length <= radius ? vector : Vec3(vector * (radius / length));
}

Mat3 Skew(const Vec3& r) {
  Mat3 m;
  m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return m;
}

// Change of the contact point's velocity per impulse there, of one body.
Mat3 PointMobility(const CompactBody& body, const Vec3& arm) {
  const Mat3 skew = Skew(arm);
  return body.inverse_mass * Mat3::Identity() - skew * body.inverse_inertia * skew;
}

// Largest eigenvalue of a symmetric matrix on the plane across the normal.
double LargestAcross(const Mat3& matrix, const Vec3& normal) {
  const Vec3 t1 = normal.unitOrthogonal(), t2 = normal.cross(t1);
  const double a = t1.dot(matrix * t1), b = t1.dot(matrix * t2), c = t2.dot(matrix * t2);
  return 0.5 * (a + c) + std::hypot(0.5 * (a - c), b);
}

}  // namespace

void ComputeVelocities(const CompactProgram& program, const CompactImpulses& impulses, CompactVelocities* velocities) {
  velocities->linear.resize(program.bodies.size());
  velocities->angular.resize(program.bodies.size());
  for (std::size_t b = 0; b < program.bodies.size(); ++b) velocities->linear[b].setZero();
  for (std::size_t b = 0; b < program.bodies.size(); ++b) velocities->angular[b].setZero();
  // momenta first, so that each inertia is multiplied once
  for (int i = 0; i < program.size(); ++i) {
    if (program.touches_mechanism(i)) continue;
    const CompactContact contact = program.contact(i);
    const Vec3 &force = impulses.force[i], &moment = impulses.moment[i];
    if (contact.body_a >= 0) {
      velocities->linear[contact.body_a] += force;
      velocities->angular[contact.body_a] += contact.arm_a.cross(force) + moment;
    }
    if (contact.body_b >= 0) {
      velocities->linear[contact.body_b] -= force;
      velocities->angular[contact.body_b] -= contact.arm_b.cross(force) + moment;
    }
  }
  for (std::size_t b = 0; b < program.bodies.size(); ++b) {
    const CompactBody& body = program.bodies[b];
    velocities->linear[b] = body.velocity + body.inverse_mass * velocities->linear[b];
    velocities->angular[b] = body.angular_velocity + body.inverse_inertia * velocities->angular[b];
  }
}

Vec3 ContactVelocity(const CompactContact& contact, const CompactVelocities& velocities, const Vec3& force) {
  Vec3 u = contact.tangential_compliance * force +
           ((contact.normal_compliance - contact.tangential_compliance) * contact.normal.dot(force) - contact.target) *
               contact.normal +
           contact.offset;
  if (contact.body_a >= 0) {
    u += velocities.linear[contact.body_a] + velocities.angular[contact.body_a].cross(contact.arm_a);
  }
  if (contact.body_b >= 0) {
    u -= velocities.linear[contact.body_b] + velocities.angular[contact.body_b].cross(contact.arm_b);
  }
  return u;
}

Vec3 ContactSpin(const CompactContact& contact, const CompactVelocities& velocities) {
  Vec3 spin = Vec3::Zero();
  if (contact.body_a >= 0) spin += velocities.angular[contact.body_a];
  if (contact.body_b >= 0) spin -= velocities.angular[contact.body_b];
  return spin;
}

ContactDiagonal OwnDiagonal(const CompactProgram& program, const CompactContact& contact) {
  Mat3 point = Mat3::Zero(), turning = Mat3::Zero();
  if (contact.body_a >= 0) {
    point += PointMobility(program.bodies[contact.body_a], contact.arm_a);
    turning += program.bodies[contact.body_a].inverse_inertia;
  }
  if (contact.body_b >= 0) {
    point += PointMobility(program.bodies[contact.body_b], contact.arm_b);
    turning += program.bodies[contact.body_b].inverse_inertia;
  }
  return {contact.normal.dot(point * contact.normal) + contact.normal_compliance,
          LargestAcross(point, contact.normal) + contact.tangential_compliance,
          std::max(LargestAcross(turning, contact.normal), contact.normal.dot(turning * contact.normal))};
}

double ContactResidual(const CompactProgram& program, int i, const CompactImpulses& impulses,
                       const CompactVelocities& velocities) {
  const CompactContact contact = program.contact(i);
  const Vec3 &n = contact.normal, &force = impulses.force[i], &moment = impulses.moment[i];
  const ContactDiagonal own = OwnDiagonal(program, contact);
  if (own.normal == 0) return 0;  // two things that do not move
  const Vec3 u = ContactVelocity(contact, velocities, force), spin = ContactSpin(contact, velocities);
  const Vec3 sliding = Across(n, u), rolling = Across(n, spin);
  const double turning = n.dot(spin);
  double normal_velocity = n.dot(u);
  if (!program.non_associated) {
    normal_velocity -=
        contact.friction * sliding.norm() + contact.rolling * rolling.norm() + contact.spinning * std::abs(turning);
  }
  const double p = n.dot(force), load = std::max(p, 0.0);
  const Vec3 tangential = Across(n, force);
  double worst = own.normal * std::abs(p - std::max(p - normal_velocity / own.normal, 0.0));
  worst =
      Worse(worst, own.tangential *
                       (tangential - OnDisk(tangential - sliding / own.tangential, contact.friction * load)).norm());
  if (!contact.has_moment() || own.angular == 0) return worst;
  // a torque moves the surface as far as a force does at this distance
  const double length = std::sqrt(own.normal / own.angular);
  const Vec3 rolled = Across(n, moment);
  const double limit = contact.spinning * load, spun = n.dot(moment);
  worst = Worse(
      worst, length * own.angular * (rolled - OnDisk(rolled - rolling / own.angular, contact.rolling * load)).norm());
  return Worse(worst, length * own.angular * std::abs(spun - std::clamp(spun - turning / own.angular, -limit, limit)));
}

double CompactResidual(const CompactProgram& program, const CompactImpulses& impulses,
                       const CompactVelocities& velocities) {
  double worst = 0;
  for (int i = 0; i < program.size(); ++i) worst = Worse(worst, ContactResidual(program, i, impulses, velocities));
  return std::isfinite(worst) ? worst : std::numeric_limits<double>::infinity();
}

std::string Check(const CompactProgram& program) {
  const int count = static_cast<int>(program.bodies.size());
  for (const CompactBody& body : program.bodies) {
    if (!(body.inverse_mass >= 0) || !std::isfinite(body.inverse_mass) || !body.inverse_inertia.allFinite() ||
        !body.velocity.allFinite() || !body.angular_velocity.allFinite()) {
      return "a body's mass or velocity is not finite";
    }
  }
  for (int i = 0; i < program.size(); ++i) {
    const CompactContact contact = program.contact(i);
    if (contact.body_a < -1 || contact.body_b < -1 || contact.body_a >= count || contact.body_b >= count) {
      return "a contact names a body that is not there";
    }
    if (contact.body_a == contact.body_b && contact.body_a >= 0) return "a contact of a body with itself";
    const double numbers = contact.normal.sum() + contact.arm_a.sum() + contact.arm_b.sum() + contact.target +
                           contact.offset.sum() + contact.friction + contact.rolling + contact.spinning +
                           contact.normal_compliance + contact.tangential_compliance;
    if (!std::isfinite(numbers)) return "a contact has a number that is not finite";
    if (std::min({contact.friction, contact.rolling, contact.spinning, contact.normal_compliance,
                  contact.tangential_compliance}) < 0) {
      return "a coefficient of friction or a compliance below 0";
    }
  }
  return "";
}

}  // namespace slipstick::internal
