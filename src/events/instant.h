#pragma once

#include <span>

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/collision/detect_contacts.h"

namespace slipstick::internal {

// What follows from one state: everything of the equations of motion but the forces of constraints and contacts.
struct Instant {
  MotionState state;
  Kinematics kinematics;
  BlockDiagonal mass;
  bool mass_is_singular = false;
  VecX free_acceleration;  // M⁻¹ (f − c)
  VecX applied;            // generalized force of the given forces, without gravity
  std::vector<ContactPoint> points;
  ConstraintRows constraints;    // their rates for no step: u(t) in place of a mean
  VecX constraint_acceleration;  // u̇
};

// A matrix of all rows, of the size of the velocities.
MatX DenseRows(const BlockRows& rows);
// The point of that key, else the nearest of the same two shapes, else null.
const ContactPoint* FindPoint(const std::vector<ContactPoint>& points, const ContactPoint& sought);

// Evaluates instants of one model; keeps storage.
class InstantEvaluator {
 public:
  explicit InstantEvaluator(const Model& model);

  // How far contacts are looked for, from here on; one for each shape.
  void SetMargins(std::vector<double> margins) { margins_ = std::move(margins); }
  void Evaluate(const MotionState& state, Instant* instant);
  // Rows of the contacts at these points, with everything that the laws ask of them.
  void AssembleContacts(const Instant& instant, const std::vector<ContactPoint>& points, double h,
                        ContactProblem* problem);
  // J̇ v: rates of the rows' velocities that v has without any acceleration, along the motion (central differences of
  // fourth order). First the bilateral rows, then three a point.
  VecX RowBias(const Instant& instant, const std::vector<ContactPoint>& points);
  // q̇ = Γ(q) v
  VecX CoordinateRates(const MotionState& state) const;
  // Quaternions of length 1.
  void Normalize(VecX* q) const;

  const Model& model() const { return model_; }
  // Of the constraints, counted where they are first asked for: State::redundant_rows.
  int redundant_rows() const { return redundant_rows_; }
  void SetRedundantRows(int count) { redundant_rows_ = count; }

 private:
  VecX RowVelocities(const Instant& instant, const std::vector<ContactPoint>& points, double shift);
  // Velocity of A against B along normal, tangent_1, tangent_2, where AssembleContacts would have it.
  Vec3 PointVelocity(const Kinematics& kinematics, const ContactPoint& point) const;
  template <typename F>
  void ForEachTurn(int released, F&& function) const;

  const Model& model_;
  ContactDetector detector_;
  AssemblyWorkspace workspace_;
  int redundant_rows_ = -1;
  std::vector<double> margins_;
  double smallest_size_ = 1;  // [m]
  ConstraintRows shifted_rows_;
  Kinematics shifted_;
};

}  // namespace slipstick::internal
