#include "slipstick/assembly/joint_loads.h"

#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/model/joint_reactions.h"
#include "slipstick/model/springs.h"

namespace slipstick::internal {
namespace {

class LoadFinder {
 public:
  LoadFinder(const Model& model, const MotionState& state, const Kinematics& kin, const AssemblyWorkspace& work,
             const ContactProblem& problem, const ContactSolution& solution)
      : model_(model), state_(state), kin_(kin), work_(work), problem_(problem), solution_(solution) {}

  double LimitOf(const BoundedRow& row) {
    if (row.kind == BoundedRow::Kind::kJointFriction) return OfJoint(model_.joint_resistances[row.index]);
    const int constraint = work_.sliding.constraint[row.index];
    const ConstraintKind& kind = model_.constraints[constraint].kind;
    if (const auto* loop = std::get_if<LoopConstraint>(&kind)) return OfLoop(*loop, constraint);
    const auto& coupling = std::get<CouplingConstraint>(kind);
    return coupling.friction * std::abs(solution_.bilateral[FirstRow(constraint)]) / problem_.step;
  }

 private:
  int Group(int constraint) const {
    for (std::size_t g = 0; g < work_.constraints.constraint.size(); ++g) {
      if (work_.constraints.constraint[g] == constraint) return static_cast<int>(g);
    }
    SLIPSTICK_CHECK(false, "every constraint has rows");
  }
  int FirstRow(int constraint) const { return work_.constraints.jacobian.first_row(Group(constraint)); }

  // Once for all joints of the trees.
  const BodyWrenches& Reactions() {
    if (!reactions_.force.empty()) return reactions_;
    reactions_.Reset(model_.bodies.size());
    AddGivenWrenches(model_, kin_, state_.time, &reactions_);
    AddPulledWrenches(model_, kin_,
                      {state_.v, solution_.velocity, problem_.expected_mean, problem_.spring_shares, problem_.step},
                      &reactions_);
    AddConstraintWrenches(model_, kin_, state_, problem_.step, work_.constraints, solution_.bilateral / problem_.step,
                          &reactions_);
    VecX sliding = VecX::Zero(work_.sliding.jacobian.rows());
    for (std::size_t row = 0; row < work_.bounded_rows.size(); ++row) {
      if (work_.bounded_rows[row].kind != BoundedRow::Kind::kConstraintFriction) continue;
      sliding[work_.bounded_rows[row].index] = solution_.bounded[static_cast<Eigen::Index>(row)] / problem_.step;
    }
    AddSlidingWrenches(model_, kin_, work_.sliding, sliding, &reactions_);
    AddContactWrenches(model_, kin_, problem_, solution_, &reactions_);
    ComputeJointReactions(model_, kin_, (solution_.velocity - problem_.velocity) / problem_.step, &reactions_);
    return reactions_;
  }

  double OfJoint(const JointResistance& joint) {
    const BodyWrenches& reactions = Reactions();
    const ModelBody& body = model_.bodies[joint.body];
    const Vec3& force = reactions.force[joint.body];
    const Vec3 axis = body.joint == JointType::kRevolute ? kin_.angular_columns.col(body.v_offset)
                                                         : kin_.linear_columns.col(body.v_offset);
    const Vec3 origin = kin_.X_WB[joint.body] * body.X_MB.Inverse().position;  // of the joint's moving frame
    const Vec3 moment = reactions.torque[joint.body] + (kin_.X_WB[joint.body].position - origin).cross(force);
    return BearingLimit(joint.bearing, axis, force, moment);
  }

  double OfLoop(const LoopConstraint& loop, int constraint) const {
    VecX forces = VecX::Zero(solution_.bilateral.size());
    const int group = Group(constraint), first = work_.constraints.jacobian.first_row(group),
              count = work_.constraints.jacobian.rows(group);
    forces.segment(first, count) = solution_.bilateral.segment(first, count) / problem_.step;
    BodyWrenches wrenches;
    wrenches.Reset(model_.bodies.size());
    AddConstraintWrenches(model_, kin_, state_, problem_.step, work_.constraints, forces, &wrenches);
    const int side = loop.body[0] != kWorld ? 0 : 1, body = loop.body[side];
    const Vec3 middle = kin_.PoseOf(loop.body[0]) * loop.frame[0].position;
    const Vec3 axis = (kin_.PoseOf(loop.body[1]) * loop.frame[1]).rotation * Vec3::UnitZ();
    const Vec3 moment = wrenches.torque[body] + (kin_.X_WB[body].position - middle).cross(wrenches.force[body]);
    return BearingLimit(loop.bearing, axis, wrenches.force[body], moment);
  }

  const Model& model_;
  const MotionState& state_;
  const Kinematics& kin_;
  const AssemblyWorkspace& work_;
  const ContactProblem& problem_;
  const ContactSolution& solution_;
  BodyWrenches reactions_;
};

}  // namespace

void AddContactWrenches(const Model& model, const Kinematics& kin, const ContactProblem& problem,
                        const ContactSolution& solution, BodyWrenches* wrenches) {
  const ContactSet& contacts = problem.contacts;
  for (int i = 0; i < contacts.size(); ++i) {
    const Vec3 force = contacts.FromComponents(i, solution.contact.segment<3>(3 * i)) / problem.step;
    const Vec3 moment = contacts.FromComponents(i, solution.Moment(problem, i)) / problem.step;
    const ContactKey& key = contacts.key[i];
    const int body_a = model.shapes[key.shape_a].body, body_b = model.shapes[key.shape_b].body;
    wrenches->AddForce(kin, body_a, contacts.position[i], force);
    wrenches->AddTorque(body_a, moment);
    wrenches->AddForce(kin, body_b, contacts.position[i], -force);
    wrenches->AddTorque(body_b, -moment);
  }
}

double BearingLimit(const BearingFriction& bearing, const Vec3& axis, const Vec3& force, const Vec3& moment) {
  const double along = axis.dot(force);
  const Vec3 across = force - along * axis;
  double rubbing = across.norm();
  if (std::isfinite(bearing.span)) {
    // forces of the bearings at ±span/2: half of the force each, and the couple that makes the moment across the axis
    const Vec3 couple = moment.cross(axis) / bearing.span;
    rubbing = (0.5 * across + couple).norm() + (0.5 * across - couple).norm();
  }
  return bearing.friction * (bearing.radius * rubbing + bearing.thrust_radius * std::abs(along));
}

VecX ComputeLoadLimits(const Model& model, const MotionState& state, const Kinematics& kin,
                       const AssemblyWorkspace& work, const ContactProblem& problem, const ContactSolution& solution) {
  LoadFinder finder(model, state, kin, work, problem, solution);
  VecX added(static_cast<Eigen::Index>(work.loaded_rows.size()));
  Eigen::Index k = 0;
  for (const int row : work.loaded_rows) added[k++] = problem.step * finder.LimitOf(work.bounded_rows[row]);
  return added;
}

void SetLoadLimits(const AssemblyWorkspace& work, const VecX& added, BoundedSet* bounded) {
  Eigen::Index k = 0;
  for (const int row : work.loaded_rows) {
    bounded->upper[row] = work.bounded_rows[row].own_limit + added[k++];
    bounded->lower[row] = -bounded->upper[row];
  }
}

}  // namespace slipstick::internal
