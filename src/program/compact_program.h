#pragma once

#include <span>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/block_rows.h"
#include "slipstick/math/friction_cone.h"
#include "slipstick/program/compact_mechanisms.h"
#include "slipstick/program/solve_report.h"

namespace slipstick::internal {

// A free rigid body as contacts see it, about its centre of mass, in world axes.
struct CompactBody {
  double inverse_mass = 0;              // [1/kg]
  Mat3 inverse_inertia = Mat3::Zero();  // [1/(kg m²)], symmetric
  Vec3 velocity = Vec3::Zero();         // of the centre of mass, without contact impulses [m/s]
  Vec3 angular_velocity = Vec3::Zero();
  Vec3 center = Vec3::Zero();  // of mass, from the origin that arms of rows go from
};

// A contact of a free body A with another one B, or with what does not move.
struct CompactContact {
  int body_a = -1, body_b = -1;  // −1: does not move
  Vec3 normal = Vec3::UnitZ();   // from B to A
  Vec3 arm_a = Vec3::Zero();     // from the centre of mass to the point of contact [m]
  Vec3 arm_b = Vec3::Zero();
  double target = 0;                 // of the normal velocity [m/s]
  Vec3 offset = Vec3::Zero();        // added to the tangential velocity [m/s]
  double friction = 0;               // μ
  double rolling = 0, spinning = 0;  // ρ, σ [m]
  double normal_compliance = 0;      // added to the contact's own diagonal [m/s per N s]
  double tangential_compliance = 0;

  bool has_moment() const { return rolling > 0 || spinning > 0; }
};

// Contacts that are read off where they are kept, which must stay while the program is used: rigid rows, of which the
// blocks are the bodies, and what the contacts say.
struct CompactRows {
  struct Surface {
    double rolling = 0, spinning = 0, normal_compliance = 0;
  };
  const BlockRows* rows = nullptr;
  std::span<const double> target, friction;
  std::span<const Vec3> offset;  // empty: none
  std::span<const int> surface_of;
  std::vector<Surface> surfaces;
};

// The cone problem of ConeProgram for contacts of free bodies, with W = J M⁻¹ Jᵀ never built: frames and arms in place
// of rows, so that 100,000 contacts stream through the cache. Impulses and velocities are world vectors, which need no
// tangents. Contacts that touch mechanisms are by rows, for solvers that take these.
struct CompactProgram {
  std::vector<CompactBody> bodies;       // those of mechanisms are empty
  std::vector<CompactContact> contacts;  // one by one,
  CompactRows rows;                      // or, where it has rows, these
  CompactMechanisms mechanisms;
  bool non_associated = false;  // exact Coulomb; otherwise the convex relaxation

  int size() const { return rows.rows != nullptr ? rows.rows->groups() : static_cast<int>(contacts.size()); }
  int body_a(int i) const { return rows.rows != nullptr ? rows.rows->block_a(i) : contacts[i].body_a; }
  int body_b(int i) const { return rows.rows != nullptr ? rows.rows->block_b(i) : contacts[i].body_b; }
  // Of one with a mechanism the arms are zero.
  CompactContact contact(int i) const { return rows.rows != nullptr ? FromRows(i) : contacts[i]; }
  bool touches_mechanism(int i) const { return mechanisms.has(body_a(i)) || mechanisms.has(body_b(i)); }

 private:
  CompactContact FromRows(int i) const {
    const CompactRows::Surface& surface = rows.surfaces[rows.surface_of[i]];
    CompactContact contact;
    contact.body_a = rows.rows->block_a(i);
    contact.body_b = rows.rows->block_b(i);
    if (touches_mechanism(i)) {
      contact.normal = rows.rows->frame(i).normal;
    } else {
      const BlockRows::Rigid& rigid = *rows.rows->rigid(i);
      contact.normal = rigid.frame.normal;
      if (contact.body_a >= 0) contact.arm_a = rigid.arm_a - bodies[contact.body_a].center;
      if (contact.body_b >= 0) contact.arm_b = rigid.arm_b - bodies[contact.body_b].center;
    }
    contact.target = rows.target[i];
    if (!rows.offset.empty()) contact.offset = rows.offset[i];
    contact.friction = rows.friction[i];
    contact.rolling = surface.rolling;
    contact.spinning = surface.spinning;
    contact.normal_compliance = surface.normal_compliance;
    return contact;
  }
};

// Impulses on A of every contact: the warm start when solving begins, the answer when it ends.
struct CompactImpulses {
  std::vector<Vec3> force;   // [N s]
  std::vector<Vec3> moment;  // [N m s]; zero where a contact has neither rolling nor spinning friction
  VecX limited;              // of the mechanisms' rows with bounds
};

// Velocities of the bodies.
struct CompactVelocities {
  std::vector<Vec3> linear, angular;
};

// v = v_free + M⁻¹ Jᵀ p, of contacts of free bodies.
void ComputeVelocities(const CompactProgram& program, const CompactImpulses& impulses, CompactVelocities* velocities);

// Of A against B at the contact, with the normal target taken off and compliance added, and as angular velocity.
Vec3 ContactVelocity(const CompactContact& contact, const CompactVelocities& velocities, const Vec3& force);
Vec3 ContactSpin(const CompactContact& contact, const CompactVelocities& velocities);

// Inverse masses of a contact along its normal, across it, and against turning: what an impulse of 1 does to its own
// velocity, the largest of the directions in question, compliance included.
struct ContactDiagonal {
  double normal = 0, tangential = 0, angular = 0;
};
ContactDiagonal OwnDiagonal(const CompactProgram& program, const CompactContact& contact);

// How far impulses with their velocities are from solving the program [m/s]: the largest over the contacts of
//   W_N |p_N − (p_N − w_N / W_N)₊|,   W_k |p_k − P_k(p_k − u_k / W_k)|,   |P_k| ≤ c_k p_N
// over sliding, rolling and spinning parts k, the last two times a length that makes them velocities of the surface;
// w_N is the normal velocity, for the convex relaxation less Σ c_k |u_k|. Zero just where they solve. Infinite where a
// number is not finite.
double CompactResidual(const CompactProgram& program, const CompactImpulses& impulses,
                       const CompactVelocities& velocities);
// The same of one contact; NaN where a number is not finite.
double ContactResidual(const CompactProgram& program, int i, const CompactImpulses& impulses,
                       const CompactVelocities& velocities);

// What is wrong with the program, in words; empty where nothing is.
std::string Check(const CompactProgram& program);

}  // namespace slipstick::internal
