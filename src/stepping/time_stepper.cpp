#include "slipstick/stepping/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "slipstick/contact/energy_account.h"
#include "slipstick/contact/store_memory.h"
#include "slipstick/model/drift.h"
#include "slipstick/model/springs.h"
#include "slipstick/stepping/release_bodies.h"

namespace slipstick::internal {
namespace {

constexpr double kClosingTolerance = 1e-6;  // of the step's velocity scale, up to which what was left out may close
constexpr double kSurprise = 1e-4;  // of it, by which impulses that were not expected may falsify Coriolis forces
constexpr int kMostCorrections = 3;
constexpr int kMostForesights = 3;  // solutions anew for what turns

}  // namespace

TimeStepper::TimeStepper(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
                         const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      method_(std::move(method)),
      settings_(settings),
      tolerances_(tolerances),
      contact_slots_(method_.law->ContactSlots()),
      joint_slots_(method_.law->JointSlots()),
      is_isolated_(IsIsolated(*model_)),
      selection_(*model_, {settings.step, settings.contact_margin, settings.assembly.contact_skin,
                           settings.assembly.gap_correction}),
      workspace_(*model_) {
  for (const ModelBody& body : model_->bodies) mass_ += body.mass;
  gives_way_ = std::any_of(model_->pairs.begin(), model_->pairs.end(), [](const PairProperties& pair) {
    return pair.is_compliant() || std::isfinite(pair.tangential_stiffness);
  });
  // a reading of the semi-implicit step
  if (settings_.old_velocity) settings_.semi_implicit = true;
}

// Behind an impact with restitution states are where bodies come from along their new velocities (T4g).
MotionState TimeStepper::Judged(const State& state) const {
  MotionState judged = state;
  if (!settings_.semi_implicit) {
    Drift(*model_, 0.5 * settings_.step, &judged);
    judged.time += 0.5 * settings_.step;  // positions that are given by functions of time are those of then
  }
  return judged;
}

void TimeStepper::Step(Motion* motion, StepRecord* record) {
  State& state = motion->state;
  // bodies whose time has come take part from this step on, (T0)
  ReleaseBodies(*model_, settings_.step, motion);
  is_midpoint_ = !settings_.semi_implicit && !(state.step_count == 0 && ViolatesConstraints(*motion));
  const bool is_midpoint = is_midpoint_;
  if (is_midpoint) {
    // free motion to the middle of the step, (T7)
    middle_ = state;
    Drift(*model_, 0.5 * settings_.step, &middle_);
    middle_.time += 0.5 * settings_.step;
    UpdatePositions(*model_, middle_, &middle_kinematics_);
  }
  const Pass pass{state, is_midpoint ? middle_ : state, is_midpoint ? middle_kinematics_ : motion->kinematics,
                  motion->kinematics, *record};
  record->before = pass.at;
  const int redundant_rows = state.redundant_rows;
  modes_before_ = state.drive_modes;
  limits_before_ = state.load_limits;
  state.drive_modes.resize(model_->drives.size(), DriveMode::kWithin);
  record->programs = 0;
  unsolved_ = 0;
  overrun_stops_.assign(2 * model_->joint_resistances.size(), 0);
  velocity_change_ = state.velocity_change;
  impulse_change_ = state.impulse_change;
  corrections_ = 0;
  do {
    // free motion: velocities without any constraint or contact, (T2)
    AssembleFree(pass);
    const bool is_known = !record->problem.mass_is_singular && record->problem.free_velocity.allFinite();
    ComputeBodyVelocities(*model_, pass.kinematics, is_known ? record->problem.free_velocity : state.v, &free_motion_);
    // contacts of this configuration, (T1)
    selection_.Choose(*model_, pass.kinematics, free_motion_);
    SolveChosen(pass);
  } while (CorrectExpectation(pass));
  for (int round = 0;; ++round) {
    RestituteByImpulses(pass);
    LimitRestitution(pass);
    SolveCausedImpacts(pass);
    ShortenImpactWay(*record);
    // where the answer turns shapes into each other, points that foresee it come in, and all is solved anew
    if (round == kMostForesights || !TakeInTurning(pass)) break;
    SolveChosen(pass);
  }
  // judged on the physical problem, (T8)
  record->certificate = Certify(record->problem, record->solution, after_, law_residual_, tolerances_);
  JudgeDriveEfforts(pass);
  JudgePath(pass);
  if (!record->certificate.passed && record->problem.bilateral.contradict) {
    record->certificate.reason += "; constraints contradict each other";
  }
  // start + k h rather than a sum of steps, whose rounding would let events come a step late
  record->time = state.start_time + static_cast<double>(state.step_count + 1) * settings_.step;
  if (record->certificate.finite) return Advance(pass);
  // what was found on the way to no answer is not known
  state.redundant_rows = redundant_rows;
  state.drive_modes = modes_before_;
  state.load_limits = limits_before_;
}

// Solved with the contacts and stops that matter.
void TimeStepper::SolveChosen(const Pass& pass) {
  bool is_more = false;
  do {
    // Jacobian blocks, targets, gaps: the rest of the physical problem, (T3), (T4)
    Assemble(pass);
    // whichever law and solver the user named; drives that reach their limits, or leave them, change the problem
    Solve(pass);
    for (int rounds = 0; SwitchDrives(pass, &rounds);) Solve(pass);
    // contacts left out that this answer would close come in, and stops that it would overrun, and all is solved anew
    is_more = TakeInClosing(pass);
    is_more |= TakeInStops(pass);
  } while (is_more);
}

// Velocities that constraints do not allow must not move positions: such a start is made consistent first, by a step of
// the semi-implicit scheme.
bool TimeStepper::ViolatesConstraints(const Motion& motion) {
  constexpr double kShare = 1e-3;  // of the fastest velocity
  if (model_->constraints.empty() || motion.state.v.size() == 0) return false;
  EvaluateConstraints(*model_, motion.kinematics, motion.state, settings_.step, &workspace_.constraints);
  VecX velocities(workspace_.constraints.jacobian.rows());
  if (velocities.size() == 0) return false;
  workspace_.constraints.jacobian.Multiply(motion.state.v, velocities);
  const double error = (velocities - workspace_.constraints.rate).lpNorm<Eigen::Infinity>();
  const double size =
      std::max(motion.state.v.lpNorm<Eigen::Infinity>(), workspace_.constraints.rate.lpNorm<Eigen::Infinity>());
  return error > kShare * size;
}

Expectation TimeStepper::Expected() const {
  return {!is_midpoint_, settings_.old_velocity, &velocity_change_, &impulse_change_};
}

void TimeStepper::AssembleFree(const Pass& pass) {
  AssembleFreeMotion(*model_, pass.at, settings_.step, Expected(), pass.state.drive_modes, &workspace_,
                     &pass.kinematics, &pass.record.problem);
}

void TimeStepper::Assemble(const Pass& pass) {
  State& state = pass.state;
  const RowSources sources{selection_.points(),   selection_.chosen(), selection_.lost(), state.contacts,
                           state.joints,          contact_slots_,      joint_slots_,      overrun_stops_,
                           &state.redundant_rows, Expected()};
  AssembleRows(*model_, pass.at, pass.kinematics, sources, settings_.step, settings_.assembly, &workspace_,
               &pass.record.problem);
}

// Where impulses were far from those expected, as after an impact, Coriolis forces and curvatures are taken anew with
// the answer, (T2c).
bool TimeStepper::CorrectExpectation(const Pass& pass) {
  const ContactProblem& problem = pass.record.problem;
  const VecX& velocity = pass.record.solution.velocity;
  if (settings_.semi_implicit || model_->linked_bodies.empty() || corrections_ == kMostCorrections) return false;
  if (!velocity.allFinite() || IsHopeless()) return false;
  if (problem.bilateral.target.size() + problem.bounded.target.size() + problem.contacts.size() == 0) return false;
  double surprise = 0, turning = 0;
  for (const int i : model_->linked_bodies) {
    const ModelBody& body = model_->bodies[i];
    turning = std::max(turning, pass.kinematics.angular_velocity[i].norm());
    for (int k = body.v_offset; k < body.v_offset + body.v_count; ++k) {
      const double expected = 2 * (problem.expected_mean[k] - pass.at.v[k]);
      surprise = std::max(surprise, std::abs(velocity[k] - pass.at.v[k] - expected));
    }
  }
  if (settings_.step * turning * surprise <= kSurprise * problem.velocity_scale) return false;
  velocity_change_ = velocity - pass.at.v;
  impulse_change_ = velocity - problem.free_velocity;
  ++corrections_;
  return true;
}

// Those left out may be as wrong as those chosen are, so that the residual speaks for all.
double TimeStepper::AnswerError(const StepRecord& record) const {
  return std::max(kClosingTolerance * record.problem.velocity_scale, law_residual_);
}

// True where the answer would close points that were left out: they are then among the chosen.
bool TimeStepper::TakeInClosing(const Pass& pass) {
  if (!pass.record.solution.velocity.allFinite()) return false;
  ComputeBodyVelocities(*model_, pass.kinematics, pass.record.solution.velocity, &answered_motion_);
  return selection_.TakeInClosing(*model_, pass.kinematics, answered_motion_, AnswerError(pass.record));
}

// True where the answer would turn shapes into each other, (T1c): what is needed for it to be seen is among the chosen.
bool TimeStepper::TakeInTurning(const Pass& pass) {
  const VecX& velocity = pass.record.solution.velocity;
  if (settings_.old_velocity || !velocity.allFinite()) return false;
  VecX way = settings_.step * velocity;
  if (way_.size() > 0) way += way_;
  ComputeBodyVelocities(*model_, pass.kinematics, way, &moved_);
  if (!selection_.MayTurn(pass.kinematics, moved_)) return false;
  ahead_ = pass.at;
  ahead_.v = velocity;
  if (way_.size() > 0) AdvancePositions(*model_, way_, 1, ahead_.released, &ahead_.q);
  Drift(*model_, settings_.step, &ahead_);
  if (ahead_kinematics_.X_WB.size() == model_->bodies.size()) {
    UpdateKinematics(*model_, ahead_, &ahead_kinematics_);
  } else {
    ComputeKinematics(*model_, ahead_, &ahead_kinematics_);
  }
  return selection_.TakeInTurning(*model_, {pass.kinematics, ahead_kinematics_, moved_});
}

// The same of stops of joints that the answer would overrun: a hit, a motor or a coupling may move a joint that has no
// speed and no force of its own.
bool TimeStepper::TakeInStops(const Pass& pass) {
  const VecX& velocity = pass.record.solution.velocity;
  if (!velocity.allFinite()) return false;
  const double h = settings_.step, error = h * AnswerError(pass.record);
  bool any = false;
  for (std::size_t k = 0; k < model_->joint_resistances.size(); ++k) {
    const JointResistance& joint = model_->joint_resistances[k];
    const ModelBody& body = model_->bodies[joint.body];
    if (body.v_count != 1) continue;
    const double next = pass.at.q[body.q_offset] + h * velocity[body.v_offset];
    const auto take = [&](std::size_t stop, double left) {
      if (workspace_.stops_with_rows[stop] != 0 || left >= -error) return;
      overrun_stops_[stop] = 1;
      any = true;
    };
    take(2 * k, next - joint.lower);
    take(2 * k + 1, joint.upper - next);
  }
  return any;
}

// Work, then positions and what the next step remembers, (T7), (T9).
void TimeStepper::Advance(const Pass& pass) {
  auto& [state, at, kinematics, of_state, record] = pass;
  const ContactProblem& problem = record.problem;
  const VecX& next = record.solution.velocity;
  const double h = settings_.step;
  AddPulledForces(*model_, kinematics, {at.v, next, problem.expected_mean, problem.spring_shares, h},
                  &workspace_.applied);
  record.work = ComputeStepWork(problem, record.solution, workspace_.applied);
  const DriveWork drives =
      ComputeDriveWork(*model_, at, problem, record.solution, state.drive_modes, workspace_.bounded_rows);
  // what bodies fall until they hit belongs to the impact
  if (way_.size() > 0) record.work.normal -= workspace_.gravity.dot(way_);
  record.work.drives = drives.all;
  record.work.bounded -= drives.motors;
  Remember(pass);
  Vec3 linear, angular, angular_after;
  double size = 0;
  if (is_isolated_) Momentum(*model_, of_state, &linear, &angular, &size);
  if (settings_.old_velocity) {
    AdvancePositions(*model_, state.v, h, state.released, &state.q);
    state.v = next;
  } else {
    if (is_midpoint_) state.q = at.q;
    state.v = next;
    if (way_.size() > 0) AdvancePositions(*model_, way_, 1, state.released, &state.q);
    Drift(*model_, is_midpoint_ ? 0.5 * h : h, &state);
  }
  state.time = record.time;
  ++state.step_count;
  UpdateKinematics(*model_, state, &of_state);
  StoreContacts(problem, record.solution, &state.contacts);
  StoreJoints(problem, record.solution, &state.joints);
  const double gain =
      state.energy.Add(record.work, KineticEnergy(*model_, of_state), PotentialEnergy(*model_, of_state), gives_way_);
  if (is_isolated_) Momentum(*model_, of_state, &linear, &angular_after);
  // what is fed in from outside is no error
  const bool is_alone = is_isolated_ && size > 0 && state.inputs.empty();
  // where hardly anything moves, what the step's forces could move
  const double scale = state.energy.scale + 0.5 * mass_ * problem.velocity_scale * problem.velocity_scale;
  JudgeMotion(scale > 0 ? gain / scale : 0.0, is_alone ? (angular_after - angular).norm() / size : 0.0, tolerances_,
              &record.certificate);
}

// What the next step expects of itself. Impacts say nothing of what comes.
void TimeStepper::Remember(const Pass& pass) {
  State& state = pass.state;
  if (settings_.semi_implicit || (model_->linked_bodies.empty() && model_->constraints.empty())) return;
  const ContactProblem& problem = pass.record.problem;
  const VecX& next = pass.record.solution.velocity;
  state.velocity_change = next - pass.at.v;
  state.impulse_change = next - problem.free_velocity;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const bool hits = std::isfinite(problem.contacts.restitution_target[i]) && pass.record.solution.Normal(i) > 0;
    if (!hits) continue;
    for (const int tree : {problem.contacts.jacobian.block_a(i), problem.contacts.jacobian.block_b(i)}) {
      if (tree < 0) continue;
      const int offset = model_->trees.offset[tree], size = model_->trees.size[tree];
      state.velocity_change.segment(offset, size).setZero();
      state.impulse_change.segment(offset, size).setZero();
    }
  }
}

}  // namespace slipstick::internal
