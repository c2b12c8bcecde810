#include "slipstick/stepping/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "slipstick/contact/energy_account.h"
#include "slipstick/contact/store_memory.h"
#include "slipstick/model/springs.h"
#include "slipstick/stepping/release_bodies.h"

namespace slipstick::internal {
namespace {

constexpr double kClosingTolerance = 1e-6;  // of the step's velocity scale, up to which what was left out may close

}  // namespace

TimeStepper::TimeStepper(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
                         const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      method_(std::move(method)),
      settings_(settings),
      tolerances_(tolerances),
      contact_slots_(method_.law->ContactSlots()),
      joint_slots_(method_.law->JointSlots()),
      selection_(*model_, {settings.step, settings.contact_margin, settings.assembly.contact_skin,
                           settings.assembly.gap_correction}),
      workspace_(*model_) {}

void TimeStepper::Step(Motion* motion, StepRecord* record) {
  State& state = motion->state;
  const Pass pass{state, motion->kinematics, *record};
  // bodies whose time has come take part from this step on, (T0)
  ReleaseBodies(*model_, settings_.step, motion);
  record->before = state;
  const int redundant_rows = state.redundant_rows;
  modes_before_ = state.drive_modes;
  limits_before_ = state.load_limits;
  state.drive_modes.resize(model_->drives.size(), DriveMode::kWithin);
  // free motion: velocities without any constraint or contact, (T2)
  AssembleFreeMotion(*model_, state, pass.kinematics, settings_.step, state.drive_modes, &workspace_, &record->problem);
  const bool is_known = !record->problem.mass_is_singular && record->problem.free_velocity.allFinite();
  ComputeBodyVelocities(*model_, pass.kinematics, is_known ? record->problem.free_velocity : state.v, &free_motion_);
  // contacts at the configuration the step starts from, (T1)
  selection_.Choose(*model_, pass.kinematics, free_motion_);
  record->programs = 0;
  overrun_stops_.assign(2 * model_->joint_resistances.size(), 0);
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
  // judged on the physical problem, (T8)
  record->certificate = Certify(record->problem, record->solution, after_, law_residual_, tolerances_);
  JudgeDriveEfforts(pass);
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

void TimeStepper::Assemble(const Pass& pass) {
  State& state = pass.state;
  const RowSources sources{selection_.points(), selection_.chosen(), state.contacts, state.joints,
                           contact_slots_,      joint_slots_,        overrun_stops_, &state.redundant_rows};
  AssembleRows(*model_, state, pass.kinematics, sources, settings_.step, settings_.assembly, &workspace_,
               &pass.record.problem);
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
    const double next = pass.state.q[body.q_offset] + h * velocity[body.v_offset];
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

// Work, then q⁺ = q ⊕ h v⁺ and what the next step remembers, (T7), (T9).
void TimeStepper::Advance(const Pass& pass) {
  auto& [state, kinematics, record] = pass;
  const VecX& next = record.solution.velocity;
  AddPulledForces(*model_, kinematics, {state.v, next, settings_.step}, &workspace_.applied);
  record.work = ComputeStepWork(record.problem, record.solution, workspace_.applied);
  const DriveWork drives =
      ComputeDriveWork(*model_, state, record.problem, record.solution, state.drive_modes, workspace_.bounded_rows);
  record.work.drives = drives.all;
  record.work.bounded -= drives.motors;
  AdvancePositions(*model_, settings_.old_velocity ? state.v : next, settings_.step, state.released, &state.q);
  state.v = next;
  state.time = record.time;
  ++state.step_count;
  UpdateKinematics(*model_, state, &kinematics);
  StoreContacts(record.problem, record.solution, &state.contacts);
  StoreJoints(record.problem, record.solution, &state.joints);
  state.energy.Add(record.work, KineticEnergy(*model_, kinematics), PotentialEnergy(*model_, kinematics));
}

}  // namespace slipstick::internal
