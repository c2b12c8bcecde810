#pragma once

#include <limits>

namespace slipstick {

enum class JointType { kFree, kFixed, kRevolute, kPrismatic, kSpherical, kUniversal, kCylindrical, kPlanar };

// Number of coordinates q of the joint; a free joint has a unit quaternion (w, x, y, z) and a position, a spherical one
// a unit quaternion.
constexpr int CoordinateCount(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 7;
    case JointType::kFixed:
      return 0;
    case JointType::kRevolute:
      return 1;
    case JointType::kPrismatic:
      return 1;
    case JointType::kSpherical:
      return 4;
    case JointType::kUniversal:
      return 2;
    case JointType::kCylindrical:
      return 2;
    case JointType::kPlanar:
      return 3;
  }
  return 0;
}

// Number of velocities v of the joint.
constexpr int VelocityCount(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 6;
    case JointType::kSpherical:
      return 3;
    default:
      return CoordinateCount(type);
  }
}

// Friction that grows with the force that a joint carries, docs/theory.md (T4d).
struct BearingFriction {
  double friction = 0;       // μ of the surfaces that rub
  double radius = 1;         // where forces across the axis rub, from the axis [m]; 1 where the joint slides
  double thrust_radius = 0;  // where the force along the axis does [m]; 0 where the joint slides
  // Distance of the two bearings that carry moments across the axis [m]; infinite: moments do not rub.
  double span = std::numeric_limits<double>::infinity();

  bool exists() const { return friction > 0; }
  bool operator==(const BearingFriction&) const = default;
};

}  // namespace slipstick
