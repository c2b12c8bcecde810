#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "slipstick/events/event_stepper.h"

namespace slipstick::internal {
namespace {

constexpr int kMostCollisions = 20;     // one after the other at one time
constexpr double kEased = 1e-8;         // of static friction, where it has reached its limit
constexpr double kEnergyGain = 1e-12;   // of the kinetic energy: less is rounding
constexpr double kLastInterval = 1e-9;  // [s]: impacts that follow each other faster are not told one by one
constexpr int kMostTold = 20;           // of the impacts that are left of a series
constexpr int kRestorations = 30;       // bisections of what may be restored

using Pair = std::pair<int, int>;
Pair PairOf(const ContactPoint& point) { return {point.shape_a(), point.shape_b()}; }

bool AreSame(const Modes& a, const Modes& b) {
  if (a.contacts.size() != b.contacts.size() || a.joints != b.joints) return false;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    if (a.contacts[i].key != b.contacts[i].key || a.contacts[i].mode != b.contacts[i].mode) return false;
  }
  return true;
}

double SlipOf(const Instant& instant, const ContactPoint& point, InstantEvaluator* evaluator) {
  ContactProblem problem;
  evaluator->AssembleContacts(instant, {point}, 1.0, &problem);
  return ComputePointMotion(problem.contacts, 0, instant.state.v).contact.tail<2>().norm();
}

// Whether what had fallen to zero is well above it, with forces that are shared otherwise.
bool HasRoom(const EventWatch::Name& name, const Modes& modes, const SmoothForces& forces) {
  constexpr double kRoom = 1e-9;  // less than what is eased
  double heaviest = 0;
  for (const Vec3& force : forces.contact) heaviest = std::max(heaviest, force[0]);
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    if (modes.contacts[i].key != name.key) continue;
    const Vec3& force = forces.contact[i];
    const double limit = forces.friction_static[i] * force[0];
    if (name.kind == EventWatch::Kind::kCone) return limit - force.tail<2>().norm() > kRoom * limit;
    if (name.kind == EventWatch::Kind::kNormalForce) return force[0] > kRoom * heaviest;
  }
  return false;
}

}  // namespace

// From what has led here to modes with which motion goes on: collisions, then the forces of what stays closed. False
// where they are not found.
bool EventStepper::Settle() {
  const Modes before = modes_;
  const bool at_limit = std::any_of(fallen_.begin(), fallen_.end(), [](const EventWatch::Name& name) {
    return name.kind == EventWatch::Kind::kCone || name.kind == EventWatch::Kind::kJointForce;
  });
  hit_.clear();
  bool changed = false;  // the velocity
  for (int round = 0; round < kMostCollisions; ++round) {
    SetMargins(0);
    Instant instant;
    evaluator_.Evaluate(state_, &instant);
    std::vector<ContactPoint> closed, resting;
    for (const ContactPoint& point : instant.points) {
      if (point.gap <= settings_.contact_tolerance) closed.push_back(point);
    }
    // what the integrator has left of velocities that modes hold is taken back first: it is no approach
    if (round == 0 && !modes_.contacts.empty()) {
      ProjectVelocity(instant, modes_, &evaluator_, &state_.v);
      evaluator_.Evaluate(state_, &instant);
    }
    const std::vector<double> approach = Approaches(instant, closed);
    const double rest = RestingSpeed();
    if (std::any_of(approach.begin(), approach.end(), [&](double u) { return u < -rest; })) {
      if (!Collide(closed, approach)) return false;
      modes_.contacts.clear();
      changed = true;
      continue;
    }
    for (std::size_t i = 0; i < closed.size(); ++i) {
      if (approach[i] <= rest) resting.push_back(closed[i]);
    }
    Decision decision =
        DecideModes(instant, resting, questions_, friction_, {100 * rest, at_limit ? kEased : 0.0}, &evaluator_);
    if (decision.kind == Decision::Kind::kUnclear) return false;
    if (decision.kind == Decision::Kind::kImpulse) {
      const ContactPoint& point = resting.front();
      Judge(decision.answer, "impulse without collision");
      work_.normal +=
          ComputeStepWork(decision.answer.problem, decision.answer.solution, VecX::Zero(state_.v.size())).normal;
      work_.friction +=
          ComputeStepWork(decision.answer.problem, decision.answer.solution, VecX::Zero(state_.v.size())).friction;
      state_.v = decision.velocity;
      Tell(EventKind::kPainleve, point.shape_a(), point.shape_b(), static_cast<int>(resting.size()), 0,
           "no acceleration: an impulse without a collision");
      modes_.contacts.clear();
      changed = true;
      continue;
    }
    for (std::size_t i = 0; i < resting.size(); ++i) {
      if (!decision.is_indefinite[i]) continue;
      const bool was = std::any_of(fallen_.begin(), fallen_.end(),
                                   [](const EventWatch::Name& name) { return name.kind == EventWatch::Kind::kGive; });
      if (changed || was || before.contacts.empty()) {
        Tell(EventKind::kPainleve, resting[i].shape_a(), resting[i].shape_b(), 1, 0,
             "several accelerations: the law's is taken");
      }
    }
    modes_ = decision.modes;
    is_settled_ = true;
    const bool same = AreSame(before, modes_) && !changed;
    if (!same) watch_.UnmuteAll();
    if (same) ++count_;  // an event without a name: so no run has events without end
    for (const EventWatch::Name& name : fallen_) {
      // a new direction of slip, or forces that are shared otherwise now
      const bool is_mended = name.kind == EventWatch::Kind::kSlip || HasRoom(name, modes_, decision.forces);
      if (same && !is_mended) watch_.Mute(name);
    }
    TellChanges(before);
    // onto what the modes hold
    SetMargins(0);
    ProjectPosition(modes_, &evaluator_, &state_);
    evaluator_.Evaluate(state_, &instant);
    ProjectVelocity(instant, modes_, &evaluator_, &state_.v);
    fallen_.clear();
    return true;
  }
  return false;
}

// A collision: impulses by the law. False where its answer is not finite.
bool EventStepper::Collide(const std::vector<ContactPoint>& closed, const std::vector<double>& approach) {
  if (EndSeries(closed, approach)) return true;
  Instant instant;
  evaluator_.Evaluate(state_, &instant);
  const VecX none = VecX::Zero(state_.v.size());
  const double rest = RestingSpeed();
  const auto gain_of = [&](const JudgedAnswer& answer, StepWork* work) {
    *work = ComputeStepWork(answer.problem, answer.solution, none);
    return work->normal + work->friction;
  };
  JudgedAnswer answer = questions_.Impact(instant, closed, rest, 1);
  if (!answer.certificate.finite) return false;
  StepWork work;
  const double allowed = kEnergyGain * KineticEnergy(*model_, instant.kinematics);
  if (gain_of(answer, &work) > allowed) {
    // Newton's restitution may add energy where friction acts: as much is restored as does not
    double low = 0, high = 1;
    for (int k = 0; k < kRestorations; ++k) {
      const double middle = 0.5 * (low + high);
      StepWork tried;
      const JudgedAnswer other = questions_.Impact(instant, closed, rest, middle);
      if (!other.certificate.finite) return false;
      (gain_of(other, &tried) > allowed ? high : low) = middle;
    }
    answer = questions_.Impact(instant, closed, rest, low);
    gain_of(answer, &work);
  }
  Judge(answer, "impact");
  work_.normal += work.normal;
  work_.friction += work.friction;
  work_.bilateral += work.bilateral;
  state_.v = answer.solution.velocity;
  std::map<Pair, std::pair<int, double>> hits;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (approach[i] >= -rest) continue;
    auto& [count, speed] = hits[PairOf(closed[i])];
    ++count;
    speed = std::max(speed, -approach[i]);
  }
  for (const auto& [pair, hit] : hits) {
    Tell(EventKind::kImpact, pair.first, pair.second, hit.first, hit.second, "");
    hit_.insert(pair);
  }
  return true;
}

// Where an impact is one of a series that ends before anything else could happen, all closed contacts of its bodies
// that move as slowly stay closed from here on, (E9).
bool EventStepper::EndSeries(const std::vector<ContactPoint>& closed, const std::vector<double>& approach) {
  const double rest = RestingSpeed();
  int ending = -1;
  ImpactSeries::Rest left;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (approach[i] >= -rest) continue;
    const std::optional<ImpactSeries::Rest> rest_of_series = series_.Add(closed[i].key, state_.time);
    if (!rest_of_series || rest_of_series->Duration() > settings_.accumulation_time) continue;
    ending = static_cast<int>(i);
    left = *rest_of_series;
  }
  if (ending < 0) return false;
  Instant instant;
  evaluator_.Evaluate(state_, &instant);
  const auto bodies = [&](const ContactPoint& point) {
    return Pair(model_->TreeOf(model_->shapes[point.shape_a()].body),
                model_->TreeOf(model_->shapes[point.shape_b()].body));
  };
  const Pair ended = bodies(closed[ending]);
  const auto shares = [&](const Pair& pair) {
    const auto is_in = [&](int tree) { return tree >= 0 && (tree == ended.first || tree == ended.second); };
    return is_in(pair.first) || is_in(pair.second);
  };
  Modes held;
  held.joints.assign(modes_.joints.size(), 1);  // which leaves joints as they are
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const bool is_slow = std::abs(approach[i]) <= 10 * std::abs(approach[ending]);
    if (!shares(bodies(closed[i])) || !is_slow) continue;
    ClosedContact contact;
    contact.key = closed[i].key;
    contact.point = closed[i];
    const double slip = SlipOf(instant, closed[i], &evaluator_);
    contact.mode = slip <= 10 * std::abs(approach[ending]) &&
                           model_->Pair(closed[i].shape_a(), closed[i].shape_b()).friction_static > 0
                       ? ClosedMode::kSticking
                       : ClosedMode::kSliding;
    held.contacts.push_back(contact);
    series_.Forget(contact.key);
  }
  const double energy = KineticEnergy(*model_, instant.kinematics);
  ProjectVelocity(instant, held, &evaluator_, &state_.v);
  evaluator_.Evaluate(state_, &instant);
  work_.normal += KineticEnergy(*model_, instant.kinematics) - energy;
  const ContactPoint& point = closed[ending];
  // the impact itself, and those to come by the law of the series
  const double time = state_.time, speed = -approach[ending];
  const auto tell = [&](EventKind kind, double at, double speed_then, const std::string& remark) {
    Enter({kind, at, BodyOf(point.shape_a()), BodyOf(point.shape_b()), static_cast<int>(held.contacts.size()),
           speed_then, remark});
  };
  tell(EventKind::kImpact, time, speed, "");
  double next = left.interval, share = left.ratio;
  double at = time + next;
  for (int k = 0; k < kMostTold && next > kLastInterval; ++k) {
    tell(EventKind::kImpact, at, share * speed, "by the law of the series");
    next *= left.ratio;
    share *= left.ratio;
    at += next;
  }
  tell(EventKind::kAccumulation, time + left.Duration(), 0, "the limit of a series of impacts");
  hit_.insert(PairOf(point));
  return true;
}

// Events between the modes before and those now, told of pairs of shapes.
void EventStepper::TellChanges(const Modes& before) {
  std::map<Pair, std::pair<PairState, PairState>> pairs;
  for (const ClosedContact& contact : before.contacts) {
    PairState& state = pairs[PairOf(contact.point)].first;
    ++(contact.mode == ClosedMode::kSticking ? state.sticking : state.sliding);
  }
  for (const ClosedContact& contact : modes_.contacts) {
    PairState& state = pairs[PairOf(contact.point)].second;
    ++(contact.mode == ClosedMode::kSticking ? state.sticking : state.sliding);
  }
  for (const auto& [shapes, states] : pairs) {
    const Pair& pair = shapes;  // what a binding names cannot be captured
    const auto& [then, now] = states;
    const auto tell = [&](EventKind kind, int contacts) { Tell(kind, pair.first, pair.second, contacts, 0, ""); };
    const int closed_then = then.sticking + then.sliding, closed_now = now.sticking + now.sliding;
    if (closed_now > closed_then && hit_.count(pair) == 0) tell(EventKind::kContact, closed_now - closed_then);
    if (closed_now < closed_then) tell(EventKind::kSeparation, closed_then - closed_now);
    if (closed_then == 0 || closed_now == 0) continue;
    if (now.sliding > 0 && then.sliding == 0) tell(EventKind::kSlip, now.sliding);
    if (now.sliding == 0 && then.sliding > 0) tell(EventKind::kStick, now.sticking);
  }
  for (std::size_t i = 0; i < modes_.joints.size() && i < before.joints.size(); ++i) {
    if (modes_.joints[i] == before.joints[i]) continue;
    TellJoint(modes_.joints[i] == 0 ? EventKind::kJointStick : EventKind::kJointSlip, static_cast<int>(i));
  }
}

void EventStepper::TellJoint(EventKind kind, int row) {
  MotionEvent event{.kind = kind, .time = state_.time, .contacts = 0};
  int next = 0;
  for (const JointResistance& joint : model_->joint_resistances) {
    const ModelBody& body = model_->bodies[joint.body];
    if (row < next + body.v_count) {
      event.body_a = body.name;
      event.body_b = body.joined_to == kWorld ? "world" : model_->bodies[body.joined_to].name;
      break;
    }
    next += body.v_count;
  }
  Enter(std::move(event));
}

}  // namespace slipstick::internal
