#include "slipstick/law/step_friction.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr const char* kSlip = "slip";

// What counts as rest: a small share of what the step's own forces change, so that it falls with the step and a contact
// that has begun to slip is told from one that sticks within a step or two; and no less than the certificate can see.
constexpr double kRestOfChange = 1e-4;
constexpr double kRestOfScale = 1e-7;

bool Differ(const ContactSet& contacts, int i) {
  return contacts.surface(i).friction_kinetic != contacts.surface(i).friction_static;
}

// Where the law's slots hold the speed of slipping; −1 where they do not.
int SlipOffset(const MemorySlots& slots) {
  int offset = 0;
  for (const MemorySlot& slot : slots) {
    if (slot.name == kSlip) return offset;
    offset += slot.size();
  }
  return -1;
}

// The speed after the step along the velocity before it.
double SpeedKept(const SlipStart& start, const Vec2& after) {
  const double speed = start.velocity.norm();
  return speed > 0 ? after.dot(start.velocity) / speed : 0.0;
}

// At the end of the step, as laws and certificate see it: with what J v⁺ lacks there (T3c).
Vec2 TangentialAfter(const ContactProblem& problem, const ContactSolution& solution, int i) {
  const ContactSet& contacts = problem.contacts;
  return ComputePointMotion(contacts, i, solution.velocity).contact.tail<2>() +
         contacts.Tangential(i, contacts.Curvature(i));
}

}  // namespace

SlipStart SlipStartOf(const ContactProblem& problem, int i, double threshold) {
  const ContactSet& contacts = problem.contacts;
  const Vec3 before = ComputePointMotion(contacts, i, problem.velocity).contact;
  SlipStart start;
  // the configuration may be half a step ahead of the start (T3c)
  start.velocity = before.tail<2>() - contacts.Tangential(i, contacts.Curvature(i));
  if (threshold >= 0) {
    start.slides = start.velocity.norm() > threshold;
    return start;
  }
  start.change = (ComputePointMotion(contacts, i, problem.free_velocity).contact - before).norm();
  start.rest = std::max(kRestOfChange * start.change, kRestOfScale * problem.velocity_scale);
  const int slot = contacts.history[i].known ? SlipOffset(contacts.slots) : -1;
  start.slides = (slot < 0 ? start.velocity.norm() : *contacts.Memory(i, slot)) > start.rest;
  return start;
}

MemorySlots SlipSlots(double threshold) {
  if (threshold >= 0) return {};
  return {{.name = kSlip, .unit = "m/s", .meaning = "speed of slipping at the end of the step"}};
}

void RememberSlip(const ContactProblem& problem, ContactSolution* solution) {
  const ContactSet& contacts = problem.contacts;
  if (contacts.slots.empty()) return;
  solution->contact_memory.setZero(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    if (Differ(contacts, i)) solution->contact_memory[i] = TangentialAfter(problem, *solution, i).norm();
  }
}

StepFriction::StepFriction(const ContactProblem& problem, double threshold) {
  const ContactSet& contacts = problem.contacts;
  coefficients_.resize(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    coefficients_[i] = contacts.surface(i).friction_static;
    // mostly they are the same, and speed no matter
    if (!Differ(contacts, i)) continue;
    const SlipStart start = SlipStartOf(problem, i, threshold);
    if (!start.slides) continue;
    coefficients_[i] = contacts.surface(i).friction_kinetic;
    if (threshold < 0) sliding_.push_back({i, start});
  }
}

bool StepFriction::Correct(const ContactProblem& problem, const ContactSolution& solution) {
  if (sliding_.empty() || !solution.velocity.allFinite()) return false;
  const std::size_t before = sliding_.size();
  std::erase_if(sliding_, [&](const Sliding& contact) {
    if (SpeedKept(contact.start, TangentialAfter(problem, solution, contact.contact)) > contact.start.rest) {
      return false;
    }
    coefficients_[contact.contact] = problem.contacts.surface(contact.contact).friction_static;
    return true;
  });
  return sliding_.size() < before;
}

std::array<double, 2> JudgedFriction(const ContactProblem& problem, int i, double threshold, const Vec2& after) {
  const double at_rest = problem.contacts.surface(i).friction_static;
  const double sliding = problem.contacts.surface(i).friction_kinetic;
  if (at_rest == sliding) return {at_rest, at_rest};
  const SlipStart start = SlipStartOf(problem, i, threshold);
  if (!start.slides) return {at_rest, at_rest};
  if (threshold >= 0) return {sliding, sliding};
  const double kept = SpeedKept(start, after);
  if (kept <= 0.5 * start.rest) return {at_rest, at_rest};
  if (kept > start.change + start.rest) return {sliding, sliding};
  return {sliding, at_rest};
}

std::vector<double> JudgedFriction(const ContactProblem& problem, double threshold, const ContactSolution& solution,
                                   const ContactMotion& after) {
  const ContactSet& contacts = problem.contacts;
  std::vector<double> coefficients(contacts.size());
  for (int i = 0; i < contacts.size(); ++i) {
    coefficients[i] = contacts.surface(i).friction_static;
    if (!Differ(contacts, i)) continue;
    const auto [one, other] = JudgedFriction(problem, i, threshold, after.contact.segment<2>(3 * i + 1));
    const double friction = solution.Tangential(i).norm(), normal = solution.Normal(i);
    coefficients[i] = std::abs(friction - one * normal) <= std::abs(friction - other * normal) ? one : other;
  }
  return coefficients;
}

}  // namespace slipstick::internal
