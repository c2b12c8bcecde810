#pragma once

#include <memory>

#include "slipstick/base/random_source.h"
#include "slipstick/geometry/polyhedron.h"

namespace slipstick::internal {

// A random stone: the hull of that many points, at least 8, spread evenly by chance on the ellipsoid with the given
// half-axes, then moved and widened so that its centre of mass is at the origin and its furthest corner the largest
// half-axis away from it.
std::shared_ptr<const Polyhedron> RandomStone(const Vec3& half_axes, int points, RandomSource* random);

}  // namespace slipstick::internal
