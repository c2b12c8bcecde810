#pragma once

#include "slipstick/math/block_rows.h"
#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// A force and a torque on each body, world axes, the torque about the body's origin.
struct BodyWrenches {
  std::vector<Vec3> force, torque;

  void Reset(std::size_t count);
  void AddForce(const Kinematics& kinematics, int body, const Vec3& point, const Vec3& along);  // nothing for the world
  void AddTorque(int body, const Vec3& about);
};

// The bilateral constraints of a model at one configuration: A v = u with the drift φ that has gathered.
struct ConstraintRows {
  BlockRows jacobian;           // A, one group for each constraint
  VecX rate;                    // u
  VecX drift;                   // φ, zero for what has no position level (rolling directions, a knife edge)
  std::vector<int> constraint;  // of each group: index of Model::constraints

  void Clear(const BlockLayout& trees);
};

// Evaluates all rows for a step of length h that starts at `time`. What is prescribed as a position f(t) gets the mean
// rate (f(t + h) − f(t)) / h, so that a coordinate that follows f does so without drift.
void EvaluateConstraints(const Model& model, const Kinematics& kinematics, const MotionState& state, double h,
                         ConstraintRows* rows);
// A v of the same rows, in their order, with the state's velocities; `velocities` has the size.
void EvaluateRowVelocities(const Model& model, const Kinematics& kinematics, const MotionState& state,
                           VecX* velocities);
// The wrenches on the bodies that are the forces of these rows. A force on a joint velocity is within the joint.
void AddConstraintWrenches(const Model& model, const Kinematics& kinematics, const MotionState& state, double h,
                           const ConstraintRows& rows, ConstRef<VecX> forces, BodyWrenches* wrenches);

bool HasFriction(const ConstraintKind& kind);
// The same of what friction in constraints resists (T4d): one row for each that has it, the sliding of teeth or what a
// loop's joint leaves free. Its rates and drifts are without meaning.
void EvaluateSliding(const Model& model, const Kinematics& kinematics, ConstraintRows* rows);
void AddSlidingWrenches(const Model& model, const Kinematics& kinematics, const ConstraintRows& rows,
                        ConstRef<VecX> forces, BodyWrenches* wrenches);

// The lowest point of a disk or sphere over a plane, and its height. Where a disk lies flat every rim point is lowest;
// then the one along the world's x, projected on the disk, stands for all.
struct TouchPoint {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;
};
TouchPoint LowestPoint(const ShapeGeometry& geometry, const Pose& X_WS, const Pose& X_WPlane);

}  // namespace slipstick::internal
