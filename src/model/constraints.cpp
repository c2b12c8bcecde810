#include "slipstick/model/constraints.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

// Appends rows of the form  Σ over the two bodies (e·velocity of a point + n·ω)  to a BlockRows. Two bodies of one tree
// share a piece.
class RowBuilder {
 public:
  RowBuilder(const Model& model, const Kinematics& kin, ConstraintRows* rows, int constraint)
      : model_(model), kin_(kin), rows_(rows), constraint_(constraint) {}

  void Open(int count, int body_a, int body_b) {
    tree_a_ = model_.TreeOf(body_a);
    tree_b_ = model_.TreeOf(body_b);
    if (tree_b_ == tree_a_) tree_b_ = -1;
    group_ = rows_->jacobian.Append(count, tree_a_, tree_b_);
    rows_->constraint.push_back(constraint_);
    const int total = rows_->jacobian.rows();
    rows_->rate.conservativeResize(total);
    rows_->drift.conservativeResize(total);
    rows_->rate.tail(count).setZero();
    rows_->drift.tail(count).setZero();
    magnitude_.assign(count, 0.0);
  }

  // Sets to zero what is rounding against the terms it was summed from. A planar mechanism along the world's axes has
  // constraint rows across its plane that are nothing but rounding; to the solvers, which scale rows to equal size,
  // they would look like constraints.
  void Close() {
    constexpr double kRounding = 1e-14;
    const auto clean = [&](BlockRows::Piece piece) {
      for (int row = 0; row < piece.rows(); ++row) {
        for (double& entry : piece.row(row)) {
          if (std::abs(entry) < kRounding * magnitude_[row]) entry = 0;
        }
      }
    };
    clean(rows_->jacobian.piece_a(group_));
    clean(rows_->jacobian.piece_b(group_));
  }

  void AddPoint(int row, int body, const Vec3& p, const Vec3& direction, double scale) {
    NoteMagnitude(row, body, [&](int b, int c) {
      return std::abs(scale) * direction.norm() *
             (kin_.linear_columns.col(c).norm() +
              (p - kin_.X_WB[b].position).norm() * kin_.angular_columns.col(c).norm());
    });
    WithPiece(body, [&](auto piece) { AddPointRow(model_, kin_, body, p, direction, scale, piece.row(row)); });
  }
  void AddAngular(int row, int body, const Vec3& direction, double scale) {
    NoteMagnitude(row, body,
                  [&](int, int c) { return std::abs(scale) * direction.norm() * kin_.angular_columns.col(c).norm(); });
    WithPiece(body, [&](auto piece) { AddAngularRow(model_, kin_, body, direction, scale, piece.row(row)); });
  }
  void AddVelocity(int row, int v_index, double scale) {
    for (int tree : {tree_a_, tree_b_}) {
      if (tree < 0) continue;
      const int local = v_index - model_.trees.offset[tree];
      if (local < 0 || local >= model_.trees.size[tree]) continue;
      (tree == tree_a_ ? rows_->jacobian.piece_a(group_) : rows_->jacobian.piece_b(group_))(row, local) += scale;
      return;
    }
  }
  double& rate(int row) { return rows_->rate[rows_->jacobian.first_row(group_) + row]; }
  double& drift(int row) { return rows_->drift[rows_->jacobian.first_row(group_) + row]; }

 private:
  // Largest size of a term of the row, term(b, c) being that of column c of the body b or an ancestor of it.
  template <typename F>
  void NoteMagnitude(int row, int body, F&& term) {
    for (int b = body; b != kWorld; b = model_.bodies[b].parent) {
      for (int c = model_.bodies[b].v_offset; c < model_.bodies[b].v_offset + model_.bodies[b].v_count; ++c) {
        magnitude_[row] = std::max(magnitude_[row], term(b, c));
      }
    }
  }

  template <typename F>
  void WithPiece(int body, F&& f) {
    const int tree = model_.TreeOf(body);
    if (tree < 0) return;
    f(tree == tree_a_ ? rows_->jacobian.piece_a(group_) : rows_->jacobian.piece_b(group_));
  }

  const Model& model_;
  const Kinematics& kin_;
  ConstraintRows* rows_;
  int constraint_;
  int tree_a_ = -1, tree_b_ = -1, group_ = 0;
  std::vector<double> magnitude_;
};

// In place of rows: what they are worth with the velocities of the kinematics and v.
class VelocityBuilder {
 public:
  VelocityBuilder(const Kinematics& kin, const VecX& v, VecX* velocities) : kin_(kin), v_(v), velocities_(velocities) {}

  void Open(int count, int /*body_a*/, int /*body_b*/) {
    first_row_ = next_row_;
    next_row_ += count;
  }
  void AddPoint(int row, int body, const Vec3& p, const Vec3& direction, double scale) {
    (*velocities_)[first_row_ + row] += scale * direction.dot(kin_.VelocityOfPoint(body, p));
  }
  void AddAngular(int row, int body, const Vec3& direction, double scale) {
    if (body != kWorld) (*velocities_)[first_row_ + row] += scale * direction.dot(kin_.angular_velocity[body]);
  }
  void AddVelocity(int row, int v_index, double scale) { (*velocities_)[first_row_ + row] += scale * v_[v_index]; }
  double& rate(int /*row*/) { return ignored_; }
  double& drift(int /*row*/) { return ignored_; }

 private:
  const Kinematics& kin_;
  const VecX& v_;
  VecX* velocities_;
  int first_row_ = 0, next_row_ = 0;
  double ignored_ = 0;
};

// In place of rows: the wrenches on the bodies that forces along the rows are. Forces on joint velocities are within
// the joints and no wrench on a body.
class WrenchBuilder {
 public:
  WrenchBuilder(const Kinematics& kin, ConstRef<VecX> forces, int first_row, BodyWrenches* wrenches)
      : kin_(kin), forces_(forces), first_row_(first_row), wrenches_(wrenches) {}

  void Open(int /*count*/, int /*body_a*/, int /*body_b*/) {}
  void AddPoint(int row, int body, const Vec3& p, const Vec3& direction, double scale) {
    wrenches_->AddForce(kin_, body, p, forces_[first_row_ + row] * scale * direction);
  }
  void AddAngular(int row, int body, const Vec3& direction, double scale) {
    wrenches_->AddTorque(body, forces_[first_row_ + row] * scale * direction);
  }
  void AddVelocity(int /*row*/, int /*v_index*/, double /*scale*/) {}
  double& rate(int /*row*/) { return ignored_; }
  double& drift(int /*row*/) { return ignored_; }

 private:
  const Kinematics& kin_;
  ConstRef<VecX> forces_;
  int first_row_;
  BodyWrenches* wrenches_;
  double ignored_ = 0;
};

// φ = e·(p_A − p_B) with e fixed in B (or in the world, where `fixed_in_world`): (C2), (C3)
template <typename Builder>
void PointRow(Builder* build, int row, const LoopConstraint& loop, const Vec3& p_A, const Vec3& p_B, const Vec3& e,
              bool fixed_in_world) {
  build->AddPoint(row, loop.body[0], p_A, e, 1.0);
  build->AddPoint(row, loop.body[1], p_B, e, -1.0);
  if (!fixed_in_world) build->AddAngular(row, loop.body[1], e.cross(p_A - p_B), 1.0);
  build->drift(row) = e.dot(p_A - p_B);
}

// φ = a·b with a fixed in A and b fixed in B; φ̇ = (a × b)·(ω_A − ω_B): (C4)
template <typename Builder>
void PerpendicularRow(Builder* build, int row, const LoopConstraint& loop, const Vec3& a, const Vec3& b) {
  build->AddAngular(row, loop.body[0], a.cross(b), 1.0);
  build->AddAngular(row, loop.body[1], a.cross(b), -1.0);
  build->drift(row) = a.dot(b);
}

template <typename Builder>
void Evaluate(const LoopConstraint& loop, const Kinematics& kin, Builder* build) {
  const Pose A = kin.PoseOf(loop.body[0]) * loop.frame[0];
  const Pose B = kin.PoseOf(loop.body[1]) * loop.frame[1];
  const Mat3 RA = A.rotation.toRotationMatrix(), RB = B.rotation.toRotationMatrix();
  int points = 0, turns = 0;  // how many position rows, how many orientation rows
  switch (loop.kind) {
    case LoopKind::kFixed:
      points = 3, turns = 3;
      break;
    case LoopKind::kRevolute:
      points = 3, turns = 2;
      break;
    case LoopKind::kPrismatic:
      points = 2, turns = 3;
      break;
    case LoopKind::kSpherical:
      points = 3, turns = 0;
      break;
    case LoopKind::kUniversal:
      points = 3, turns = 1;
      break;
    case LoopKind::kCylindrical:
      points = 2, turns = 2;
      break;
    case LoopKind::kPlanar:
      points = 1, turns = 2;
      break;
  }
  build->Open(points + turns, loop.body[0], loop.body[1]);
  for (int i = 0; i < points; ++i) {
    // all three: along the world's axes; two: across the axis z of B; one: along it
    const Vec3 e = points == 3 ? Vec3::Unit(i) : points == 2 ? Vec3(RB.col(i)) : Vec3(RB.col(2));
    PointRow(build, i, loop, A.position, B.position, e, points == 3);
  }
  const std::pair<int, int> perpendicular[3] = {{2, 0}, {2, 1}, {0, 1}};  // (axis of A, axis of B)
  for (int i = 0; i < turns; ++i) {
    PerpendicularRow(build, points + i, loop, RA.col(perpendicular[i].first), RB.col(perpendicular[i].second));
  }
}

template <typename Builder>
void Evaluate(const DistanceConstraint& distance, const Kinematics& kin, double t, double h, Builder* build) {
  const Vec3 p_A = kin.PoseOf(distance.body[0]) * distance.point[0];
  const Vec3 p_B = kin.PoseOf(distance.body[1]) * distance.point[1];
  const double length = (p_A - p_B).norm();
  const Vec3 e = length > 0 ? Vec3((p_A - p_B) / length) : Vec3::UnitX();
  build->Open(1, distance.body[0], distance.body[1]);
  build->AddPoint(0, distance.body[0], p_A, e, 1.0);
  build->AddPoint(0, distance.body[1], p_B, e, -1.0);
  build->rate(0) = (distance.length(t + h) - distance.length(t)) / h;
  build->drift(0) = length - distance.length(t);
}

int BodyOfVelocity(const Model& model, int v_index) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    if (v_index >= body.v_offset && v_index < body.v_offset + body.v_count) return static_cast<int>(i);
  }
  SLIPSTICK_CHECK(false, "velocity index out of range");
}

template <typename Builder>
void Evaluate(const MotionConstraint& motion, const Model& model, const MotionState& state, double h, Builder* build) {
  build->Open(1, BodyOfVelocity(model, motion.v_index), kWorld);
  build->AddVelocity(0, motion.v_index, 1.0);
  if (motion.q_index < 0) {
    build->rate(0) = motion.function(state.time + h);
  } else {
    build->rate(0) = (motion.function(state.time + h) - motion.function(state.time)) / h;
    build->drift(0) = state.q[motion.q_index] - motion.function(state.time);
  }
}

template <typename Builder>
void OpenCoupling(const CouplingConstraint& coupling, const Model& model, Builder* build) {
  const int body_a = BodyOfVelocity(model, coupling.terms.front().first);
  int body_b = kWorld;
  for (const auto& [v_index, ratio] : coupling.terms) {
    const int body = BodyOfVelocity(model, v_index);
    if (model.bodies[body].tree != model.bodies[body_a].tree) body_b = body;
  }
  build->Open(1, body_a, body_b);
}

template <typename Builder>
void Evaluate(const CouplingConstraint& coupling, const Model& model, double t, Builder* build) {
  OpenCoupling(coupling, model, build);
  for (const auto& [v_index, ratio] : coupling.terms) build->AddVelocity(0, v_index, ratio);
  build->rate(0) = coupling.rate(t);
}

template <typename Builder>
void Evaluate(const RollingConstraint& rolling, const Model& model, const Kinematics& kin, Builder* build) {
  const ModelShape& shape = model.shapes[rolling.shape];
  const ModelShape& plane = model.shapes[rolling.plane_shape];
  const TouchPoint touch =
      LowestPoint(shape.geometry, kin.PoseOf(shape.body) * shape.X_BS, kin.PoseOf(plane.body) * plane.X_BS);
  Vec3 t1, t2;
  CompleteFrame(touch.normal, &t1, &t2);
  build->Open(3, shape.body, plane.body);
  const Vec3 directions[3] = {touch.normal, t1, t2};
  for (int i = 0; i < 3; ++i) {
    build->AddPoint(i, shape.body, touch.point, directions[i], 1.0);
    build->AddPoint(i, plane.body, touch.point, directions[i], -1.0);
  }
  build->drift(0) = touch.gap;
}

template <typename Builder>
void Evaluate(const KnifeEdgeConstraint& edge, const Kinematics& kin, Builder* build) {
  const Pose X_WB = kin.PoseOf(edge.body);
  build->Open(1, edge.body, kWorld);
  build->AddPoint(0, edge.body, X_WB * edge.point, X_WB.rotation * edge.direction, 1.0);
}

template <typename Builder>
void EvaluateAny(const ConstraintKind& kind, const Model& model, const Kinematics& kin, const MotionState& state,
                 double h, Builder* build) {
  if (const auto* loop = std::get_if<LoopConstraint>(&kind)) Evaluate(*loop, kin, build);
  if (const auto* distance = std::get_if<DistanceConstraint>(&kind)) Evaluate(*distance, kin, state.time, h, build);
  if (const auto* motion = std::get_if<MotionConstraint>(&kind)) Evaluate(*motion, model, state, h, build);
  if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) {
    Evaluate(*coupling, model, state.time + h, build);
  }
  if (const auto* rolling = std::get_if<RollingConstraint>(&kind)) Evaluate(*rolling, model, kin, build);
  if (const auto* edge = std::get_if<KnifeEdgeConstraint>(&kind)) Evaluate(*edge, kin, build);
}

// The row that friction of a constraint resists, (T4d).
template <typename Builder>
void EvaluateSlidingOf(const ConstraintKind& kind, const Model& model, const Kinematics& kin, Builder* build) {
  if (const auto* loop = std::get_if<LoopConstraint>(&kind)) {
    const Vec3 p_A = kin.PoseOf(loop->body[0]) * loop->frame[0].position;
    const Pose B = kin.PoseOf(loop->body[1]) * loop->frame[1];
    const Vec3 axis = B.rotation * Vec3::UnitZ();
    build->Open(1, loop->body[0], loop->body[1]);
    if (loop->kind == LoopKind::kPrismatic) {
      PointRow(build, 0, *loop, p_A, B.position, axis, false);
    } else {
      build->AddAngular(0, loop->body[0], axis, 1.0);
      build->AddAngular(0, loop->body[1], axis, -1.0);
    }
  }
  if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) {
    OpenCoupling(*coupling, model, build);
    for (const auto& [v_index, slide] : coupling->sliding) build->AddVelocity(0, v_index, slide);
  }
}

}  // namespace

bool HasFriction(const ConstraintKind& kind) {
  if (const auto* loop = std::get_if<LoopConstraint>(&kind)) return loop->has_friction();
  if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) return coupling->friction > 0;
  return false;
}

void BodyWrenches::Reset(std::size_t count) {
  force.assign(count, Vec3::Zero());
  torque.assign(count, Vec3::Zero());
}

void BodyWrenches::AddForce(const Kinematics& kin, int body, const Vec3& point, const Vec3& along) {
  if (body == kWorld) return;
  force[body] += along;
  torque[body] += (point - kin.X_WB[body].position).cross(along);
}

void BodyWrenches::AddTorque(int body, const Vec3& about) {
  if (body != kWorld) torque[body] += about;
}

void ConstraintRows::Clear(const BlockLayout& trees) {
  jacobian.Reset(trees);
  rate.resize(0);
  drift.resize(0);
  constraint.clear();
}

TouchPoint LowestPoint(const ShapeGeometry& geometry, const Pose& X_WS, const Pose& X_WPlane) {
  TouchPoint touch;
  touch.normal = X_WPlane.rotation * Vec3::UnitZ();
  if (const Sphere* sphere = std::get_if<Sphere>(&geometry)) {
    touch.point = X_WS.position - sphere->radius * touch.normal;
  } else {
    const Disk* disk = std::get_if<Disk>(&geometry);
    SLIPSTICK_CHECK(disk != nullptr, "only disks and spheres roll");
    const Vec3 axis = X_WS.rotation * Vec3::UnitZ();
    Vec3 down = axis * axis.dot(touch.normal) - touch.normal;
    if (down.norm() < 1e-12) down = Vec3::UnitX() - axis * axis.x();
    if (down.norm() < 1e-12) down = Vec3::UnitY();
    touch.point = X_WS.position + disk->radius * down.normalized();
  }
  touch.gap = touch.normal.dot(touch.point - X_WPlane.position);
  return touch;
}

void EvaluateConstraints(const Model& model, const Kinematics& kin, const MotionState& state, double h,
                         ConstraintRows* rows) {
  rows->Clear(model.trees);
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    RowBuilder build(model, kin, rows, static_cast<int>(i));
    EvaluateAny(model.constraints[i].kind, model, kin, state, h, &build);
    build.Close();
  }
}

void EvaluateRowVelocities(const Model& model, const Kinematics& kin, const MotionState& state, VecX* velocities) {
  velocities->setZero();
  VelocityBuilder build(kin, state.v, velocities);
  for (const ModelConstraint& constraint : model.constraints) {
    EvaluateAny(constraint.kind, model, kin, state, 1.0, &build);
  }
}

void AddConstraintWrenches(const Model& model, const Kinematics& kin, const MotionState& state, double h,
                           const ConstraintRows& rows, ConstRef<VecX> forces, BodyWrenches* wrenches) {
  for (int g = 0; g < rows.jacobian.groups(); ++g) {
    WrenchBuilder build(kin, forces, rows.jacobian.first_row(g), wrenches);
    EvaluateAny(model.constraints[rows.constraint[g]].kind, model, kin, state, h, &build);
  }
}

void EvaluateSliding(const Model& model, const Kinematics& kin, ConstraintRows* rows) {
  rows->Clear(model.trees);
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    if (!HasFriction(model.constraints[i].kind)) continue;
    RowBuilder build(model, kin, rows, static_cast<int>(i));
    EvaluateSlidingOf(model.constraints[i].kind, model, kin, &build);
    build.Close();
  }
}

void AddSlidingWrenches(const Model& model, const Kinematics& kin, const ConstraintRows& rows, ConstRef<VecX> forces,
                        BodyWrenches* wrenches) {
  for (int g = 0; g < rows.jacobian.groups(); ++g) {
    WrenchBuilder build(kin, forces, rows.jacobian.first_row(g), wrenches);
    EvaluateSlidingOf(model.constraints[rows.constraint[g]].kind, model, kin, &build);
  }
}

}  // namespace slipstick::internal
