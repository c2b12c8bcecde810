#pragma once

#include "slipstick/collision/convex_core.h"

namespace slipstick::internal {

// The vector of least length from a point of B to a point of A, roundings left out; zero where they overlap or, to
// rounding, touch. Gilbert, Johnson & Keerthi: the point of the Minkowski difference A − B closest to the origin, by a
// simplex of its support points.
Vec3 ShortestVector(const ConvexCore& a, const ConvexCore& b);

// A unit vector n for which Separation(a, b, n) is near its largest value, for shapes that overlap or are apart by less
// than kPenetrationInflation. Grows a polytope inside A − B, inflated by that much so that shapes which just touch or
// are flat have volume too, at the face nearest to the origin (expanding polytope). Good to about 1e-3 radians where
// the maximum is smooth: meant to be polished. Zero where rounding leaves the polytope without a single proper face.
Vec3 PenetrationAxis(const ConvexCore& a, const ConvexCore& b);

// In the unit of length of the cores, of which the smaller shape's bounding radius is one.
constexpr double kPenetrationInflation = 1e-3;

}  // namespace slipstick::internal
