#include <algorithm>
#include <cmath>

#include "slipstick/contact/energy_account.h"
#include "slipstick/stepping/time_stepper.h"

// Impacts within a step, docs/theory.md (T4f): when they happen, those that others cause, and energy that restitution
// must not bring in.

namespace slipstick::internal {
namespace {

constexpr int kMostStages = 24;     // of impacts that cause each other in one step
constexpr int kWaySweeps = 4;       // in which ways are shortened, before they are left out
constexpr int kMostShares = 12;     // tried of restitution
constexpr double kRounding = 1e-9;  // of velocities
constexpr double kEnergyRounding = 1e-14;

// What the contacts' impulses do, and of what size that is.
struct ContactWork {
  double done = 0, size = 0;
};
ContactWork WorkOfContacts(const ContactProblem& problem, const ContactSolution& solution) {
  const VecX none = VecX::Zero(problem.velocity.size());
  const StepWork work = ComputeStepWork(problem, solution, none);
  VecX momentum(problem.velocity.size());
  problem.mass.Multiply(problem.velocity, momentum);
  return {work.normal + work.friction + work.rolling, 0.5 * momentum.dot(problem.velocity)};
}

bool Bounces(const ContactProblem& problem, const ContactSolution& solution) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts.restitution_target[i] > 0 && solution.Normal(i) > 0) return true;
  }
  return false;
}

void Accumulate(const ContactSolution& more, ContactSolution* sum) {
  sum->velocity = more.velocity;
  sum->bilateral += more.bilateral;
  sum->bounded += more.bounded;
  sum->contact += more.contact;
  sum->moment += more.moment;
}

}  // namespace

// Poisson's restitution: impulses of a collision without it, of which each contact gives back its share, and the normal
// velocities to which these lead are asked for. A law with a hypothesis of its own keeps to that.
void TimeStepper::RestituteByImpulses(const Pass& pass) {
  StepRecord& record = pass.record;
  ContactSet& contacts = record.problem.contacts;
  if (!settings_.poisson || !record.solution.velocity.allFinite() || !Bounces(record.problem, record.solution)) return;
  for (int i = 0; i < contacts.size(); ++i) {
    if (contacts.restitution_target[i] > 0) contacts.normal_target[i] = contacts.restitution_target[i] = 0;
  }
  Solve(pass);
  if (!record.solution.velocity.allFinite()) return;
  ContactSolution returned = record.solution;
  returned.contact.setZero();
  for (int i = 0; i < contacts.size(); ++i) {
    returned.contact[3 * i] = contacts.surface(i).restitution * std::max(record.solution.Normal(i), 0.0);
  }
  returned.bilateral.setZero();
  returned.bounded.setZero();
  returned.moment.setZero();
  VecX change = MomentumChange(record.problem, returned);
  record.problem.mass.SolveInPlace(change);
  ContactMotion rebound;
  ComputeContactMotion(record.problem, record.solution.velocity + change, &rebound);
  for (int i = 0; i < contacts.size(); ++i) {
    if (!(returned.contact[3 * i] > 0) || contacts.restitution_target[i] != 0) continue;
    contacts.normal_target[i] = contacts.restitution_target[i] = std::max(rebound.contact[3 * i], 0.0);
  }
  Solve(pass);
}

// Newton's restitution with friction may add energy. Then the largest share of it is taken with which it does not,
// found by false position. A law with a restitution of its own (which leaves evidence) has its own bound.
void TimeStepper::LimitRestitution(const Pass& pass) {
  StepRecord& record = pass.record;
  ContactSet& contacts = record.problem.contacts;
  if (!record.solution.velocity.allFinite() || record.solution.evidence != nullptr ||
      !Bounces(record.problem, record.solution)) {
    return;
  }
  const auto gain = [&] {
    const ContactWork work = WorkOfContacts(record.problem, record.solution);
    // bodies that fall until they hit may leave with what that gives
    way_.resize(0);
    AddImpactWay(record.problem, record.solution);
    const double fallen = way_.size() > 0 ? workspace_.gravity.dot(way_) : 0.0;
    return (work.done - fallen) / std::max(work.size, std::numeric_limits<double>::min());
  };
  double above = gain();
  if (above <= kEnergyRounding) return;
  const std::vector<double> asked = contacts.restitution_target;
  const auto solve = [&](double share) {
    for (int i = 0; i < contacts.size(); ++i) {
      if (asked[i] > 0) contacts.normal_target[i] = contacts.restitution_target[i] = share * asked[i];
    }
    Solve(pass);
    return gain();
  };
  double least = 0, most = 1, below = solve(0), kept = 0;
  for (int k = 0; k < kMostShares && below < 0; ++k) {
    const double share = least + (most - least) * below / (below - above);
    const double found = solve(share);
    if (found <= kEnergyRounding) {
      kept = least = share;
      if (found > -kEnergyRounding) return;
      below = found;
      above *= 0.5;  // Illinois: so that both ends move
    } else {
      most = share;
      above = found;
      below *= 0.5;
    }
  }
  solve(kept);
}

// Adds how much further bodies get because impacts happen when contacts close and not at the problem's configuration:
// up to then they go on as they would without. A tree that several contacts hit goes by the first.
void TimeStepper::AddImpactWay(const ContactProblem& problem, const ContactSolution& solution) {
  const ContactSet& contacts = problem.contacts;
  impacts_.clear();
  for (int i = 0; i < contacts.size(); ++i) {
    if (contacts.impact_time[i] == 0 || !(solution.Normal(i) > 0)) continue;
    for (const int tree : {contacts.jacobian.block_a(i), contacts.jacobian.block_b(i)}) {
      if (tree >= 0) impacts_.emplace_back(tree, contacts.impact_time[i]);
    }
  }
  std::sort(impacts_.begin(), impacts_.end());
  for (std::size_t k = 0; k < impacts_.size(); ++k) {
    const auto [tree, time] = impacts_[k];
    if (k > 0 && impacts_[k - 1].first == tree) continue;
    if (way_.size() == 0) {
      way_.setZero(problem.velocity.size());
      hits_.assign(static_cast<std::size_t>(model_->trees.count()), 0.0);
    }
    if (hits_[static_cast<std::size_t>(tree)] == 0) hits_[static_cast<std::size_t>(tree)] = time;
    const int offset = model_->trees.offset[tree], size = model_->trees.size[tree];
    way_.segment(offset, size) -= time * (solution.velocity - problem.velocity).segment(offset, size);
  }
}

// No body is moved so far that it overlaps another one more than it would without: trees that several contacts hit at
// different times go less far.
void TimeStepper::ShortenImpactWay(const StepRecord& record) {
  if (way_.size() == 0) return;
  const ContactSet& contacts = record.problem.contacts;
  const double h = settings_.step;
  ContactMotion after;
  ComputeContactMotion(record.problem, record.solution.velocity, &after);
  for (int sweep = 1; sweep <= kWaySweeps; ++sweep) {
    bool any = false;
    for (int i = 0; i < contacts.size(); ++i) {
      const double moved = ComputePointMotion(contacts, i, way_).contact[0];
      if (!(moved < 0)) continue;
      const double left = std::max(contacts.GapAhead(i) + h * after.contact[3 * i], 0.0);
      if (left + moved >= -kRounding * h * record.problem.velocity_scale) continue;
      any = true;
      const double share = sweep < kWaySweeps ? left / -moved : 0.0;
      for (const int tree : {contacts.jacobian.block_a(i), contacts.jacobian.block_b(i)}) {
        if (tree < 0) continue;
        way_.segment(model_->trees.offset[tree], model_->trees.size[tree]) *= share;
        hits_[static_cast<std::size_t>(tree)] *= share;
      }
    }
    if (!any) return;
  }
}

// Contacts with restitution that this step's free motion does not close wait (ContactSet::waits). Those that the answer
// closes are hit by what other contacts do, and rebound in a collision of their own, until none is left.
void TimeStepper::SolveCausedImpacts(const Pass& pass) {
  StepRecord& record = pass.record;
  way_.resize(0);
  if (!record.solution.velocity.allFinite()) return;
  AddImpactWay(record.problem, record.solution);
  for (int stage = 0; stage < kMostStages; ++stage) {
    if (!PrepareCausedImpacts(record, stage + 1 == kMostStages)) return;
    LawAnswer answer = method_.law->Solve(collision_, method_.solver);
    record.programs += answer.programs;
    if (!answer.solution.velocity.allFinite()) return;
    ContactMotion after;
    ComputeContactMotion(collision_, answer.solution.velocity, &after);
    law_residual_ = std::max(law_residual_, method_.law->Residual(collision_, answer.solution, after));
    AddImpactWay(collision_, answer.solution);
    Accumulate(answer.solution, &record.solution);
    record.solution.contact_memory = answer.solution.contact_memory;
    record.solution.joint_memory = answer.solution.joint_memory;
    ComputeEndMotion(record.problem, record.solution.velocity, &after_);
  }
}

// The collision of the contacts that approach although they are closed, or will be. False where there is none.
bool TimeStepper::PrepareCausedImpacts(const StepRecord& record, bool is_last) {
  const ContactSet& contacts = record.problem.contacts;
  const double h = settings_.step, error = kRounding * record.problem.velocity_scale;
  ContactMotion now, moved;
  bool any = false;
  for (int i = 0; i < contacts.size() && !any; ++i) any = contacts.surface(i).restitution > 0;
  if (!any) return false;
  any = false;
  ComputeContactMotion(record.problem, record.solution.velocity, &now);
  if (way_.size() > 0) ComputeContactMotion(record.problem, way_, &moved);
  const auto gap = [&](int i) { return contacts.GapAhead(i) + (way_.size() > 0 ? moved.contact[3 * i] : 0.0); };
  const auto is_hit = [&](int i) {
    return contacts.surface(i).restitution > 0 && now.contact[3 * i] < -error &&
           gap(i) + h * now.contact[3 * i] < -h * error;
  };
  for (int i = 0; i < contacts.size() && !any; ++i) any = is_hit(i) && contacts.waits[i];
  if (!any) return false;
  collision_ = record.problem;
  collision_.velocity = collision_.free_velocity = record.solution.velocity;
  ContactSet& hit = collision_.contacts;
  hit.curvature.clear();
  for (int i = 0; i < contacts.size(); ++i) {
    hit.history[i] = {};
    const double approach = -now.contact[3 * i], restitution = is_last ? 0.0 : contacts.surface(i).restitution;
    hit.restitution_target[i] = -std::numeric_limits<double>::infinity();
    hit.impact_time[i] = 0;
    hit.normal_target[i] = std::min(now.contact[3 * i], -std::max(gap(i), 0.0) / h);
    if (is_hit(i) || (approach > 0 && gap(i) <= 0)) {
      hit.restitution_target[i] = hit.normal_target[i] = restitution * std::max(approach, 0.0);
      hit.impact_time[i] = approach > 0 ? std::clamp(gap(i) / approach, 0.0, h) : 0.0;
    } else if (restitution > 0) {
      // may be hit next
      hit.normal_target[i] -= kWaitingRoom * record.problem.velocity_scale;
    }
  }
  std::fill(hit.memory.begin(), hit.memory.end(), 0.0);
  collision_.bounded.lower -= record.solution.bounded;
  collision_.bounded.upper -= record.solution.bounded;
  return true;
}

}  // namespace slipstick::internal
