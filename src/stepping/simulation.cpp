#include "slipstick/stepping/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace slipstick {

Simulation::Simulation(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
                       const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      method_(std::move(method)),
      settings_(settings),
      tolerances_(tolerances),
      state_(model_->initial_state),
      start_time_(state_.time),
      detector_(*model_) {
  ComputeKinematics(*model_, state_, &kinematics_);
  energy_.Start(KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
}

const StepRecord& Simulation::Step() {
  // bodies whose time has come take part from this step on, (T0)
  ReleaseBodies();
  // free motion: velocities without any constraint or contact, (T2)
  AssembleFreeMotion(*model_, state_, kinematics_, settings_.step, &workspace_, &record_.problem);
  ComputeFreeMotion();
  // contacts at the configuration the step starts from, (T1)
  SetMargins();
  const std::vector<ContactPoint>& points = detector_.Detect(*model_, kinematics_, margins_);
  // Jacobian blocks, targets, gaps: the rest of the physical problem, (T3), (T4)
  AssembleRows(*model_, state_, kinematics_, points, memory_, settings_.step, settings_.assembly, &workspace_,
               &record_.problem);
  // whichever law and solver the user named
  Solve();
  // judged on the physical problem, (T8)
  record_.certificate = Certify(record_.problem, record_.solution, record_.certificate.law_residual, tolerances_);
  // start + k h rather than a sum of steps, whose rounding would let events come a step late
  record_.time = start_time_ + static_cast<double>(step_count_ + 1) * settings_.step;
  if (!record_.certificate.finite) return record_;
  record_.work = ComputeStepWork(record_.problem, record_.solution, workspace_.applied);
  // q⁺ = q ⊕ h v⁺, (T7)
  Advance();
  memory_.Store(record_.problem, record_.solution);
  energy_.Add(record_.work, KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
  return record_;
}

void Simulation::ReleaseBodies() {
  const std::vector<BodyRelease>& releases = model_->releases;
  // a release at k h must not miss its step because k h was rounded downwards
  const double now = state_.time + 1e-6 * settings_.step;
  const int before = state_.released;
  while (state_.released < static_cast<int>(releases.size()) && releases[state_.released].time <= now) {
    const BodyRelease& release = releases[state_.released++];
    state_.v.segment<6>(model_->bodies[release.body].v_offset) = release.velocity;
    ComputeBodyKinematics(*model_, state_, release.body, &kinematics_);
  }
  if (state_.released == before) return;
  kinematics_.released = state_.released;
  energy_.Release(KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
}

// Velocities that the bodies would have after the step if nothing held them; for a body of a singular tree, those it
// has.
void Simulation::ComputeFreeMotion() {
  if (record_.problem.mass_is_singular || !record_.problem.free_velocity.allFinite()) {
    free_motion_ = kinematics_;
    return;
  }
  free_state_ = state_;
  free_state_.v = record_.problem.free_velocity;
  ComputeKinematics(*model_, free_state_, &free_motion_);
}

void Simulation::Solve() {
  if (record_.problem.mass_is_singular || !record_.problem.free_velocity.allFinite()) {
    // nothing to solve with; the certificate fails the step
    record_.solution = {};
    record_.solution.velocity = VecX::Constant(state_.v.size(), std::nan(""));
    record_.report = {SolveStatus::kSingular, 0, 0, method_.solver_name};
    record_.programs = 0;
    record_.certificate.law_residual = std::nan("");
    return;
  }
  LawAnswer answer = method_.law->Solve(record_.problem, method_.solver);
  record_.solution = std::move(answer.solution);
  record_.report = answer.report;
  record_.programs = answer.programs;
  record_.certificate.law_residual = method_.law->Residual(record_.problem, record_.solution);
}

void Simulation::Advance() {
  const VecX& next = record_.solution.velocity;
  AdvancePositions(*model_, settings_.old_velocity ? state_.v : next, settings_.step, &state_.q);
  state_.v = next;
  state_.time = record_.time;
  ++step_count_;
  ComputeKinematics(*model_, state_, &kinematics_);
}

// A pair is looked at up to the sum of its shapes' margins. A shape's own is twice the way of its fastest point, with
// the velocity it has or the one that forces would give it: so whoever comes fast is seen a step before it arrives, and
// what it touched then has its margin too, because it may be pushed as fast within the step. What is passed on further
// in the same step is not foreseen.
void Simulation::SetMargins() {
  const std::size_t count = model_->shapes.size();
  if (settings_.contact_margin >= 0) {
    margins_.assign(count, 0.5 * settings_.contact_margin);
    return;
  }
  const double h = settings_.step;
  double extent = 0;  // of all that has an end: how far from its body a plane may meet something
  for (const ModelShape& shape : model_->shapes) {
    const double radius = BoundingRadius(shape.geometry);
    if (std::isfinite(radius))
      extent = std::max(extent, (kinematics_.PoseOf(shape.body) * shape.X_BS.position).norm() + radius);
  }
  own_margins_.assign(count, model_->gravity.norm() * h * h);
  for (std::size_t i = 0; i < count; ++i) {
    const ModelShape& shape = model_->shapes[i];
    if (shape.body == kWorld) continue;
    const double radius = BoundingRadius(shape.geometry);
    const double reach = std::isfinite(radius) ? shape.X_BS.position.norm() + radius
                                               : extent + kinematics_.X_WB[shape.body].position.norm();
    double fastest = 0;
    for (const Kinematics* motion : {&kinematics_, &free_motion_}) {
      fastest = std::max(
          fastest, motion->linear_velocity[shape.body].norm() + reach * motion->angular_velocity[shape.body].norm());
    }
    own_margins_[i] += 2.0 * fastest * h;
  }
  margins_ = own_margins_;
  for (const std::uint64_t key : memory_.keys()) {
    const int a = ShapeA(key), b = ShapeB(key);
    // what does not move is not pushed
    if (model_->TreeOf(model_->shapes[a].body) < 0 || model_->TreeOf(model_->shapes[b].body) < 0) continue;
    margins_[a] = std::max(margins_[a], own_margins_[b]);
    margins_[b] = std::max(margins_[b], own_margins_[a]);
  }
}

PositionErrors Simulation::JudgePresentPositions() {
  ContactProblem problem;
  AssembleFreeMotion(*model_, state_, kinematics_, settings_.step, &workspace_, &problem);
  const std::vector<ContactPoint>& points = detector_.Detect(*model_, kinematics_, 0.0);
  AssembleRows(*model_, state_, kinematics_, points, memory_, settings_.step, settings_.assembly, &workspace_,
               &problem);
  return JudgePositions(problem, tolerances_);
}

void Simulation::Restore(const Snapshot& snapshot) {
  state_ = snapshot.state;
  start_time_ = snapshot.start_time;
  step_count_ = snapshot.step_count;
  memory_ = snapshot.memory;
  energy_ = snapshot.energy;
  ComputeKinematics(*model_, state_, &kinematics_);
}

std::uint64_t Simulation::StateHash() const {
  std::uint64_t hash = 1469598103934665603ull;  // FNV-1a, word by word
  const auto add = [&](double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  };
  add(state_.time);
  if (!model_->releases.empty()) add(state_.released);
  for (double value : state_.q) add(value);
  for (double value : state_.v) add(value);
  return hash;
}

std::vector<SettingSpec> TimeSteppingSettings::Specs() {
  const TimeSteppingSettings d;
  return {{.name = "step",
           .default_value = d.step,
           .unit = "s",
           .meaning = "h, length of a step",
           .least = 0,
           .most = 1,
           .least_excluded = true},
          {.name = "duration",
           .default_value = d.duration,
           .unit = "s",
           .meaning = "simulated time of a run",
           .least = 0,
           .most = 1e9},
          {.name = "position_update",
           .default_value = std::string("new-velocity"),
           .unit = "",
           .meaning = "positions move with v⁺, or with the old v (Peiret eq 7)",
           .choices = {"new-velocity", "old-velocity"}},
          {.name = "contact_margin",
           .default_value = d.contact_margin,
           .unit = "m",
           .meaning = "gap up to which contacts are found; negative: as far as bodies may come in a step"},
          {.name = "contact_skin",
           .default_value = d.assembly.contact_skin,
           .unit = "m",
           .meaning = "gap up to which a contact counts as closed; negative: what a free step closes"},
          {.name = "gap_correction",
           .default_value = d.assembly.gap_correction,
           .unit = "",
           .meaning = "share of a closed contact's gap or overlap taken away in a step; 0: velocity level",
           .least = 0,
           .most = 1},
          {.name = "correction_speed",
           .default_value = d.assembly.correction_speed,
           .unit = "m/s",
           .meaning = "fastest correction of a penetration",
           .least = 0},
          {.name = "drift_correction",
           .default_value = d.assembly.drift_correction,
           .unit = "",
           .meaning = "share of the constraints' drift taken away in a step",
           .least = 0,
           .most = 1},
          {.name = "restitution_speed",
           .default_value = d.assembly.restitution_speed,
           .unit = "m/s",
           .meaning = "approach below which nothing bounces",
           .least = 0}};
}

TimeSteppingSettings TimeSteppingSettings::From(const Settings& settings) {
  TimeSteppingSettings s;
  s.step = settings.Number("step");
  s.duration = settings.Number("duration");
  s.old_velocity = settings.Text("position_update") == "old-velocity";
  s.contact_margin = settings.Number("contact_margin");
  s.assembly.contact_skin = settings.Number("contact_skin");
  s.assembly.gap_correction = settings.Number("gap_correction");
  s.assembly.correction_speed = settings.Number("correction_speed");
  s.assembly.drift_correction = settings.Number("drift_correction");
  s.assembly.restitution_speed = settings.Number("restitution_speed");
  return s;
}

}  // namespace slipstick
