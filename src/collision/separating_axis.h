#pragma once

#include "slipstick/collision/convex_core.h"

namespace slipstick::internal {

// A later candidate for the best axis must separate by more than an earlier one by this, in units of the smaller
// shape's radius.
constexpr double kAxisTie = 1e-9;

// The direction of largest separation of two cores.
struct SeparatingAxis {
  enum class Kind {
    kFaceOfA,  // normal of a flat face of A
    kFaceOfB,
    kEdge,   // set by lines, corners or rims
    kApart,  // some direction separates the shapes by more than asked for; the search ended there
  };

  Kind kind = Kind::kEdge;
  Vec3 normal = Vec3::UnitZ();  // unit, from B to A
  double separation = 0;        // of the unrounded cores along it
};

// Finds max over |n| = 1 of Separation(a, b, n).
//
// Wherever the maximizer is the normal of a face or perpendicular to two lines (of hulls see hull_axis.h) it is taken
// from that list, exact to rounding. For polytopes that overlap the list is complete (separating axis theorem).
// Otherwise ShortestVector or PenetrationAxis give a direction near the maximizer, which is then polished to rounding:
// on the circle perpendicular to each line of the shapes that it is nearly perpendicular to (bisection on the
// derivative, since the separation has a kink across that circle), and on the whole sphere (Newton, where both supports
// are smooth). Each candidate's separation is a lower bound of the true one, so the largest wins; within 1e-9 faces win
// over lines and lines over the rest, A over B.
SeparatingAxis FindSeparatingAxis(const ConvexCore& a, const ConvexCore& b, double most_separation);

// The face normal of one shape that may stand in for an axis n if it is near enough: of a box or hull the one nearest
// to n, of other shapes, which have one, that.
SeparatingAxis BestFaceNear(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                            const Vec3& n);

}  // namespace slipstick::internal
