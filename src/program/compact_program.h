#pragma once

#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/friction_cone.h"
#include "slipstick/program/solve_report.h"

namespace slipstick {

// A free rigid body as contacts see it, about its centre of mass, in world axes.
struct CompactBody {
  double inverse_mass = 0;              // [1/kg]
  Mat3 inverse_inertia = Mat3::Zero();  // [1/(kg m²)], symmetric
  Vec3 velocity = Vec3::Zero();         // of the centre of mass, without contact impulses [m/s]
  Vec3 angular_velocity = Vec3::Zero();
};

// A contact of a free body A with another one B, or with what does not move.
struct CompactContact {
  int body_a = -1, body_b = -1;  // −1: does not move
  Vec3 normal = Vec3::UnitZ();   // from B to A
  Vec3 arm_a = Vec3::Zero();     // from the centre of mass to the point of contact [m]
  Vec3 arm_b = Vec3::Zero();
  double target = 0;                 // of the normal velocity [m/s]
  double friction = 0;               // μ
  double rolling = 0, spinning = 0;  // ρ, σ [m]
  double normal_compliance = 0;      // added to the contact's own diagonal [m/s per N s]
  double tangential_compliance = 0;

  bool has_moment() const { return rolling > 0 || spinning > 0; }
};

// The cone problem of ConeProgram for contacts of free bodies, with W = J M⁻¹ Jᵀ never built: frames and arms in place
// of rows, so that 100,000 contacts stream through the cache. Impulses and velocities are world vectors, which need no
// tangents.
struct CompactProgram {
  std::vector<CompactBody> bodies;
  std::vector<CompactContact> contacts;
  bool non_associated = false;  // exact Coulomb; otherwise the convex relaxation

  int size() const { return static_cast<int>(contacts.size()); }
};

// Impulses on A of every contact: the warm start when solving begins, the answer when it ends.
struct CompactImpulses {
  std::vector<Vec3> force;   // [N s]
  std::vector<Vec3> moment;  // [N m s]; zero where a contact has neither rolling nor spinning friction
};

// Velocities of the bodies.
struct CompactVelocities {
  std::vector<Vec3> linear, angular;
};

// v = v_free + M⁻¹ Jᵀ p.
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

}  // namespace slipstick
