#pragma once

#include <cmath>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// [a]ₓ, so that Skew(a) b = a × b.
inline Mat3 Skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// The rotation by the vector θ: |θ| radians about θ/|θ|. Exact for every θ; the series keeps full precision near 0.
inline Quat ExpRotation(const Vec3& theta) {
  const double angle = theta.norm();
  const double half = 0.5 * angle;
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(half) / angle;
  return Quat(std::cos(half), scale * theta.x(), scale * theta.y(), scale * theta.z());
}

// The shortest rotation vector with ExpRotation(LogRotation(q)) = q up to sign.
inline Vec3 LogRotation(const Quat& q) {
  const double sign = q.w() < 0 ? -1.0 : 1.0;
  const Vec3 vec = sign * q.vec();
  const double sine = vec.norm();
  if (sine < 1e-12) return 2.0 * vec;
  return vec * (2.0 * std::atan2(sine, sign * q.w()) / sine);
}

// Two unit vectors that complete the unit vector n to a right-handed frame (n, t1, t2). Which pair is found depends on
// n alone, and a normal along the world's z gives the world's x and y.
inline void CompleteFrame(const Vec3& n, Vec3* t1, Vec3* t2) {
  // x projected on the tangent plane, or y where the normal is nearly along x
  const Vec3 seed = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  *t1 = (seed - n * n.dot(seed)).normalized();
  *t2 = n.cross(*t1);
}

}  // namespace slipstick::internal
