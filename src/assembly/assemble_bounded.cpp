#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/assembly/assemble_problem.h"

namespace slipstick::internal {
namespace {

// Share of what its friction could take away in a step below which a joint's velocity is none.
constexpr double kRest = 1e-6;
constexpr double kStopReturn = 1;  // of joints beyond their stops at most [rad/s or m/s]
constexpr double kStopReach = 4;   // ways of a step within which a stop has its row

// Appends rows to a problem's BoundedSet.
class BoundedBuilder {
 public:
  BoundedBuilder(const Model& model, AssemblyWorkspace* work, BoundedSet* bounded)
      : model_(model), work_(work), bounded_(bounded), stops_(2 * static_cast<int>(model.joint_resistances.size())) {
    bounded_->jacobian.Reset(model.trees);
    bounded_->joint_row.clear();
    bounded_->place.clear();
    work_->bounded_rows.clear();
    work_->loaded_rows.clear();
    work_->sliding_rows.clear();
    for (std::vector<double>* list : {&work_->targets, &work_->lowers, &work_->uppers}) list->clear();
  }

  // A velocity of a joint, times a direction.
  void AppendVelocity(int tree, int v_index, double direction) {
    bounded_->jacobian.Append(BlockRows::Single{v_index - model_.trees.offset[tree], direction}, tree);
  }
  void AppendSliding(int group_of_sliding) {
    const BlockRows& rows = work_->sliding.jacobian;
    const int a = rows.block_a(group_of_sliding), b = rows.block_b(group_of_sliding);
    const int group = bounded_->jacobian.Append(1, a, b);
    if (a >= 0) bounded_->jacobian.piece_a(group) = rows.piece_a(group_of_sliding);
    if (b >= 0) bounded_->jacobian.piece_b(group) = rows.piece_b(group_of_sliding);
  }
  void Describe(const BoundedRow& row, int place, double target, double lower, double upper) {
    if (row.is_loaded) work_->loaded_rows.push_back(static_cast<int>(work_->bounded_rows.size()));
    work_->bounded_rows.push_back(row);
    bounded_->joint_row.push_back(-1);
    bounded_->place.push_back(place);
    work_->targets.push_back(target);
    work_->lowers.push_back(lower);
    work_->uppers.push_back(upper);
  }
  void Friction(BoundedRow::Kind kind, int index, double limit, bool is_loaded) {
    Describe({kind, index, limit, is_loaded}, stops_ + friction_rows_, 0, -limit, limit);
    bounded_->joint_row.back() = friction_rows_++;
  }
  int size() const { return static_cast<int>(work_->targets.size()); }
  int friction_rows() const { return friction_rows_; }
  // Places of motors come after those of friction.
  int first_motor() const { return stops_ + friction_rows_; }

  void Finish() {
    bounded_->target = Eigen::Map<const VecX>(work_->targets.data(), size());
    bounded_->lower = Eigen::Map<const VecX>(work_->lowers.data(), size());
    bounded_->upper = Eigen::Map<const VecX>(work_->uppers.data(), size());
  }

 private:
  const Model& model_;
  AssemblyWorkspace* work_;
  BoundedSet* bounded_;
  int stops_;              // places that they have in the memory
  int friction_rows_ = 0;  // every step has all of them, in the order of the model
};

// Limit of dry friction in a constraint, without its load.
double OwnFriction(const ConstraintKind& kind) {
  const auto* loop = std::get_if<LoopConstraint>(&kind);
  return loop != nullptr ? loop->friction : 0.0;
}
bool IsLoaded(const ConstraintKind& kind) {
  const auto* loop = std::get_if<LoopConstraint>(&kind);
  return loop == nullptr || loop->bearing.exists();
}

}  // namespace

void AssembleBounded(const Model& model, const MotionState& state, const Kinematics& kin, const RowSources& sources,
                     double h, const AssemblySettings& settings, AssemblyWorkspace* work, ContactProblem* problem) {
  EvaluateSliding(model, kin, &work->sliding);
  BoundedBuilder build(model, work, &problem->bounded);
  VecX& diagonal = work->diagonal;
  work->stops_with_rows.assign(2 * model.joint_resistances.size(), 0);
  int tree_of_diagonal = -1;
  for (std::size_t k = 0; k < model.joint_resistances.size(); ++k) {
    const JointResistance& joint = model.joint_resistances[k];
    const ModelBody& body = model.bodies[joint.body];
    if (joint.has_friction() && body.tree != tree_of_diagonal) {
      tree_of_diagonal = body.tree;
      diagonal.resize(model.trees.size[body.tree]);
      problem->mass.GetDiagonal(body.tree, diagonal.data());
    }
    for (int c = 0; c < body.v_count && joint.has_friction(); ++c) {
      const int v = body.v_offset + c;
      const double mass = diagonal[v - model.trees.offset[body.tree]];
      const double rest = kRest * h * std::max(joint.fixed, joint.viscous * std::abs(problem->velocity[v])) / mass;
      // viscous friction is that of the step's mean velocity, as far as it is known
      const double limit = std::abs(state.v[v]) > rest
                               ? joint.kinetic + joint.viscous * std::abs(problem->expected_mean[v])
                               : joint.fixed;
      if (std::abs(state.v[v]) > rest) work->sliding_rows.emplace_back(build.size(), state.v[v] > 0 ? -1 : 1);
      build.AppendVelocity(body.tree, body.v_offset + c, 1);
      build.Friction(BoundedRow::Kind::kJointFriction, static_cast<int>(k), h * limit, joint.bearing.exists());
    }
    if (body.v_count != 1) continue;
    const double fastest_return = settings.correction_speed >= 0 ? settings.correction_speed : kStopReturn;
    const double fastest = std::max(std::abs(state.v[body.v_offset]), std::abs(problem->free_velocity[body.v_offset]));
    const auto stop = [&](double left, double direction) {
      const std::size_t number = 2 * k + (direction > 0 ? 0 : 1);
      const bool is_overrun = !sources.overrun_stops.empty() && sources.overrun_stops[number] != 0;
      if (!(left <= kStopReach * h * fastest) && !is_overrun) return;
      work->stops_with_rows[number] = 1;
      build.AppendVelocity(body.tree, body.v_offset, direction);
      build.Describe({BoundedRow::Kind::kStop, static_cast<int>(k), 0, false}, static_cast<int>(number),
                     left >= 0 ? -left / h : std::min(-settings.gap_correction * left / h, fastest_return), 0,
                     std::numeric_limits<double>::infinity());
    };
    stop(state.q[body.q_offset] - joint.lower, 1);
    stop(joint.upper - state.q[body.q_offset], -1);
  }
  for (int g = 0; g < work->sliding.jacobian.groups(); ++g) {
    const ConstraintKind& kind = model.constraints[work->sliding.constraint[g]].kind;
    build.AppendSliding(g);
    build.Friction(BoundedRow::Kind::kConstraintFriction, g, h * OwnFriction(kind), IsLoaded(kind));
  }
  for (std::size_t k = 0; k < model.drives.size(); ++k) {
    const JointDrive& drive = model.drives[k];
    if (drive.kind != JointDrive::Kind::kMotor) continue;
    build.AppendVelocity(TreeOfVelocity(model.trees, drive.v_index), drive.v_index, 1);
    build.Describe({BoundedRow::Kind::kMotor, static_cast<int>(k), 0, false}, build.first_motor() + static_cast<int>(k),
                   drive.VelocityAt(state.time + (sources.expectation.at_end ? h : 0.5 * h)), -h * drive.most_effort,
                   h * drive.most_effort);
  }
  build.Finish();
  BoundedSet& bounded = problem->bounded;
  bounded.places = build.first_motor() + static_cast<int>(model.drives.size());
  const std::vector<double>& forces = sources.joints.forces;
  const bool is_known = forces.size() == static_cast<std::size_t>(bounded.places);
  bounded.remembered.setZero(bounded.target.size());
  for (Eigen::Index row = 0; is_known && row < bounded.remembered.size(); ++row) {
    bounded.remembered[row] = h * forces[bounded.place[row]];
  }
  for (const auto& [row, sign] : work->sliding_rows) {
    bounded.remembered[row] = sign * std::numeric_limits<double>::infinity();
  }
  if (bounded.slots != sources.joint_slots) bounded.slots = sources.joint_slots;
  const std::size_t size = static_cast<std::size_t>(build.friction_rows() * TotalSize(bounded.slots));
  if (sources.joints.slots == bounded.slots && sources.joints.values.size() == size) {
    bounded.memory = sources.joints.values;
  } else {
    bounded.memory.assign(size, 0.0);
  }
}

}  // namespace slipstick::internal
