#include "slipstick/simulation/joint_readings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "slipstick/assembly/joint_drives.h"
#include "slipstick/assembly/joint_loads.h"
#include "slipstick/base/check.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/joint_reactions.h"
#include "slipstick/model/springs.h"

namespace slipstick::internal {
namespace {

using Wrench = JointReadings::Wrench;

bool HasJoint(const ModelBody& body) { return body.joint != JointType::kFree; }

// Of each velocity of the model whether something turns with it.
std::vector<char> TurningVelocities(const Model& model) {
  std::vector<char> turns(model.v_size(), 1);
  for (const ModelBody& body : model.bodies) {
    const auto slides = [&](int first, int count) {
      for (int i = first; i < first + count; ++i) turns[body.v_offset + i] = 0;
    };
    if (body.joint == JointType::kPrismatic) slides(0, 1);
    if (body.joint == JointType::kCylindrical) slides(1, 1);
    if (body.joint == JointType::kPlanar) slides(0, 2);
    if (body.joint == JointType::kFree) slides(3, 3);
  }
  return turns;
}

// The velocity that a prescribed motion or a coupling gives its effort to, and how much of it for a multiplier of 1.
std::optional<std::pair<int, double>> EffortOf(const ConstraintKind& kind) {
  if (const auto* motion = std::get_if<MotionConstraint>(&kind)) return std::pair(motion->v_index, 1.0);
  if (const auto* coupling = std::get_if<CouplingConstraint>(&kind)) return coupling->terms.front();
  return std::nullopt;
}

// The bodies that a constraint holds; nothing of one that is within joints.
std::optional<std::array<int, 2>> BodiesOf(const Model& model, const ConstraintKind& kind) {
  if (const auto* loop = std::get_if<LoopConstraint>(&kind)) return loop->body;
  if (const auto* distance = std::get_if<DistanceConstraint>(&kind)) return distance->body;
  if (const auto* rolling = std::get_if<RollingConstraint>(&kind)) {
    return std::array{model.shapes[rolling->shape].body, model.shapes[rolling->plane_shape].body};
  }
  if (const auto* edge = std::get_if<KnifeEdgeConstraint>(&kind)) return std::array{edge->body, kWorld};
  return std::nullopt;
}

// Where it acts on the first one.
Vec3 PointOf(const Model& model, const Kinematics& kin, const ConstraintKind& kind) {
  if (const auto* loop = std::get_if<LoopConstraint>(&kind)) {
    return kin.PoseOf(loop->body[0]) * loop->frame[0].position;
  }
  if (const auto* distance = std::get_if<DistanceConstraint>(&kind)) {
    return kin.PoseOf(distance->body[0]) * distance->point[0];
  }
  if (const auto* rolling = std::get_if<RollingConstraint>(&kind)) {
    const ModelShape &shape = model.shapes[rolling->shape], &plane = model.shapes[rolling->plane_shape];
    return LowestPoint(shape.geometry, kin.PoseOf(shape.body) * shape.X_BS, kin.PoseOf(plane.body) * plane.X_BS).point;
  }
  const auto& edge = std::get<KnifeEdgeConstraint>(kind);
  return kin.PoseOf(edge.body) * edge.point;
}

// Forces of one step and the configuration in which they act.
struct StepForces {
  const Model& model;
  MotionState state;
  Kinematics kinematics;
  VecX acceleration;       // v̇
  double spring_time = 0;  // how far springs look ahead (T2b)
  double step = 0;
  VecX spring_velocity, between;
  std::vector<double> spring_shares;
  VecX bilateral, sliding, motors;  // of the rows; motors in the order of the drives

  SpringStep SpringView() const { return {state.v, spring_velocity, between, spring_shares, spring_time}; }
};

int CountMotors(const Model& model) {
  return static_cast<int>(std::count_if(model.drives.begin(), model.drives.end(), [](const JointDrive& drive) {
    return drive.kind == JointDrive::Kind::kMotor;
  }));
}

// M⁻¹ (f − c + Jᵀp / h): with events the answer's velocity holds J̇v too, which is no acceleration.
VecX AccelerationAtInstant(const Model& model, const StepForces& now, const StepRecord& record) {
  DynamicsWorkspace work;
  VecX bias, gravity, force;
  ComputeBiasForces(model, now.kinematics, &work, &bias);
  ComputeGravityForces(model, now.kinematics, &work, &gravity);
  ComputeAppliedForces(model, now.kinematics, now.state.time, &force);
  AddSpringForces(model, now.kinematics, now.state.v, &force);
  force += gravity - bias + MomentumChange(record.problem, record.solution) / record.problem.step;
  record.problem.mass.SolveInPlace(force);
  return force;
}

StepForces ForcesOf(const Simulation& simulation) {
  const Model& model = simulation.model();
  const StepRecord& record = simulation.last_step();
  const double h = record.problem.step;
  StepForces forces{.model = model, .state = simulation.state()};
  forces.step = h;
  if (simulation.events() != nullptr) {
    forces.kinematics = simulation.kinematics();
    forces.acceleration = AccelerationAtInstant(model, forces, record);
    forces.spring_velocity = forces.between = forces.state.v;
    forces.spring_shares.assign(model.springs.size(), 1.0);
  } else {
    forces.state = record.before;
    MotionState mean = record.before;
    mean.v = record.problem.expected_mean;
    ComputeKinematics(model, mean, &forces.kinematics);
    forces.acceleration = (record.solution.velocity - record.problem.velocity) / h;
    forces.spring_time = h;
    forces.spring_velocity = record.solution.velocity;
    forces.between = record.problem.expected_mean;
    forces.spring_shares = record.problem.spring_shares;
  }
  forces.bilateral = record.solution.bilateral / h;
  // of the bounded rows the motors' are the last, those of friction in constraints before them (AssembleBounded)
  const VecX& bounded = record.solution.bounded;
  const auto motors = CountMotors(model),
             sliding = static_cast<int>(std::count_if(model.constraints.begin(), model.constraints.end(),
                                                      [](const ModelConstraint&one) { return HasFriction(one.kind); }));
  SLIPSTICK_CHECK(bounded.size() >= motors + sliding, "every motor and every friction in a constraint has a row");
  forces.motors = bounded.tail(motors) / h;
  forces.sliding = bounded.segment(bounded.size() - motors - sliding, sliding) / h;
  return forces;
}

void AppendDriveEfforts(const Simulation& simulation, const StepForces& forces, std::vector<double>* efforts) {
  const std::vector<JointDrive>& drives = forces.model.drives;
  const std::vector<DriveMode>& modes = simulation.state().drive_modes;
  const VecX& after = simulation.last_step().solution.velocity;
  const std::vector<DriveAim>& aims = simulation.last_step().problem.drive_aims;
  int motor = 0;
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const JointDrive& drive = drives[i];
    if (drive.kind == JointDrive::Kind::kMotor) {
      efforts->push_back(forces.motors[motor++]);
      continue;
    }
    const DriveAim aim = aims.empty() ? AimOf(drive, forces.state.time, forces.step, 1.0) : aims[i];
    efforts->push_back(DriveEffort(drive, modes[i], {forces.state, forces.step, aim}, after[drive.v_index]));
  }
}

// A force on a body's origin with its torque, seen from another point.
Wrench About(const Vec3& point, const Kinematics& kin, int body, const BodyWrenches& wrenches) {
  const Vec3& force = wrenches.force[body];
  return {force, wrenches.torque[body] + (kin.X_WB[body].position - point).cross(force)};
}

// The constraints one by one: their wrenches for the readings, and all of them added up for the joints.
class ConstraintReader {
 public:
  explicit ConstraintReader(const StepForces& forces) : forces_(forces), model_(forces.model), kin_(forces.kinematics) {
    EvaluateConstraints(model_, kin_, forces.state, forces.step, &rows_);
    EvaluateSliding(model_, kin_, &sliding_);
    SLIPSTICK_CHECK(rows_.jacobian.rows() == forces.bilateral.size(), "the rows of the step's problem");
    single_.Reset(model_.bodies.size());
  }

  void Read(JointReadings* readings, BodyWrenches* sum) {
    int sliding = 0;
    for (int g = 0; g < rows_.jacobian.groups(); ++g) {
      const ConstraintKind& kind = model_.constraints[rows_.constraint[g]].kind;
      const bool slides = sliding < sliding_.jacobian.groups() && sliding_.constraint[sliding] == rows_.constraint[g];
      if (const auto effort = EffortOf(kind)) {
        readings->efforts.push_back(effort->second * forces_.bilateral[rows_.jacobian.first_row(g)]);
      }
      if (const auto bodies = BodiesOf(model_, kind)) {
        Act(g, slides ? sliding : -1);
        readings->reactions.push_back(OnFirst(*bodies, PointOf(model_, kin_, kind)));
        for (const int body : *bodies) MoveTo(body, sum);
      }
      if (slides) ++sliding;
    }
  }

 private:
  // Writes the wrenches of one constraint.
  void Act(int group, int sliding) {
    const ConstraintRows row = Alone(rows_, group);
    AddConstraintWrenches(model_, kin_, forces_.state, forces_.step, row, Forces(rows_, group, forces_.bilateral),
                          &single_);
    if (sliding < 0) return;
    AddSlidingWrenches(model_, kin_, Alone(sliding_, sliding), Forces(sliding_, sliding, forces_.sliding), &single_);
  }
  ConstraintRows Alone(const ConstraintRows& rows, int group) const {
    ConstraintRows alone;
    alone.Clear(model_.trees);
    alone.jacobian.Append(rows.jacobian.rows(group), rows.jacobian.block_a(group), rows.jacobian.block_b(group));
    alone.constraint = {rows.constraint[group]};
    return alone;
  }
  static VecX Forces(const ConstraintRows& rows, int group, const VecX& all) {
    return all.segment(rows.jacobian.first_row(group), rows.jacobian.rows(group));
  }
  // What the second body gets is the opposite, so that it tells what the world gets.
  Wrench OnFirst(const std::array<int, 2>& bodies, const Vec3& point) const {
    if (bodies[0] != kWorld) return About(point, kin_, bodies[0], single_);
    if (bodies[1] == kWorld) return {};
    const Wrench second = About(point, kin_, bodies[1], single_);
    return {-second.force, -second.torque};
  }
  void MoveTo(int body, BodyWrenches* sum) {
    if (body == kWorld) return;
    sum->force[body] += single_.force[body];
    sum->torque[body] += single_.torque[body];
    single_.force[body].setZero();
    single_.torque[body].setZero();
  }

  const StepForces& forces_;
  const Model& model_;
  const Kinematics& kin_;
  ConstraintRows rows_, sliding_;
  BodyWrenches single_;  // zero between constraints
};

JointReadings UnknownReadings(const JointGauges& gauges) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  JointReadings readings;
  readings.efforts.assign(gauges.efforts.size(), unknown);
  readings.reactions.assign(gauges.reactions.size(), {Vec3::Constant(unknown), Vec3::Constant(unknown)});
  return readings;
}

bool HasGauges(const Model& model) {
  return !model.drives.empty() || !model.constraints.empty() ||
         std::any_of(model.linked_bodies.begin(), model.linked_bodies.end(),
                     [&](int body) { return HasJoint(model.bodies[body]); });
}

}  // namespace

JointGauges ListJointGauges(const Model& model) {
  JointGauges gauges;
  const std::vector<char> turns = TurningVelocities(model);
  const auto unit = [&](int v_index) { return turns[v_index] != 0 ? "N m" : "N"; };
  for (const JointDrive& drive : model.drives) gauges.efforts.push_back({drive.name, unit(drive.v_index)});
  for (const ModelBody& body : model.bodies) {
    if (HasJoint(body)) gauges.reactions.push_back({body.joint_name, body.name});
  }
  for (const ModelConstraint& constraint : model.constraints) {
    if (const auto effort = EffortOf(constraint.kind)) {
      gauges.efforts.push_back({constraint.name, unit(effort->first)});
    }
    if (const auto bodies = BodiesOf(model, constraint.kind)) {
      gauges.reactions.push_back({constraint.name, (*bodies)[0] == kWorld ? "world" : model.bodies[(*bodies)[0]].name});
    }
  }
  return gauges;
}

JointReadings ComputeJointReadings(const Simulation& simulation) {
  const Model& model = simulation.model();
  if (!HasGauges(model)) return {};
  if (simulation.last_step().solution.velocity.size() == 0) return UnknownReadings(ListJointGauges(model));
  const StepForces forces = ForcesOf(simulation);
  const Kinematics& kin = forces.kinematics;
  JointReadings of_constraints, readings;
  AppendDriveEfforts(simulation, forces, &readings.efforts);
  BodyWrenches wrenches;
  wrenches.Reset(model.bodies.size());
  ConstraintReader(forces).Read(&of_constraints, &wrenches);
  // all that acts on the bodies but gravity and their joints; what the joints do is what is left
  AddGivenWrenches(model, kin, forces.state.time, &wrenches);
  AddPulledWrenches(model, kin, forces.SpringView(), &wrenches);
  AddContactWrenches(model, kin, simulation.last_step().problem, simulation.last_step().solution, &wrenches);
  ComputeJointReactions(model, kin, forces.acceleration, &wrenches);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const ModelBody& body = model.bodies[i];
    if (!HasJoint(body)) continue;
    const Vec3 origin = kin.X_WB[i] * body.X_MB.Inverse().position;
    readings.reactions.push_back(About(origin, kin, static_cast<int>(i), wrenches));
  }
  readings.efforts.insert(readings.efforts.end(), of_constraints.efforts.begin(), of_constraints.efforts.end());
  readings.reactions.insert(readings.reactions.end(), of_constraints.reactions.begin(), of_constraints.reactions.end());
  return readings;
}

}  // namespace slipstick::internal
