#pragma once

#include <optional>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// A free body's mass about its centre, world axes.
struct RigidMass {
  double mass = 0, inverse_mass = 0;
  Vec3 com = Vec3::Zero();                                      // from its origin
  Mat3 inverse_inertia = Mat3::Zero(), inertia = Mat3::Zero();  // symmetric to the bit

  // trace of the change of a point's velocity by an impulse there, the point at `arm` from the origin
  double PointTrace(const Vec3& arm) const {
    // −tr([r]× I⁻¹ [r]×) = |r|² tr I⁻¹ − r·I⁻¹r
    const Vec3 r = arm - com;
    return 3 * inverse_mass + r.squaredNorm() * inverse_inertia.trace() - r.dot(inverse_inertia * r);
  }
  // (ω, velocity of the origin) → (moment about the origin, impulse).
  void Multiply(const double* x, double* out) const {
    const Eigen::Map<const Vec3> angular(x), linear(x + 3);
    const Vec3 impulse = mass * (linear + angular.cross(com));
    Eigen::Map<Vec3>(out).noalias() = inertia * angular + com.cross(impulse);
    Eigen::Map<Vec3>(out + 3) = impulse;
  }
  // The same backwards, in place.
  void Solve(double* x) const {
    Eigen::Map<Vec3> first(x), second(x + 3);
    const Vec3 angular = inverse_inertia * (first - com.cross(second));
    second = inverse_mass * second - angular.cross(com);
    first = angular;
  }
  // The mass matrix [[I, s×], [−s×, m]] for velocities (ω, v) of the origin, s = m com.
  Mat6 Dense() const;
  // Its diagonal.
  void GetDiagonal(double* out) const {
    for (int i = 0; i < 3; ++i) {
      out[i] = inertia(i, i) + mass * (com.squaredNorm() - com[i] * com[i]);
      out[3 + i] = mass;
    }
  }
};

// Nothing where the mass or the inertia is not positive definite by more than rounding. Of the inertia the lower half
// is read.
std::optional<RigidMass> MakeRigidMass(double mass, const Vec3& com, const Mat3& inertia);

// That of no body: every number of it is NaN, and so is all that is made of it.
RigidMass NoRigidMass();

// By its mass matrix. Nothing where a block is not of that form, or where it is positive definite by little more than
// rounding.
std::optional<RigidMass> ReadRigidMass(const Eigen::Map<const Mat6>& mass);

}  // namespace slipstick::internal
