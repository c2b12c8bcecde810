#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/joint.h"
#include "slipstick/base/pose.h"

namespace slipstick::internal {

// Motion of a joint's moving frame M relative to its fixed frame F, all in axes of F (docs/theory.md §2).
struct JointKinematics {
  Pose X_FM;
  // Columns of the motion subspace: angular velocity of M and velocity of its origin, for each joint velocity.
  Eigen::Matrix<double, 3, 6> angular, linear;
  // Rates of both, by F's clock, at zero joint acceleration; only the universal joint has any.
  Vec3 angular_bias = Vec3::Zero(), linear_bias = Vec3::Zero();
};

// q and v are the joint's own parts.
JointKinematics ComputeJointKinematics(JointType type, const Vec3& axis, const Vec3& second_axis, const double* q,
                                       const double* v);

// q⁺ = q ⊕ h v: exponential map for rotations, sum otherwise.
void AdvanceJoint(JointType type, const double* v, double h, double* q);

}  // namespace slipstick::internal
