#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

struct Triple;    // three numbers
struct FreeTurn;  // a unit quaternion near 1

// The rotation of a rigid body on which no torque acts, over any time, exact to rounding (docs/theory.md F1–F9):
// angular momentum in world axes and kinetic energy are kept.
class FreeRotation {
 public:
  // A ball.
  FreeRotation() = default;
  // Inertia about the centre of mass in body axes: symmetric, no principal moment negative. A moment of zero (a rod)
  // means that ω along its axis carries no momentum; that component then stays as it is in body axes.
  explicit FreeRotation(const Mat3& inertia);

  // All moments equal: ω is constant.
  bool is_ball() const { return kind_ == Kind::kBall; }

  // Rotation R_WB and angular velocity in world axes, before → after the time h, which may be negative. What is not
  // finite comes out as not finite. Beyond 4·10³ rad in one call the phase is not followed; momentum and energy are.
  void Advance(double h, Quat* rotation, Vec3* angular_velocity) const;

 private:
  using LongVec3 = Eigen::Matrix<long double, 3, 1>;
  enum class Kind { kBall, kSymmetric, kAsymmetric };
  struct Orbit;  // what a motion keeps
  struct Part;   // a motion over one of the equal parts of a step

  void SetAxes(const Mat3& axes);
  void SetSymmetric(int axis, const LongVec3& moments, const Mat3& axes);
  void SetAsymmetric(const LongVec3& moments, const Mat3& axes);
  // Where squares of ω leave the range of numbers, ω is zero, or something is not finite.
  void AdvanceExtreme(double h, Quat* rotation, Vec3* angular_velocity) const;
  // The turn, and the change of ω, both in the principal axes before.
  FreeTurn SymmetricTurn(double h, const Triple& omega, Triple* change) const;
  FreeTurn AsymmetricTurn(double h, const Triple& omega, Triple* change) const;
  Orbit MakeOrbit(const Triple& momentum) const;
  Part MakePart(double h, const Orbit& orbit) const;

  Kind kind_ = Kind::kBall;
  // Principal axes in the body as a quaternion: by rising moment, or that of symmetry last.
  double axes_w_ = 1;
  Vec3 axes_ = Vec3::Zero();
  // Symmetric: the moment about the axis over that across.
  double moment_ratio_ = 1;
  // Asymmetric: moments over the largest.
  Vec3 moments_ = Vec3::Ones(), inverse_moments_ = Vec3::Ones();
  Vec3 rates_ = Vec3::Zero();                // a of (F2)
  double share_first_ = 0, share_last_ = 0;  // α₁ and α₃ of (F3)
};

}  // namespace slipstick::internal
