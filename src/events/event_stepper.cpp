#include "slipstick/events/event_stepper.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/worst.h"

namespace slipstick::internal {
namespace {

constexpr int kPowers = 5;               // works that the integrator sums up beside q and v
constexpr double kLooseness = 1e-9;      // [m]: gaps and drift that are taken back where no event does it
constexpr double kTimeRounding = 1e-13;  // [s]
constexpr double kGain = 1e-9;           // of the kinetic energy or 1 J: work of contacts that is rounding
constexpr double kAtOnce = 1e-7;         // [s]
constexpr int kMostAtOnce = 40;          // settlings within so short a time before a short step
constexpr int kMostSteps = 20000;        // of the integrator in an interval
// The same while a slip begins: its direction has a rate that grows beyond all bounds towards its beginning.
constexpr int kMostOnsetSteps = 2000;
constexpr double kShortStep = 1e-5;        // [s]
constexpr std::size_t kMostListed = 1000;  // events
// Intervals after which the integrator begins anew, so that no state has further to look back.
constexpr int kMostStepsBack = 256;

VecX PowersOf(const StepWork& power) {
  VecX powers(kPowers);
  powers << power.applied, power.bilateral, power.bounded, power.normal, power.friction;
  return powers;
}

StepWork WorkOf(ConstRef<VecX> powers) {
  StepWork work;
  work.applied = powers[0];
  work.bilateral = powers[1];
  work.bounded = powers[2];
  work.normal = powers[3];
  work.friction = powers[4];
  return work;
}

StepWork Sum(const StepWork& a, const StepWork& b, double sign) {
  StepWork sum = a;
  sum.applied += sign * b.applied;
  sum.bilateral += sign * b.bilateral;
  sum.bounded += sign * b.bounded;
  sum.normal += sign * b.normal;
  sum.friction += sign * b.friction;
  sum.rolling += sign * b.rolling;
  return sum;
}

}  // namespace

EventStepper::EventStepper(std::shared_ptr<const Model> model, std::shared_ptr<const Law> law, ProgramSolver solver,
                           const SlidingFriction& friction, const EventDrivenSettings& settings,
                           const CertificateTolerances& tolerances)
    : model_(std::move(model)),
      law_(std::move(law)),
      solver_(std::move(solver)),
      settings_(settings),
      tolerances_(tolerances),
      friction_(friction),
      evaluator_(*model_),
      questions_(*law_, solver_, tolerances_, &evaluator_),
      integrator_({[this](double t, const VecX& y, VecX* rate) { return Rate(t, y, rate); },
                   [this](double t, const VecX& y, VecX* roots) {
                     if (!Evaluate(t, y)) return false;
                     watch_.Evaluate(instant_, modes_, forces_, roots);
                     return true;
                   }}) {
  Restart(model_->initial_state);
}

void EventStepper::Restart(const MotionState& state) {
  state_ = state;
  modes_ = {};
  is_settled_ = is_integrating_ = false;
  fallen_.clear();
  series_ = {};
  watch_.UnmuteAll();
  settled_often_ = 0;
}

void EventStepper::Resume(const State& state) {
  const EventMemory& memory = state.events;
  Restart(state);
  evaluator_.SetRedundantRows(state.redundant_rows);
  modes_ = memory.modes;
  is_settled_ = memory.is_settled;
  fallen_ = memory.fallen;
  for (const EventWatch::Name& name : memory.muted) watch_.Mute(name);
  series_.Restore(memory.series);
  settled_time_ = memory.settled_time;
  settled_often_ = memory.settled_often;
  count_ = memory.events;
  if (memory.steps_since <= 0 || !is_settled_) return;
  // the same way again, from where the integrator began
  const EventLog log = log_;
  state_ = memory.begun;
  for (long k = state.step_count - memory.steps_since + 1; k <= state.step_count; ++k) {
    Advance(state.start_time + static_cast<double>(k) * settings_.step);
  }
  log_ = log;
  count_ = memory.events;
  if (state_ == state && is_integrating_ && steps_since_ == memory.steps_since) return;
  // numbers are rounded otherwise here: as near as the tolerance
  state_ = state;
  modes_ = memory.modes;
  is_settled_ = true;
  is_integrating_ = false;
}

void EventStepper::Save(State* state) const {
  static_cast<MotionState&>(*state) = state_;
  state->redundant_rows = evaluator_.redundant_rows();
  EventMemory& memory = state->events;
  memory.modes = modes_;
  memory.is_settled = is_settled_;
  memory.fallen = fallen_;
  memory.muted.assign(watch_.muted().begin(), watch_.muted().end());
  memory.series = series_.Save();
  memory.settled_time = settled_time_;
  memory.settled_often = settled_often_;
  memory.events = count_;
  const bool looks_back = is_settled_ && is_integrating_;
  memory.begun = looks_back ? begun_ : MotionState();
  memory.steps_since = looks_back ? steps_since_ : -1;
}

VecX EventStepper::Pack() const {
  VecX y(state_.q.size() + state_.v.size() + kPowers);
  y << state_.q, state_.v, VecX::Zero(kPowers);
  return y;
}

void EventStepper::Unpack(double t, const VecX& y) {
  state_.time = t;
  state_.q = y.head(state_.q.size());
  state_.v = y.segment(state_.q.size(), state_.v.size());
  evaluator_.Normalize(&state_.q);
}

bool EventStepper::Evaluate(double t, const VecX& y) {
  if (t == evaluated_time_ && y.size() == evaluated_.size() && y == evaluated_) return forces_.is_solved;
  MotionState state = state_;
  state.time = t;
  state.q = y.head(state.q.size());
  state.v = y.segment(state.q.size(), state.v.size());
  evaluator_.Normalize(&state.q);
  evaluator_.Evaluate(state, &instant_);
  forces_ = ComputeSmoothForces(instant_, modes_, friction_, &evaluator_);
  evaluated_time_ = t;
  evaluated_ = y;
  return forces_.is_solved;
}

bool EventStepper::Rate(double t, const VecX& y, VecX* rate) {
  if (!y.allFinite() || !Evaluate(t, y)) return false;
  MotionState state = instant_.state;
  state.q = y.head(state.q.size());  // not normalised: the rate of what is integrated
  rate->resize(y.size());
  *rate << evaluator_.CoordinateRates(state), forces_.acceleration, PowersOf(forces_.power);
  return true;
}

// As far as anything may come in that time: twice what velocities and accelerations tell.
void EventStepper::SetMargins(double time) {
  Instant instant;
  const std::size_t count = model_->shapes.size();
  std::vector<double> margins(count, 2 * settings_.contact_tolerance);
  evaluator_.SetMargins(margins);
  evaluator_.Evaluate(state_, &instant);
  const Kinematics& kin = instant.kinematics;
  BodyVelocities change;
  ComputeBodyVelocities(*model_, kin, instant.free_acceleration, &change);
  double extent = 0;  // of all that has an end
  const auto reach_of = [&](const ModelShape& shape) {
    return shape.X_BS.position.norm() + BoundingRadius(shape.geometry);
  };
  for (const ModelShape& shape : model_->shapes) {
    const double reach = reach_of(shape);
    if (!std::isfinite(reach)) continue;
    extent = std::max(extent, reach + (shape.body == kWorld ? 0.0 : kin.X_WB[shape.body].position.norm()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const ModelShape& shape = model_->shapes[i];
    if (shape.body == kWorld) continue;
    double reach = reach_of(shape);
    if (!std::isfinite(reach)) reach = extent + kin.X_WB[shape.body].position.norm();
    const double speed = kin.linear_velocity[shape.body].norm() + reach * kin.angular_velocity[shape.body].norm();
    const double gain = change.linear[shape.body].norm() + reach * change.angular[shape.body].norm();
    margins[i] += 2 * time * (speed + time * gain);
  }
  evaluator_.SetMargins(std::move(margins));
  evaluated_.resize(0);
}

// Speeds below this are none: what integration leaves of zero.
double EventStepper::RestingSpeed() const {
  const double speed = state_.v.size() > 0 ? state_.v.lpNorm<Eigen::Infinity>() : 0.0;
  return std::max(1e-9, 100 * settings_.relative_tolerance) * std::max(1.0, speed);
}

std::vector<double> EventStepper::Approaches(const Instant& instant, const std::vector<ContactPoint>& points) {
  ContactProblem problem;
  evaluator_.AssembleContacts(instant, points, 1.0, &problem);
  std::vector<double> approach;
  approach.reserve(problem.contacts.key.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    approach.push_back(ComputePointMotion(problem.contacts, i, instant.state.v).contact[0]);
  }
  return approach;
}

void EventStepper::BeginMotion(double end) {
  begun_ = state_;
  steps_since_ = 0;
  watch_.Clear();
  SetMargins(end - state_.time);
  evaluator_.Evaluate(state_, &instant_);
  watch_.List(instant_, modes_, Approaches(instant_, instant_.points), RestingSpeed(), settings_.contact_tolerance);
  const double longest = settings_.longest_step > 0 ? settings_.longest_step : settings_.step;
  const bool begins = std::any_of(modes_.contacts.begin(), modes_.contacts.end(), [](const ClosedContact& contact) {
    return contact.mode == ClosedMode::kSliding && contact.begins;
  });
  integrator_.Start(
      state_.time, Pack(), watch_.Size(),
      {settings_.relative_tolerance, settings_.absolute_tolerance, longest, begins ? kMostOnsetSteps : kMostSteps});
  counted_ = {};
  is_integrating_ = true;
}

// The same modes in the next interval: only what is watched may be other.
void EventStepper::GoOn(double end) {
  SetMargins(end - state_.time);
  evaluator_.Evaluate(state_, &instant_);
  if (!watch_.List(instant_, modes_, Approaches(instant_, instant_.points), RestingSpeed(),
                   settings_.contact_tolerance)) {
    is_integrating_ = false;
  }
}

EventInterval EventStepper::Advance(double end) {
  interval_ = {};
  interval_.worst.passed = true;
  work_ = {};
  if (is_integrating_) GoOn(end);
  while (end - state_.time > kTimeRounding * std::max(1.0, std::abs(end))) {
    if (count_ > settings_.most_events) {
      interval_.ended = "more events than most_events allows";
      break;
    }
    if (!is_settled_) {
      const bool is_stuck = std::abs(state_.time - settled_time_) <= kAtOnce;
      settled_often_ = is_stuck ? settled_often_ + 1 : 0;
      if (!is_stuck) settled_time_ = state_.time;
      is_integrating_ = false;
      if (settled_often_ > kMostAtOnce || !Settle()) {
        ShortStep(end);
        if (!interval_.ended.empty()) break;
        continue;
      }
    }
    if (!is_integrating_) BeginMotion(end);
    double t = state_.time;
    VecX y;
    const RootIntegrator::Outcome outcome = integrator_.Advance(end, &t, &y);
    if (y.allFinite()) {
      Unpack(t, y);
      const StepWork counted = WorkOf(y.tail(kPowers));
      work_ = Sum(work_, Sum(counted, counted_, -1), 1);
      counted_ = counted;
    }
    fallen_.clear();
    if (outcome == RootIntegrator::Outcome::kRoot) {
      for (const int number : integrator_.FoundRoots()) fallen_.push_back(watch_.NameOf(number));
      is_settled_ = false;
    } else if (outcome == RootIntegrator::Outcome::kFailed) {
      ShortStep(end);
      if (!interval_.ended.empty()) break;
    }
  }
  if (interval_.ended.empty()) {
    state_.time = end;
    if (watch_.IsAnyMuted()) is_settled_ = false;
  }
  // forces at the end, for the record; gaps and drift that have gathered
  SetMargins(0);
  MotionState projected = state_;
  if (is_settled_ && ProjectPosition(modes_, &evaluator_, &projected) > kLooseness) {
    state_ = projected;
    is_settled_ = is_integrating_ = false;
  }
  evaluator_.Evaluate(state_, &instant_);
  evaluated_.resize(0);
  std::vector<ContactPoint> closed;
  const std::vector<double> approach = Approaches(instant_, instant_.points);
  for (std::size_t i = 0; i < instant_.points.size(); ++i) {
    const ContactPoint& point = instant_.points[i];
    if (point.gap > settings_.contact_tolerance || approach[i] > RestingSpeed()) continue;
    closed.push_back(point);
    // what bounces lower than the integrator's error may pass the ground unseen: the next interval begins with it
    if (point.gap < -settings_.contact_tolerance && approach[i] < -RestingSpeed()) is_settled_ = false;
  }
  Decision decision = DecideModes(instant_, closed, questions_, friction_, {100 * RestingSpeed(), 0}, &evaluator_);
  interval_.at_end = std::move(decision.answer);
  Judge(interval_.at_end, "");
  // a contact that pulls was left by its event unseen: the next interval begins with it
  for (const Vec3& force : forces_.contact) {
    if (force[0] < 0) is_settled_ = false;
  }
  const double gain = work_.normal + work_.friction;
  if (gain > kGain * std::max(KineticEnergy(*model_, instant_.kinematics), 1.0)) {
    interval_.worst.passed = false;
    interval_.worst.reason = "contacts have done work, which no contact can";
  }
  interval_.work = work_;
  if (++steps_since_ >= kMostStepsBack) is_integrating_ = false;
  return interval_;
}

void EventStepper::ShortStep(double end) {
  const double h = std::min(kShortStep, end - state_.time);
  SetMargins(h);
  Instant instant;
  evaluator_.Evaluate(state_, &instant);
  std::vector<ContactPoint> closed;
  const std::vector<double> approach = Approaches(instant, instant.points);
  for (std::size_t i = 0; i < instant.points.size(); ++i) {
    if (instant.points[i].gap + h * std::min(approach[i], 0.0) <= settings_.contact_tolerance) {
      closed.push_back(instant.points[i]);
    }
  }
  const VecX bias = evaluator_.RowBias(instant, closed);
  const JudgedAnswer answer = questions_.Forces(instant, closed, bias, std::vector<char>(closed.size(), 0), 0, h);
  Judge(answer, "short step");
  if (!answer.certificate.finite) {
    interval_.ended = answer.certificate.reason;
    return;
  }
  work_ = Sum(work_, ComputeStepWork(answer.problem, answer.solution, instant.applied), 1);
  state_.v += answer.solution.velocity - answer.problem.free_velocity + h * instant.free_acceleration;
  AdvancePositions(*model_, state_.v, h, state_.released, &state_.q);
  state_.time += h;
  // what slid on is told no event
  std::erase_if(modes_.contacts, [&](const ClosedContact& contact) {
    const std::vector<ContactKey>& keys = answer.problem.contacts.key;
    const auto place = std::find(keys.begin(), keys.end(), contact.key);
    return contact.mode == ClosedMode::kSticking || place == keys.end() ||
           !(answer.solution.Normal(static_cast<int>(place - keys.begin())) > 0);
  });
  fallen_.clear();
  is_settled_ = is_integrating_ = false;
  settled_often_ = 0;
  const int shape = closed.empty() ? -1 : closed.front().shape_a(),
            other = closed.empty() ? -1 : closed.front().shape_b();
  Tell(EventKind::kShortStep, shape, other, static_cast<int>(closed.size()), 0, "");
}

void EventStepper::Judge(const JudgedAnswer& answer, const std::string& what) {
  interval_.programs += answer.programs;
  const Certificate& c = answer.certificate;
  Certificate& w = interval_.worst;
  w.finite = w.finite && c.finite;
  w.solvable = w.solvable && c.solvable;
  const auto take = [](double* worst, double value) { *worst = Worst(*worst, value); };
  take(&w.momentum_residual, c.momentum_residual);
  take(&w.law_residual, c.law_residual);
  take(&w.coulomb_residual, c.coulomb_residual);
  take(&w.cone_violation, c.cone_violation);
  take(&w.complementarity, c.complementarity);
  take(&w.relaxation_gap, c.relaxation_gap);
  take(&w.penetration, c.penetration);
  take(&w.relative_penetration, c.relative_penetration);
  take(&w.drift, c.drift);
  take(&w.velocity_scale, c.velocity_scale);
  if (c.passed) return;
  // that there is no answer says more than what was wrong before
  if (w.reason.empty() || !c.finite) w.reason = what.empty() ? c.reason : what + ": " + c.reason;
  w.passed = false;
}

std::string EventStepper::BodyOf(int shape) const {
  if (shape < 0) return "";
  const int body = model_->shapes[shape].body;
  return body == kWorld ? "world" : model_->bodies[body].name;
}

void EventStepper::Tell(EventKind kind, int shape_a, int shape_b, int contacts, double speed,
                        const std::string& remark) {
  Enter({kind, state_.time, BodyOf(shape_a), BodyOf(shape_b), contacts, speed, remark});
}

// Counted always, listed while there is room.
void EventStepper::Enter(MotionEvent event) {
  ++count_;
  ++log_.counts[static_cast<std::size_t>(event.kind)];
  if (log_.listed.size() < kMostListed) log_.listed.push_back(std::move(event));
}

}  // namespace slipstick::internal
