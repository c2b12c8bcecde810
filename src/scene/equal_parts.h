#pragma once

#include "slipstick/base/bearing_friction.h"
#include "slipstick/base/pose.h"
#include "slipstick/base/time_function.h"
#include "slipstick/geometry/shape.h"

// Equality, to the last digit, of what scenes are made of. Here and not beside the types: nobody else compares them.

namespace slipstick {

inline bool operator==(const Pose& a, const Pose& b) {
  return a.rotation.coeffs() == b.rotation.coeffs() && a.position == b.position;
}

inline bool operator==(const BearingFriction& a, const BearingFriction& b) {
  return a.friction == b.friction && a.radius == b.radius && a.thrust_radius == b.thrust_radius && a.span == b.span;
}

// Of constants the value, of formulas the text: 1+1 and 2 are equal, t+t and 2*t are not.
inline bool operator==(const TimeFunction& a, const TimeFunction& b) {
  if (a.is_constant() && b.is_constant()) return a(0) == b(0);
  return a.text() == b.text();
}

inline bool operator==(const Plane&, const Plane&) { return true; }
inline bool operator==(const Sphere& a, const Sphere& b) { return a.radius == b.radius; }
inline bool operator==(const Box& a, const Box& b) { return a.half_extents == b.half_extents; }
inline bool operator==(const Capsule& a, const Capsule& b) {
  return a.radius == b.radius && a.half_length == b.half_length;
}
inline bool operator==(const Cylinder& a, const Cylinder& b) {
  return a.radius == b.radius && a.half_length == b.half_length;
}
inline bool operator==(const Disk& a, const Disk& b) { return a.radius == b.radius; }
inline bool operator==(const Hull& a, const Hull& b) {
  if (a.polyhedron == b.polyhedron) return true;
  return a.polyhedron != nullptr && b.polyhedron != nullptr && a.polyhedron->corners == b.polyhedron->corners;
}

}  // namespace slipstick
