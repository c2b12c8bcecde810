#pragma once

#include "slipstick/program/compact_program.h"

namespace slipstick::internal {

// Impulses of one contact, or velocities, as world vectors.
struct CompactPair {
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();

  CompactPair operator+(const CompactPair& other) const { return {force + other.force, moment + other.moment}; }
  CompactPair operator-(const CompactPair& other) const { return {force - other.force, moment - other.moment}; }
  double Dot(const CompactPair& other) const { return force.dot(other.force) + moment.dot(other.moment); }
};
inline CompactPair operator*(double factor, const CompactPair& pair) {
  return {factor * pair.force, factor * pair.moment};
}

// A contact in variables that make its own normal and angular diagonal 1: force = factor x, moment = factor length y.
struct CompactScale {
  double factor = 0;   // 1/√W_N; 0 where nothing moves
  double length = 0;   // √(W_N / W_R) [m]; 0 without rolling and spinning friction
  double largest = 0;  // of the scaled diagonals, an upper bound of the contact's own step
};
CompactScale ScaleOf(const CompactProgram& program, const CompactContact& contact);

// Nearest point of the contact's cone in scaled variables.
CompactPair ProjectScaled(const CompactContact& contact, const CompactScale& scale, const CompactPair& z);

// Velocity of the contact in scaled variables, and Σ c_k |u_k| of it, which the exact law adds along the normal.
CompactPair ScaledVelocity(const CompactContact& contact, const CompactScale& scale,
                           const CompactVelocities& velocities, const Vec3& force);
double ScaledSlip(const CompactContact& contact, const CompactScale& scale, const CompactPair& velocity);

}  // namespace slipstick::internal
