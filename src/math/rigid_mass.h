#pragma once

#include <optional>

#include "slipstick/base/eigen.h"

namespace slipstick {

// A free body's mass about its centre, world axes.
struct RigidMass {
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();
  Vec3 com = Vec3::Zero();  // from its origin

  // trace of the change of a point's velocity by an impulse there, the point at `arm` from the origin
  double PointTrace(const Vec3& arm) const {
    // −tr([r]× I⁻¹ [r]×) = |r|² tr I⁻¹ − r·I⁻¹r
    const Vec3 r = arm - com;
    return 3 * inverse_mass + r.squaredNorm() * inverse_inertia.trace() - r.dot(inverse_inertia * r);
  }
  // (moment about the origin, impulse) → (ω, velocity of the origin), in place.
  void Solve(double* x) const {
    Eigen::Map<Vec3> first(x), second(x + 3);
    const Vec3 angular = inverse_inertia * (first - com.cross(second));
    second = inverse_mass * second - angular.cross(com);
    first = angular;
  }
};

// By its mass matrix [[I, s×], [−s×, m]] for velocities (ω, v) of its origin, s = m com. Nothing where a block is not
// of that form, or where it is positive definite by little more than rounding.
std::optional<RigidMass> ReadRigidMass(const Eigen::Map<const Mat6>& mass);

}  // namespace slipstick
