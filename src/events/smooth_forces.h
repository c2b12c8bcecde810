#pragma once

#include "slipstick/contact/energy_account.h"
#include "slipstick/events/contact_modes.h"
#include "slipstick/events/instant.h"

namespace slipstick::internal {

// Forces and accelerations between two events, with the modes of contacts and joints given: one linear system,
// docs/theory.md (E2)–(E4).
struct SmoothForces {
  bool is_solved = false;
  VecX acceleration;
  VecX bilateral, bounded;           // forces of the rows
  VecX joint_limit, joint_velocity;  // of the rows of joint friction
  std::vector<Vec3> contact;         // of each closed contact (normal, tangent_1, tangent_2) [N]
  std::vector<double> friction_static;
  std::vector<Vec3> slip;  // of A against B, world
  // How much normal force takes back of a contact's approach: N M⁻¹ (N − μ D)ᵀ against N M⁻¹ Nᵀ. Below zero pressing
  // brings bodies nearer, Painlevé's case.
  std::vector<double> give;
  std::vector<ContactPoint> points;  // of the closed contacts, as they are now
  StepWork power;
};

SmoothForces ComputeSmoothForces(const Instant& instant, const Modes& modes, const SlidingFriction& friction,
                                 InstantEvaluator* evaluator);

// Velocities on what modes and constraints allow, the nearest in the sense of the kinetic energy, (E5).
void ProjectVelocity(const Instant& instant, const Modes& modes, InstantEvaluator* evaluator, VecX* velocity);
// The same of positions: gaps of closed contacts and drift of constraints go to zero. `evaluator` is asked for the
// instants on the way; returns the largest gap or drift that was there.
double ProjectPosition(const Modes& modes, InstantEvaluator* evaluator, MotionState* state);

}  // namespace slipstick::internal
