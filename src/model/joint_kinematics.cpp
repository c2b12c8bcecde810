#include "slipstick/model/joint_kinematics.h"

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

Quat Turn(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

Quat ReadQuat(const double* q) { return Quat(q[0], q[1], q[2], q[3]); }

void AdvanceQuat(const double* omega, double h, double* q) {
  const Quat next = (ExpRotation(h * Vec3(omega[0], omega[1], omega[2])) * ReadQuat(q)).normalized();
  q[0] = next.w();
  q[1] = next.x();
  q[2] = next.y();
  q[3] = next.z();
}

}  // namespace

JointKinematics ComputeJointKinematics(JointType type, const Vec3& axis, const Vec3& second_axis, const double* q,
                                       const double* v) {
  JointKinematics k;
  k.angular.setZero();
  k.linear.setZero();
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      k.X_FM.rotation = Turn(axis, q[0]);
      k.angular.col(0) = axis;
      break;
    case JointType::kPrismatic:
      k.X_FM.position = q[0] * axis;
      k.linear.col(0) = axis;
      break;
    case JointType::kCylindrical:  // turn, then slide
      k.X_FM = {Turn(axis, q[0]), q[1] * axis};
      k.angular.col(0) = axis;
      k.linear.col(1) = axis;
      break;
    case JointType::kUniversal: {
      const Quat first = Turn(axis, q[0]);
      k.X_FM.rotation = first * Turn(second_axis, q[1]);
      const Vec3 moved = first * second_axis;
      k.angular.col(0) = axis;
      k.angular.col(1) = moved;
      k.angular_bias = v[0] * v[1] * axis.cross(moved);
      break;
    }
    case JointType::kPlanar: {  // slide along two directions of the plane, then turn about its normal
      Vec3 t1, t2;
      CompleteFrame(axis, &t1, &t2);
      k.X_FM = {Turn(axis, q[2]), q[0] * t1 + q[1] * t2};
      k.linear.col(0) = t1;
      k.linear.col(1) = t2;
      k.angular.col(2) = axis;
      break;
    }
    case JointType::kSpherical:
      k.X_FM.rotation = ReadQuat(q);
      k.angular.leftCols<3>().setIdentity();
      break;
    case JointType::kFree:
      k.X_FM = {ReadQuat(q), Vec3(q[4], q[5], q[6])};
      k.angular.leftCols<3>().setIdentity();
      k.linear.rightCols<3>().setIdentity();
      break;
  }
  return k;
}

void AdvanceJoint(JointType type, const double* v, double h, double* q) {
  switch (type) {
    case JointType::kFixed:
      return;
    case JointType::kSpherical:
      return AdvanceQuat(v, h, q);
    case JointType::kFree:
      AdvanceQuat(v, h, q);
      for (int i = 0; i < 3; ++i) q[4 + i] += h * v[3 + i];
      return;
    default:
      for (int i = 0; i < CoordinateCount(type); ++i) q[i] += h * v[i];
  }
}

}  // namespace slipstick::internal
