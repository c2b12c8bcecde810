#include "slipstick/stepping/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "slipstick/base/check.h"
#include "slipstick/base/make_room.h"
#include "slipstick/model/springs.h"

namespace slipstick::internal {
namespace {

constexpr double kForesight = 2;      // contacts are chosen that close within so many steps
constexpr double kTurnedAside = 0.5;  // or within one if this share of their relative velocity were along the normal
constexpr double kClosingTolerance = 1e-6;  // of the step's velocity scale, up to which a contact left out may close

}  // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
                       const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      method_(std::move(method)),
      settings_(settings),
      tolerances_(tolerances),
      state_(model_->initial_state),
      start_time_(state_.time),
      detector_(*model_),
      workspace_(*model_) {
  for (const ModelShape& shape : model_->shapes) {
    body_of_.push_back(shape.body);
    reach_.push_back(shape.X_BS.position.norm() + BoundingRadius(shape.geometry));
  }
  ComputeKinematics(*model_, state_, &kinematics_);
  energy_.Start(KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
}

Simulation::Simulation(std::shared_ptr<const Model> model, Method method, const EventDrivenSettings& settings,
                       const CertificateTolerances& tolerances)
    : Simulation(std::move(model), std::move(method), TimeSteppingSettings(), tolerances) {
  settings_.step = settings.step;
  settings_.duration = settings.duration;
  SLIPSTICK_CHECK(method_.sliding.has_value(), "a law that has forces");
  events_ = std::make_unique<EventStepper>(model_, method_.law, method_.solver, *method_.sliding, settings, tolerances);
}

const StepRecord& Simulation::Step() {
  if (events_) return StepByEvents();
  // bodies whose time has come take part from this step on, (T0)
  ReleaseBodies();
  // free motion: velocities without any constraint or contact, (T2)
  AssembleFreeMotion(*model_, state_, kinematics_, settings_.step, &workspace_, &record_.problem);
  ComputeFreeMotion();
  // contacts at the configuration the step starts from, (T1)
  SetMargins();
  const std::vector<ContactPoint>& points = detector_.Detect(*model_, kinematics_, margins_);
  ChooseContacts(points);
  record_.programs = 0;
  workspace_.overrun_stops.assign(2 * model_->joint_resistances.size(), 0);
  bool is_more = false;
  do {
    // Jacobian blocks, targets, gaps: the rest of the physical problem, (T3), (T4)
    AssembleRows(*model_, state_, kinematics_, points, chosen_, memory_, settings_.step, settings_.assembly,
                 &workspace_, &record_.problem);
    // whichever law and solver the user named; drives that reach their limits, or leave them, change the problem
    Solve();
    for (int rounds = 0; SwitchDrives(points, &rounds);) Solve();
    // contacts left out that this answer would close come in, and stops that it would overrun, and all is solved anew
    is_more = TakeInClosing(points);
    is_more |= TakeInStops();
  } while (is_more);
  // judged on the physical problem, (T8)
  record_.certificate =
      Certify(record_.problem, record_.solution, after_, record_.certificate.law_residual, tolerances_);
  JudgeDriveEfforts();
  if (!record_.certificate.passed && workspace_.constraints_contradict) {
    record_.certificate.reason += "; constraints contradict each other";
  }
  // start + k h rather than a sum of steps, whose rounding would let events come a step late
  record_.time = start_time_ + static_cast<double>(step_count_ + 1) * settings_.step;
  if (!record_.certificate.finite) return record_;
  AddPulledForces(*model_, kinematics_, {state_.v, record_.solution.velocity, settings_.step}, &workspace_.applied);
  record_.work = ComputeStepWork(record_.problem, record_.solution, workspace_.applied);
  const DriveWork drives = ComputeDriveWork(*model_, state_, record_.problem, record_.solution, workspace_.drive_modes,
                                            workspace_.bounded_rows);
  record_.work.drives = drives.all;
  record_.work.bounded -= drives.motors;
  // q⁺ = q ⊕ h v⁺, (T7)
  Advance();
  memory_.Store(record_.problem, record_.solution);
  energy_.Add(record_.work, KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
  return record_;
}

// Smooth motion and events up to the next state that is seen from outside.
const StepRecord& Simulation::StepByEvents() {
  const int before = state_.released;
  ReleaseBodies();
  if (state_.released != before) events_->Restart(state_);
  EventInterval interval = events_->Advance(start_time_ + static_cast<double>(step_count_ + 1) * settings_.step);
  record_.problem = std::move(interval.at_end.problem);
  record_.solution = std::move(interval.at_end.solution);
  record_.report = interval.at_end.report;
  record_.programs = interval.programs;
  record_.certificate = interval.worst;
  record_.work = interval.work;
  record_.ended = interval.ended;
  record_.time = events_->state().time;
  if (!record_.certificate.finite) return record_;
  if (!record_.ended.empty()) {
    record_.certificate.passed = false;
    record_.certificate.reason = record_.ended;
  }
  state_ = events_->state();
  ++step_count_;
  UpdateKinematics(*model_, state_, &kinematics_);
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
  const bool is_known = !record_.problem.mass_is_singular && record_.problem.free_velocity.allFinite();
  ComputeBodyVelocities(*model_, kinematics_, is_known ? record_.problem.free_velocity : state_.v, &free_motion_);
}

void Simulation::Advance() {
  const VecX& next = record_.solution.velocity;
  AdvancePositions(*model_, settings_.old_velocity ? state_.v : next, settings_.step, state_.released, &state_.q);
  state_.v = next;
  state_.time = record_.time;
  ++step_count_;
  UpdateKinematics(*model_, state_, &kinematics_);
}

// A pair is looked at up to the sum of its shapes' margins. A shape's is twice the way of its fastest point in a step,
// with the velocity it has or the one that forces would give it. What hits within the step may give is not foreseen:
// LookFurther.
void Simulation::SetMargins() {
  const std::size_t count = model_->shapes.size();
  if (settings_.contact_margin >= 0) {
    margins_.assign(count, 0.5 * settings_.contact_margin);
    return;
  }
  const double h = settings_.step;
  double extent = -1;  // of all that has an end: how far from its body a plane may meet something
  margins_.assign(count, model_->gravity.norm() * h * h);
  reach_now_.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const int body = body_of_[i];
    if (body == kWorld) continue;
    double reach = reach_[i];
    if (!std::isfinite(reach)) {
      if (extent < 0) extent = Extent();
      reach = extent + kinematics_.X_WB[body].position.norm();
    }
    reach_now_[i] = reach;
    const double present = kinematics_.linear_velocity[body].norm() + reach * kinematics_.angular_velocity[body].norm();
    const double free = free_motion_.linear[body].norm() + reach * free_motion_.angular[body].norm();
    margins_[i] += 2.0 * std::max(present, free) * h;
  }
}

// Farthest from the world's origin that anything with an end reaches.
double Simulation::Extent() const {
  double extent = 0;
  for (std::size_t i = 0; i < model_->shapes.size(); ++i) {
    const int body = body_of_[i];
    if (!std::isfinite(reach_[i])) continue;
    extent = std::max(extent, reach_[i] + (body == kWorld ? 0.0 : kinematics_.X_WB[body].position.norm()));
  }
  return extent;
}

Vec3 Simulation::Approach(const ContactPoint& point, const std::vector<Vec3>& angular,
                          const std::vector<Vec3>& linear) const {
  Vec3 approach(0, 0, 0);
  if (const int a = body_of_[point.shape_a]; a != kWorld) {
    approach -= linear[a] + angular[a].cross(point.point_a - kinematics_.X_WB[a].position);
  }
  if (const int b = body_of_[point.shape_b]; b != kWorld) {
    approach += linear[b] + angular[b].cross(point.point_b - kinematics_.X_WB[b].position);
  }
  return approach;
}

// With the present velocities and with those of free motion.
std::pair<Vec3, Vec3> Simulation::Approaches(const ContactPoint& point) const {
  Vec3 present(0, 0, 0), free(0, 0, 0);
  const auto add = [&](int body, const Vec3& on_body, double sign) {
    if (body == kWorld) return;
    const Vec3 arm = on_body - kinematics_.X_WB[body].position;
    present += sign * (kinematics_.linear_velocity[body] + kinematics_.angular_velocity[body].cross(arm));
    free += sign * (free_motion_.linear[body] + free_motion_.angular[body].cross(arm));
  };
  add(body_of_[point.shape_a], point.point_a, -1);
  add(body_of_[point.shape_b], point.point_b, 1);
  return {present, free};
}

// Of the points found, those that matter to the step as far as it can be foreseen, (T1b): near ones, ones that close
// within it with the velocities that are or that forces give, and ones that do so with what a body may be pushed by
// another that comes.
void Simulation::ChooseContacts(const std::vector<ContactPoint>& points) {
  is_chosen_.assign(points.size(), 1);
  if (settings_.contact_margin < 0) {
    const double h = settings_.step, skin = settings_.assembly.contact_skin,
                 near = 2 * std::max(skin, model_->gravity.norm() * h * h);
    MakeRoom(&closing_, points.size());
    closing_.resize(points.size());
    push_.assign(model_->bodies.size(), 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ContactPoint& point = points[i];
      const auto [present, free] = Approaches(point);
      const double closing = std::max(point.normal.dot(present), point.normal.dot(free));
      closing_[i] = closing;
      // what passes by may be turned aside
      is_chosen_[i] = point.gap <= near + h * std::max(kForesight * closing, kTurnedAside * present.norm());
      if (!is_chosen_[i]) continue;
      for (const int shape : {point.shape_a, point.shape_b}) {
        if (const int body = body_of_[shape]; body != kWorld) push_[body] = std::max(push_[body], closing);
      }
    }
    const auto push = [&](int shape) {
      const int body = body_of_[shape];
      return body == kWorld ? 0.0 : push_[body];
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ContactPoint& point = points[i];
      const double speed = closing_[i] + std::max(push(point.shape_a), push(point.shape_b));
      is_chosen_[i] |= static_cast<char>(point.gap <= h * speed);
    }
  }
  GatherChosen();
}

void Simulation::GatherChosen() {
  chosen_.clear();
  MakeRoom(&chosen_, is_chosen_.size());
  for (std::size_t i = 0; i < is_chosen_.size(); ++i) {
    if (is_chosen_[i]) chosen_.push_back(static_cast<int>(i));
  }
}

// Where the answer gives a shape more speed than its margin has room for, as to the last ball of a row that is hit,
// points are looked for again. Those chosen before are kept.
void Simulation::LookFurther() {
  const double h = settings_.step;
  bool is_wider = false;
  for (std::size_t i = 0; i < margins_.size(); ++i) {
    const int body = body_of_[i];
    if (body == kWorld) continue;
    const double needed =
        h * (answered_motion_.linear[body].norm() + reach_now_[i] * answered_motion_.angular[body].norm());
    if (!(needed > margins_[i])) continue;
    margins_[i] = 2 * needed;
    is_wider = true;
  }
  if (!is_wider) return;
  const std::vector<ContactPoint>& points = detector_.Detect(*model_, kinematics_, margins_);
  const std::vector<std::uint64_t>& chosen = record_.problem.contacts.key;
  is_chosen_.assign(points.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < points.size() && next < chosen.size(); ++i) {
    if (ContactKey(points[i].shape_a, points[i].shape_b, points[i].feature) != chosen[next]) continue;
    is_chosen_[i] = 1;
    ++next;
  }
}

// True where the answer would close points that were left out: they are then among the chosen.
bool Simulation::TakeInClosing(const std::vector<ContactPoint>& points) {
  if (!record_.solution.velocity.allFinite() || settings_.contact_margin >= 0) return false;
  ComputeBodyVelocities(*model_, kinematics_, record_.solution.velocity, &answered_motion_);
  LookFurther();
  const double h = settings_.step;
  // as (T4) has it, the share of the skin that a step leaves open is not closed
  const double skin =
      settings_.assembly.contact_skin >= 0 ? settings_.assembly.contact_skin : model_->gravity.norm() * h * h;
  // those left out may be as wrong as those chosen are, so that the residual speaks for all
  const double error = std::max(kClosingTolerance * record_.problem.velocity_scale, record_.certificate.law_residual);
  const double kept = (1 - settings_.assembly.gap_correction) * skin - error * h;
  bool any = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_chosen_[i] ||
        h * points[i].normal.dot(Approach(points[i], answered_motion_.angular, answered_motion_.linear)) <=
            points[i].gap - kept) {
      continue;
    }
    is_chosen_[i] = 1;
    any = true;
  }
  if (any) GatherChosen();
  return any;
}

// The same of stops of joints that the answer would overrun: a hit, a motor or a coupling may move a joint that has no
// speed and no force of its own.
bool Simulation::TakeInStops() {
  if (!record_.solution.velocity.allFinite()) return false;
  const double h = settings_.step;
  const double error =
      h * std::max(kClosingTolerance * record_.problem.velocity_scale, record_.certificate.law_residual);
  bool any = false;
  for (std::size_t k = 0; k < model_->joint_resistances.size(); ++k) {
    const JointResistance& joint = model_->joint_resistances[k];
    const ModelBody& body = model_->bodies[joint.body];
    if (body.v_count != 1) continue;
    const double next = state_.q[body.q_offset] + h * record_.solution.velocity[body.v_offset];
    const auto take = [&](std::size_t stop, double left) {
      if (workspace_.stops_with_rows[stop] != 0 || left >= -error) return;
      workspace_.overrun_stops[stop] = 1;
      any = true;
    };
    take(2 * k, next - joint.lower);
    take(2 * k + 1, joint.upper - next);
  }
  return any;
}

PositionErrors Simulation::JudgePresentPositions() {
  ContactProblem problem;
  AssembleFreeMotion(*model_, state_, kinematics_, settings_.step, &workspace_, &problem);
  const std::vector<ContactPoint>& points = detector_.Detect(*model_, kinematics_, 0.0);
  is_chosen_.assign(points.size(), 1);
  GatherChosen();
  AssembleRows(*model_, state_, kinematics_, points, chosen_, memory_, settings_.step, settings_.assembly, &workspace_,
               &problem);
  return JudgePositions(problem, tolerances_);
}

void Simulation::Restore(const Snapshot& snapshot) {
  state_ = snapshot.state;
  start_time_ = snapshot.start_time;
  step_count_ = snapshot.step_count;
  memory_ = snapshot.memory;
  energy_ = snapshot.energy;
  load_limits_ = snapshot.load_limits;
  workspace_.drive_modes = snapshot.drive_modes;
  workspace_.drive_modes.resize(model_->drives.size(), DriveMode::kWithin);
  ComputeKinematics(*model_, state_, &kinematics_);
  if (events_) events_->Restart(state_);
}

const std::vector<StepperEntry>& StepperCatalog() {
  static const std::vector<StepperEntry> catalog = {
      {"time-stepping", "semi-implicit, velocities first, exponential map for rotations",
       TimeSteppingSettings::Specs()},
      {"event-driven", "integrator with error control, from event to event", EventDrivenSettings::Specs()}};
  return catalog;
}

void Simulation::TakeOver(const Snapshot& snapshot) {
  SLIPSTICK_CHECK(snapshot.state.q.size() == state_.q.size() && snapshot.state.v.size() == state_.v.size(),
                  "the coordinates of both models are the same");
  Restore(snapshot);
  energy_.Release(KineticEnergy(*model_, kinematics_), PotentialEnergy(*model_, kinematics_));
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
  return {StepSpec(d.step, "h, length of a step"),
          DurationSpec(d.duration),
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

}  // namespace slipstick::internal
