#include "slipstick/state/state.h"

#include <cmath>
#include <cstring>

namespace slipstick {

bool AreEqual(const VecX& a, const VecX& b) { return a.size() == b.size() && a == b; }

bool MotionState::operator==(const MotionState& other) const {
  return time == other.time && released == other.released && AreEqual(q, other.q) && AreEqual(v, other.v);
}

bool Modes::operator==(const Modes& other) const {
  return contacts == other.contacts && joints == other.joints && AreEqual(joint_reference, other.joint_reference) &&
         AreEqual(bilateral_reference, other.bilateral_reference);
}

bool Inputs::Drive::operator==(const Drive& other) const {
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return same(position, other.position) && same(velocity, other.velocity) && same(stiffness, other.stiffness) &&
         same(damping, other.damping) && same(effort, other.effort);
}

bool Inputs::empty() const { return efforts.size() == 0 && wrenches.empty() && drives.empty() && parameters.empty(); }

bool Inputs::operator==(const Inputs& other) const {
  return AreEqual(efforts, other.efforts) && wrenches == other.wrenches && drives == other.drives &&
         parameters == other.parameters;
}

bool InputChange::operator==(const InputChange& other) const {
  return step_count == other.step_count && AreEqual(q, other.q) && AreEqual(v, other.v) &&
         has_inputs == other.has_inputs && inputs == other.inputs;
}

bool State::operator==(const State& other) const {
  return MotionState::operator==(other) && start_time == other.start_time && step_count == other.step_count &&
         contacts == other.contacts && joints == other.joints && drive_modes == other.drive_modes &&
         AreEqual(load_limits, other.load_limits) && redundant_rows == other.redundant_rows &&
         AreEqual(velocity_change, other.velocity_change) && AreEqual(impulse_change, other.impulse_change) &&
         events == other.events && inputs == other.inputs && energy == other.energy;
}

std::uint64_t State::MotionHash() const {
  std::uint64_t hash = 1469598103934665603ull;  // FNV-1a, word by word
  const auto add = [&](double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  };
  add(time);
  if (released > 0) add(released);
  for (double value : q) add(value);
  for (double value : v) add(value);
  return hash;
}

}  // namespace slipstick
