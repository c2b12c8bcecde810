#include "slipstick/events/instant.h"

#include "slipstick/model/springs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

constexpr double kShift = 1e-3;  // of the time in which the motion turns by 1 or passes the smallest shape
// of the smallest shape: as far as closed points may part within shifts, in which they move apart by their squares
constexpr double kShiftMargin = 1e-2;

// u(t) and u̇(t) of the bilateral rows, from the exact derivatives of their functions.
void PrescribedRates(const Model& model, double time, ConstraintRows* rows, VecX* acceleration) {
  rows->rate.setZero();
  acceleration->setZero(rows->rate.size());
  for (int g = 0; g < rows->jacobian.groups(); ++g) {
    const ConstraintKind& kind = model.constraints[rows->constraint[g]].kind;
    const int row = rows->jacobian.first_row(g);
    const auto set = [&](double rate, double change) {
      rows->rate[row] = rate;
      (*acceleration)[row] = change;
    };
    if (const auto* distance = std::get_if<DistanceConstraint>(&kind)) {
      const TimeJet jet = distance->length.At(time);
      set(jet.rate, jet.acceleration);
    } else if (const auto* motion = std::get_if<MotionConstraint>(&kind)) {
      const TimeJet jet = motion->function.At(time);
      if (motion->q_index >= 0) {
        set(jet.rate, jet.acceleration);
      } else {
        set(jet.value, jet.rate);
      }
    } else if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) {
      const TimeJet jet = coupling->rate.At(time);
      set(jet.value, jet.rate);
    }
  }
}

// Springs and servos of joints, (T4e) without a step: k (f(t) − q) + d (ḟ(t) − v), ḟ of servos alone, up to the limit
// of the effort. A kink where that is reached is left to the integrator's error control.
void AddDriveForces(const Model& model, const MotionState& state, VecX* applied) {
  for (const JointDrive& drive : model.drives) {
    if (drive.kind == JointDrive::Kind::kMotor) continue;
    double rate = 0;
    if (drive.kind == JointDrive::Kind::kServo) {
      const bool is_given = !std::isnan(drive.given_velocity) || !std::isnan(drive.given_position);
      rate = !is_given                          ? drive.position.At(state.time).rate
             : std::isnan(drive.given_velocity) ? 0.0
                                                : drive.given_velocity;
    }
    const double wanted = drive.stiffness * (drive.PositionAt(state.time) - state.q[drive.q_index]) +
                          drive.damping * (rate - state.v[drive.v_index]);
    (*applied)[drive.v_index] += std::clamp(wanted, -drive.most_effort, drive.most_effort);
  }
}

}  // namespace

MatX DenseRows(const BlockRows& rows) {
  MatX dense = MatX::Zero(rows.rows(), rows.layout().total);
  for (int g = 0; g < rows.groups(); ++g) {
    const auto copy = [&](int block, const RowMatX& piece) {
      if (block < 0) return;
      dense.block(rows.first_row(g), rows.layout().offset[block], rows.rows(g), rows.layout().size[block]) = piece;
    };
    copy(rows.block_a(g), rows.piece_a(g));
    copy(rows.block_b(g), rows.piece_b(g));
  }
  return dense;
}

const ContactPoint* FindPoint(const std::vector<ContactPoint>& points, const ContactPoint& sought) {
  const ContactPoint* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : points) {
    if (point.shape_a() != sought.shape_a() || point.shape_b() != sought.shape_b()) continue;
    if (point.key == sought.key) return &point;
    const double distance = (point.position() - sought.position()).squaredNorm();
    if (distance < least) {
      least = distance;
      nearest = &point;
    }
  }
  return nearest;
}

InstantEvaluator::InstantEvaluator(const Model& model)
    : model_(model), detector_(model), workspace_(model), margins_(model.shapes.size(), 0.0) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ModelShape& shape : model.shapes) smallest = std::min(smallest, SmallestHalfExtent(shape.geometry));
  if (std::isfinite(smallest) && smallest > 0) smallest_size_ = smallest;
}

void InstantEvaluator::Evaluate(const MotionState& state, Instant* instant) {
  instant->state = state;
  ComputeKinematics(model_, state, &instant->kinematics);
  const Kinematics& kin = instant->kinematics;
  ComputeMassMatrix(model_, kin, &workspace_.dynamics, &instant->mass);
  instant->mass_is_singular = !instant->mass.Factorize();
  ComputeBiasForces(model_, kin, &workspace_.dynamics, &workspace_.bias);
  ComputeGravityForces(model_, kin, &workspace_.dynamics, &workspace_.gravity);
  ComputeAppliedForces(model_, kin, state.time, &instant->applied);
  AddSpringForces(model_, kin, state.v, &instant->applied);
  AddDriveForces(model_, state, &instant->applied);
  instant->free_acceleration = instant->applied + workspace_.gravity - workspace_.bias;
  if (!instant->mass_is_singular) instant->mass.SolveInPlace(instant->free_acceleration);
  // what is not yet released stays where it is, whatever acts on it
  for (std::size_t i = state.released; i < model_.releases.size(); ++i) {
    const int offset = model_.bodies[model_.releases[i].body].v_offset;
    instant->free_acceleration.segment<6>(offset).setZero();
    instant->applied.segment<6>(offset).setZero();
  }
  EvaluateConstraints(model_, kin, state, 1.0, &instant->constraints);
  PrescribedRates(model_, state.time, &instant->constraints, &instant->constraint_acceleration);
  instant->points = detector_.Detect(model_, kin, margins_);
}

void InstantEvaluator::AssembleContacts(const Instant& instant, const std::vector<ContactPoint>& points, double h,
                                        ContactProblem* problem) {
  problem->time = instant.state.time;
  problem->step = h;
  problem->mass = instant.mass;
  problem->mass_is_singular = instant.mass_is_singular;
  problem->velocity = instant.state.v;
  problem->free_velocity = instant.state.v;
  problem->expected_mean = instant.state.v;
  std::vector<int> all(points.size());
  std::iota(all.begin(), all.end(), 0);
  // forces between events remember nothing
  const ContactMemory contacts;
  const JointMemory joints;
  const MemorySlots none;
  const std::vector<char> no_stops;
  AssembleRows(model_, instant.state, instant.kinematics,
               {points, all, {}, contacts, joints, none, none, no_stops, &redundant_rows_, Expectation{.at_end = true}},
               h, AssemblySettings(), &workspace_, problem);
}

Vec3 InstantEvaluator::PointVelocity(const Kinematics& kin, const ContactPoint& point) const {
  const AssemblyWorkspace::Shape &a = workspace_.shapes[point.shape_a()], &b = workspace_.shapes[point.shape_b()];
  const Vec3 position = a.tree == b.tree || (a.tree >= 0 && b.tree >= 0) ? point.position()
                        : b.tree < 0                                     ? point.point_a
                                                                         : point.point_b;
  Vec3 t1, t2;
  CompleteFrame(point.normal, &t1, &t2);
  const Vec3 velocity = kin.VelocityOfPoint(a.body, position) - kin.VelocityOfPoint(b.body, position);
  return {point.normal.dot(velocity), t1.dot(velocity), t2.dot(velocity)};
}

VecX InstantEvaluator::RowVelocities(const Instant& instant, const std::vector<ContactPoint>& points, double shift) {
  MotionState state = instant.state;
  state.time += shift;
  AdvancePositions(model_, state.v, shift, state.released, &state.q);
  ComputeKinematics(model_, state, &shifted_);
  const int rows = instant.constraints.jacobian.rows();
  VecX velocities(rows + 3 * static_cast<Eigen::Index>(points.size()));
  if (rows > 0) {
    EvaluateConstraints(model_, shifted_, state, 1.0, &shifted_rows_);
    shifted_rows_.jacobian.Multiply(state.v, velocities.head(rows));
  }
  if (points.empty()) return velocities;
  // a point that is just closed here is not lost there
  std::vector<double> margins = margins_;
  for (double& margin : margins) margin += kShiftMargin * smallest_size_;
  const std::vector<ContactPoint>& found = detector_.Detect(model_, shifted_, margins);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactPoint* there = FindPoint(found, points[i]);
    // one that is gone there has no rate to tell
    velocities.segment<3>(rows + 3 * static_cast<Eigen::Index>(i)) =
        there != nullptr ? PointVelocity(shifted_, *there) : PointVelocity(instant.kinematics, points[i]);
  }
  return velocities;
}

VecX InstantEvaluator::RowBias(const Instant& instant, const std::vector<ContactPoint>& points) {
  const VecX& v = instant.state.v;
  const Eigen::Index rows = instant.constraints.jacobian.rows() + 3 * static_cast<Eigen::Index>(points.size());
  if (rows == 0 || v.isZero(0)) return VecX::Zero(rows);
  double turning = 1, speed = 0;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    turning = std::max(turning, instant.kinematics.angular_velocity[i].norm());
    speed = std::max(speed, instant.kinematics.linear_velocity[i].norm());
  }
  const double shift = kShift / std::max(turning, speed / smallest_size_);
  const VecX near = RowVelocities(instant, points, shift) - RowVelocities(instant, points, -shift);
  const VecX far = RowVelocities(instant, points, 2 * shift) - RowVelocities(instant, points, -2 * shift);
  return (8 * near - far) / (12 * shift);
}

template <typename F>
void InstantEvaluator::ForEachTurn(int released, F&& function) const {
  for (const int i : model_.linked_bodies) {
    const ModelBody& body = model_.bodies[i];
    if (body.joint == JointType::kSpherical || body.joint == JointType::kFree) function(body.q_offset, body.v_offset);
  }
  for (const LoneBody& lone : model_.LoneBodies(released)) function(lone.q_offset, lone.v_offset);
}

VecX InstantEvaluator::CoordinateRates(const MotionState& state) const {
  VecX rates = VecX::Zero(state.q.size());
  for (const int i : model_.linked_bodies) {
    const ModelBody& body = model_.bodies[i];
    if (body.joint == JointType::kSpherical || body.joint == JointType::kFree) continue;
    rates.segment(body.q_offset, body.q_count) = state.v.segment(body.v_offset, body.v_count);
  }
  const auto move = [&](int q, int v) { rates.segment<3>(q + 4) = state.v.segment<3>(v + 3); };
  for (const int i : model_.linked_bodies) {
    const ModelBody& body = model_.bodies[i];
    if (body.joint == JointType::kFree) move(body.q_offset, body.v_offset);
  }
  for (const LoneBody& lone : model_.LoneBodies(state.released)) move(lone.q_offset, lone.v_offset);
  // turns are of axes of the joint's fixed frame: q̇ = ½ (0, ω) q
  ForEachTurn(state.released, [&](int q, int v) {
    const Quat turn(state.q[q], state.q[q + 1], state.q[q + 2], state.q[q + 3]);
    const Quat rate = Quat(0, state.v[v], state.v[v + 1], state.v[v + 2]) * turn;
    rates.segment<4>(q) << 0.5 * rate.w(), 0.5 * rate.x(), 0.5 * rate.y(), 0.5 * rate.z();
  });
  return rates;
}

void InstantEvaluator::Normalize(VecX* q) const {
  ForEachTurn(static_cast<int>(model_.releases.size()), [&](int first, int) {
    const double length = q->segment<4>(first).norm();
    // a length of 1 but for rounding stays, to the bit
    if (length > 0 && std::abs(length - 1) > 1e-15) q->segment<4>(first) /= length;
  });
}

}  // namespace slipstick::internal
