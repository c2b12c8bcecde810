#pragma once

#include <optional>

#include "slipstick/math/block_diagonal.h"

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
};

// By its mass matrix [[I, s×], [−s×, m]] for velocities (ω, v) of its origin, s = m com. Nothing where a block is not
// of that form.
std::optional<RigidMass> ReadRigidMass(const BlockDiagonal::ConstBlock& mass);

}  // namespace slipstick
