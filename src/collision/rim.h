#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/collision/local_contact.h"

namespace slipstick::internal {

// Where on a circle about the unit vector `axis` the point furthest along a unit direction is: c + radius · towards.
struct RimDirection {
  Vec3 towards;  // unit, in the circle's plane
  double sine;   // of the angle between axis and direction; 0: the circle lies flat, every point is as far
};

// `fallback` (unit, in the circle's plane) is taken where the circle is flat to rounding.
inline RimDirection FurthestOnRim(const Vec3& axis, const Vec3& fallback, const Vec3& direction) {
  const Vec3 across = direction - axis * axis.dot(direction);
  const double sine = across.norm();
  if (sine < kNoDescentSine) return {fallback, sine};
  // projected again, since rounding in `across` leaves a part along the axis that the division would blow up
  const Vec3 unit = across / sine;
  return {(unit - axis * axis.dot(unit)).normalized(), sine};
}

// The point k quarter turns on from `towards` about the axis.
inline Vec3 QuarterTurns(const Vec3& axis, const Vec3& towards, int k) {
  const Vec3 turned = k % 2 == 0 ? towards : Vec3(axis.cross(towards));
  return k < 2 ? turned : Vec3(-turned);
}

}  // namespace slipstick::internal
