#include "slipstick/events/decide_modes.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr double kLongestLook = 1e-4;   // over which forces are taken as impulses [s]
constexpr double kShortestLook = 1e-9;  // [s]
constexpr double kSlipLost = 1e-2;      // share of the slowest slip that may be lost in it
constexpr double kUnloaded = 1e-9;      // of the accelerations: a normal force that gives less is none
constexpr double kAccelerates = 1e-7;   // of the accelerations: less is none
constexpr double kBegins = 1e-9;        // of the accelerations: more is a slip that begins
constexpr double kTooStrong = 20;       // times the accelerations: only an impulse, or a lever, does so much
constexpr double kAtLimit = 1e-6;       // of the limit: friction that is as near has reached it
constexpr double kShorterLook = 1.0 / 16;
constexpr double kImpulseLook = 1e-4;  // in which forces do nothing beside an impulse

// What is known of the closed points before any force.
struct Closed {
  std::vector<ContactPoint> points;
  VecX bias;                // of the bilateral rows, then of the points'
  VecX velocity, approach;  // J v; J a_free + J̇v: three a point
  std::vector<char> slides;
  double scale = 0;    // of accelerations at the contacts [m/s²]
  double slowest = 0;  // slip of those that slide [m/s]; 0 where none does
};

Closed Look(const Instant& instant, const std::vector<ContactPoint>& points, double resting_slip,
            InstantEvaluator* evaluator) {
  Closed closed;
  closed.points = points;
  closed.bias = evaluator->RowBias(instant, points);
  ContactProblem problem;
  evaluator->AssembleContacts(instant, points, 1.0, &problem);
  const Eigen::Index rows = 3 * static_cast<Eigen::Index>(points.size());
  ContactMotion motion;
  ComputeContactMotion(problem, instant.state.v, &motion);
  closed.velocity = motion.contact;
  ComputeContactMotion(problem, instant.free_acceleration, &motion);
  closed.approach = motion.contact + closed.bias.tail(rows);
  for (Eigen::Index i = 0; i < rows; i += 3) {
    const double slip = closed.velocity.segment<2>(i + 1).norm();
    closed.slides.push_back(static_cast<char>(slip > resting_slip));
    closed.scale = std::max(closed.scale, closed.approach.segment<3>(i).norm());
    if (closed.slides.back()) closed.slowest = closed.slowest > 0 ? std::min(closed.slowest, slip) : slip;
  }
  return closed;
}

ClosedContact Hold(const Closed& closed, const ContactSet& set, int i, bool from_rest, const Vec2& begins) {
  ClosedContact contact;
  contact.point = closed.points[i];
  contact.key = contact.point.key;
  if (closed.slides[i]) {
    contact.mode = ClosedMode::kSliding;
    contact.direction = set.World(i, closed.velocity.segment<2>(3 * i + 1)).normalized();
  } else if (set.surface(i).friction_static == 0) {
    contact.mode = ClosedMode::kSliding;
  } else if (from_rest) {
    contact.mode = ClosedMode::kSliding;
    contact.begins = true;
    contact.direction = set.World(i, begins).normalized();
  }
  return contact;
}

// The modes that the law's answer shows. `held[i]` is the place of point i among them, or −1.
Modes ModesOf(const Closed& closed, const JudgedAnswer& answer, std::vector<int>* held) {
  const ContactSet& set = answer.problem.contacts;
  const double h = answer.problem.step;
  Modes modes;
  held->assign(closed.points.size(), -1);
  for (int i = 0; i < set.size(); ++i) {
    const Vec3 force = answer.solution.contact.segment<3>(3 * i) / h;
    if (!(force[0] > kUnloaded * closed.scale * set.effective_mass[i])) continue;
    const Vec2 slip = answer.after.contact.segment<2>(3 * i + 1);
    // friction tells the direction in which a slip begins better than the slip itself, which is next to nothing there
    const Vec2 against = force.tail<2>().norm() > kUnloaded * force[0] ? Vec2(-force.tail<2>()) : slip;
    ClosedContact contact = Hold(closed, set, i, slip.norm() > kBegins * closed.scale * h, against);
    contact.reference = force;
    (*held)[i] = static_cast<int>(modes.contacts.size());
    modes.contacts.push_back(contact);
  }
  const BoundedSet& bounded = answer.problem.bounded;
  for (Eigen::Index i = 0; i < bounded.target.size(); ++i) {
    const double p = answer.solution.bounded[i], limit = bounded.upper[i];
    const bool holds = std::abs(p) < (1 - kAccelerates) * limit;
    modes.joints.push_back(holds ? 0 : p > 0 ? -1 : 1);
  }
  modes.joint_reference = answer.solution.bounded / h;
  modes.bilateral_reference = answer.solution.bilateral / h;
  return modes;
}

// Where friction has reached its limit a slip begins from nothing, against the friction that held until then. The law's
// answer, a hair beyond the limit, has the direction of a slip as small as its tolerance.
void SetOnsetDirections(const Instant& instant, const ContactSet& set, const std::vector<int>& held,
                        const SlidingFriction& friction, InstantEvaluator* evaluator, Modes* modes) {
  Modes stuck = *modes;
  for (ClosedContact& contact : stuck.contacts) {
    if (contact.begins) contact.mode = ClosedMode::kSticking;
  }
  const SmoothForces forces = ComputeSmoothForces(instant, stuck, friction, evaluator);
  if (!forces.is_solved) return;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] < 0) continue;
    ClosedContact& contact = modes->contacts[held[i]];
    const Vec3& force = forces.contact[held[i]];
    const double limit = forces.friction_static[held[i]] * force[0], across = force.tail<2>().norm();
    if (!contact.begins || !(limit > 0) || std::abs(across - limit) > kAtLimit * limit) continue;
    contact.direction = -set.World(static_cast<int>(i), force.tail<2>()).normalized();
  }
}

// Whether all that sticks is within its limits.
bool IsAllowed(const SmoothForces& forces, const Modes& modes, double eased) {
  if (!forces.is_solved) return false;
  for (std::size_t i = 0; i < modes.contacts.size(); ++i) {
    if (modes.contacts[i].mode != ClosedMode::kSticking) continue;
    const Vec3& force = forces.contact[i];
    if (!(force.tail<2>().norm() <= (1 - eased) * forces.friction_static[i] * force[0])) return false;
  }
  return true;
}

}  // namespace

Decision DecideModes(const Instant& instant, const std::vector<ContactPoint>& points, const LawQuestions& law,
                     const SlidingFriction& friction, const DecisionTolerances& tolerances,
                     InstantEvaluator* evaluator) {
  Decision decision;
  const Closed closed = Look(instant, points, tolerances.resting_slip, evaluator);
  double h = kLongestLook;
  if (closed.slowest > 0 && closed.scale > 0) h = std::min(h, kSlipLost * closed.slowest / closed.scale);
  h = std::max(h, kShortestLook);
  decision.answer = law.Forces(instant, points, closed.bias, closed.slides, tolerances.eased, h);
  const JudgedAnswer& answer = decision.answer;
  if (!answer.certificate.finite) return decision;
  const ContactSet& set = answer.problem.contacts;

  // an impulse stays the same over however short a time
  ContactMotion change;
  ComputeContactMotion(answer.problem, answer.solution.velocity - answer.problem.free_velocity, &change);
  if (set.size() > 0 && change.contact.lpNorm<Eigen::Infinity>() > kTooStrong * closed.scale * h) {
    const JudgedAnswer shorter =
        law.Forces(instant, points, closed.bias, closed.slides, tolerances.eased, kShorterLook * h);
    const auto normals = [](const ContactSolution& s) { return s.contact(Eigen::seq(0, Eigen::last, 3)).sum(); };
    if (shorter.certificate.finite && normals(shorter.solution) > 0.5 * normals(answer.solution)) {
      decision.answer = law.Forces(instant, points, closed.bias, closed.slides, tolerances.eased, kImpulseLook * h);
      if (!answer.certificate.finite) return decision;
      decision.kind = Decision::Kind::kImpulse;
      decision.velocity = instant.state.v + answer.solution.velocity - answer.problem.free_velocity +
                          answer.problem.step * instant.free_acceleration;
      return decision;
    }
  }

  std::vector<int> held;
  decision.modes = ModesOf(closed, answer, &held);
  Modes& modes = decision.modes;
  if (tolerances.eased > 0) SetOnsetDirections(instant, set, held, friction, evaluator, &modes);
  // Forces that redundant contacts share by their loads last longest; where they are not allowed, the law's are.
  const Modes by_law = modes;
  for (ClosedContact& contact : modes.contacts) contact.reference.tail<2>().setZero();
  if (!IsAllowed(ComputeSmoothForces(instant, modes, friction, evaluator), modes, tolerances.eased)) modes = by_law;
  // Modes are right where the forces that follow from them are allowed; else the worst is changed. The law's answer is
  // mostly right at once: what it may miss is below its tolerance.
  const int most = 4 * static_cast<int>(points.size()) + 8;
  for (int round = 0; round < most; ++round) {
    decision.forces = ComputeSmoothForces(instant, modes, friction, evaluator);
    const SmoothForces& forces = decision.forces;
    if (!forces.is_solved) return decision;
    ContactMotion accelerations;
    ComputeContactMotion(answer.problem, forces.acceleration, &accelerations);
    accelerations.contact += closed.bias.tail(accelerations.contact.size());
    double worst = kAccelerates * closed.scale;
    int at = -1;
    enum class Change { kRelease, kTakeIn, kSlip, kHold } what = Change::kRelease;
    const auto propose = [&](double violation, int i, Change proposed) {
      if (!(violation > worst)) return;
      worst = violation;
      at = i;
      what = proposed;
    };
    for (int i = 0; i < set.size(); ++i) {
      const Vec3 acceleration = accelerations.contact.segment<3>(3 * i);
      if (held[i] < 0) {
        propose(-acceleration[0], i, Change::kTakeIn);
        continue;
      }
      const ClosedContact& contact = modes.contacts[held[i]];
      const Vec3& force = forces.contact[held[i]];
      const double mass = set.effective_mass[i];
      // a force that is hardly there is none: from zero on it could not be seen to fall
      if (force[0] < kUnloaded * closed.scale * mass) propose(2 * worst - force[0] / mass, i, Change::kRelease);
      if (contact.mode == ClosedMode::kSticking) {
        propose((force.tail<2>().norm() - forces.friction_static[held[i]] * force[0]) / mass, i, Change::kSlip);
      } else if (!closed.slides[i] && set.surface(i).friction_static > 0) {
        propose(-acceleration.tail<2>().dot(set.Tangential(i, contact.direction)), i, Change::kHold);
      }
    }
    if (at < 0) {
      decision.kind = Decision::Kind::kModes;
      break;
    }
    if (what == Change::kRelease) {
      modes.contacts.erase(modes.contacts.begin() + held[at]);
    } else if (what == Change::kTakeIn) {
      const auto key = closed.points[at].key;
      const auto place = std::find_if(modes.contacts.begin(), modes.contacts.end(),
                                      [&](const ClosedContact& contact) { return key < contact.key; });
      modes.contacts.insert(place, Hold(closed, set, at, false, Vec2::Zero()));
    } else if (what == Change::kSlip) {
      ClosedContact& contact = modes.contacts[held[at]];
      const Vec2 force = forces.contact[held[at]].tail<2>();
      contact.mode = ClosedMode::kSliding;
      contact.begins = true;
      contact.direction = -set.World(at, force).normalized();
    } else {
      modes.contacts[held[at]].mode = ClosedMode::kSticking;
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto key = closed.points[i].key;
      const auto place = std::find_if(modes.contacts.begin(), modes.contacts.end(),
                                      [&](const ClosedContact& contact) { return contact.key == key; });
      held[i] = place == modes.contacts.end() ? -1 : static_cast<int>(place - modes.contacts.begin());
    }
  }

  if (decision.kind != Decision::Kind::kModes) return decision;
  // closed or not, of what slides it is told where pressing would not part the bodies
  decision.is_indefinite.assign(points.size(), 0);
  Modes all = modes;
  for (int i = 0; i < set.size(); ++i) {
    if (!closed.slides[i] || set.surface(i).friction_kinetic == 0) continue;
    if (held[i] >= 0) {
      decision.is_indefinite[i] = static_cast<char>(decision.forces.give[held[i]] < 0);
      continue;
    }
    all.contacts = {Hold(closed, set, i, false, Vec2::Zero())};
    const SmoothForces alone = ComputeSmoothForces(instant, all, friction, evaluator);
    decision.is_indefinite[i] = static_cast<char>(alone.give[0] < 0);
  }
  return decision;
}

}  // namespace slipstick::internal
