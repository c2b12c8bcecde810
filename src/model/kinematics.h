#pragma once

#include <vector>

#include "slipstick/model/model.h"

namespace slipstick::internal {

// What follows from q and v by going down the trees once. Vectors have world axes; velocities are those of the body's
// origin.
struct Kinematics {
  int released = 0;  // as in the state it belongs to
  std::vector<Pose> X_WB;
  std::vector<Mat3> R_WB;
  std::vector<Vec3> angular_velocity, linear_velocity;
  // accelerations that the bodies would have at v̇ = 0; none of a lone body's origin
  std::vector<Vec3> angular_bias, linear_bias;
  // of bodies that are not lone: from the joint's frame on the body to the body's origin, from there to the centre of
  // mass, and the inertia about it
  std::vector<Vec3> arm, com;
  std::vector<Mat3> inertia;
  // motion subspace, one column for each velocity: angular velocity of its body and velocity of its body's origin
  Eigen::Matrix<double, 3, Eigen::Dynamic> angular_columns, linear_columns;

  Pose PoseOf(int body) const { return body == kWorld ? Pose() : X_WB[body]; }
  Vec3 VelocityOfPoint(int body, const Vec3& p_W) const {
    if (body == kWorld) return Vec3::Zero();
    return linear_velocity[body] + angular_velocity[body].cross(p_W - X_WB[body].position);
  }
};

void ComputeKinematics(const Model& model, const MotionState& state, Kinematics* kinematics);
// The same where only bodies that take part have moved since.
void UpdateKinematics(const Model& model, const MotionState& state, Kinematics* kinematics);
// The same but for the velocities of linked bodies, which SetLinkedVelocities gives then.
void UpdatePositions(const Model& model, const MotionState& state, Kinematics* kinematics);
// Of one body alone, where the others are up to date.
void ComputeBodyKinematics(const Model& model, const MotionState& state, int body, Kinematics* kinematics);
// Velocities and accelerations of linked bodies at the same positions with other velocities v.
void SetLinkedVelocities(const Model& model, ConstRef<VecX> v, Kinematics* kinematics);

// Velocities of the bodies' origins, world axes.
struct BodyVelocities {
  std::vector<Vec3> angular, linear;
};
// Those that the bodies would have in the pose of `kinematics` with other velocities v.
void ComputeBodyVelocities(const Model& model, const Kinematics& kinematics, ConstRef<VecX> v,
                           BodyVelocities* velocities);

// q⁺ = q ⊕ h v for the whole system, or without the bodies that wait where so many of the releases have happened. `v`
// may differ from state->v (Peiret eq 7 takes the old one).
void AdvancePositions(const Model& model, ConstRef<VecX> v, double h, VecX* q);
void AdvancePositions(const Model& model, ConstRef<VecX> v, double h, int released, VecX* q);

// row += scale · d(direction · velocity of p_W on the body)/dv, in columns of the body's tree; nothing for the world.
void AddPointRow(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W, const Vec3& direction,
                 double scale, Ref<Eigen::RowVectorXd> row);
// The same for direction · angular velocity.
void AddAngularRow(const Model& model, const Kinematics& kinematics, int body, const Vec3& direction, double scale,
                   Ref<Eigen::RowVectorXd> row);

}  // namespace slipstick::internal
