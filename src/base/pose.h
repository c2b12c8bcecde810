#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick {

// Position and orientation of a frame B in a frame A: a point p_B has the coordinates R p_B + p in A. Written X_AB.
struct Pose {
  Quat rotation = Quat::Identity();
  Vec3 position = Vec3::Zero();

  Vec3 operator*(const Vec3& p) const { return rotation * p + position; }
  Pose operator*(const Pose& other) const { return {rotation * other.rotation, *this * other.position}; }
  bool operator==(const Pose& other) const {
    return rotation.coeffs() == other.rotation.coeffs() && position == other.position;
  }
  Pose Inverse() const {
    const Quat inverse = rotation.conjugate();
    return {inverse, -(inverse * position)};
  }
};

// To the last digit.
inline bool IsIdentity(const Pose& pose) { return pose.rotation.w() == 1 && pose.position.isZero(0); }

}  // namespace slipstick
