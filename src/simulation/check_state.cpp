#include "slipstick/simulation/check_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/simulation/apply_inputs.h"

namespace slipstick::internal {
namespace {

class StateCheck {
 public:
  StateCheck(const SimulationParts& parts, std::vector<Fault>* faults) : parts_(parts), faults_(*faults) {}

  void Motion(const std::string& key, const MotionState& motion) {
    const MotionState& own = parts_.motion.state;
    Size(key + ".q", motion.q.size(), own.q.size());
    Size(key + ".v", motion.v.size(), own.v.size());
    const auto most = static_cast<int>(parts_.model->releases.size());
    Require(motion.released >= 0 && motion.released <= most, key + ".released",
            fmt::format("a number from 0 to {}", most), motion.released);
  }

  void Change(const std::string& key, const VecX& change) {
    if (change.size() > 0) Size(key, change.size(), parts_.motion.state.v.size());
  }

  void Contacts(const ContactMemory& contacts) {
    const auto count = static_cast<long>(contacts.keys.size());
    Size("state.contacts.histories", static_cast<long>(contacts.histories.size()), count);
    Size("state.contacts.values", static_cast<long>(contacts.values.size()), count * TotalSize(contacts.slots));
    for (const ContactKey& key : contacts.keys) Shapes("state.contacts.keys", key);
    const bool ascends =
        std::adjacent_find(contacts.keys.begin(), contacts.keys.end(),
                           [](const auto& a, const auto& b) { return !(a < b); }) == contacts.keys.end();
    Require(ascends, "state.contacts.keys", "ascending keys", "others");
  }

  void Events(const EventMemory& events, long steps) {
    for (const ClosedContact& contact : events.modes.contacts) {
      Shapes("state.events.modes", contact.key);
      Shapes("state.events.modes", contact.point.key);
    }
    long rows = 0;
    for (const JointResistance& joint : parts_.model->joint_resistances) {
      if (joint.has_friction()) rows += parts_.model->bodies[joint.body].v_count;
    }
    const auto joints = static_cast<long>(events.modes.joints.size());
    if (joints > 0) Size("state.events.modes.joints", joints, rows);
    Require(events.steps_since <= std::min(steps, kMostStepsBack), "state.events.steps_since",
            fmt::format("at most {}", std::min(steps, kMostStepsBack)), events.steps_since);
    if (events.steps_since > 0) Motion("state.events.begun", events.begun);
  }

 private:
  // more than any stepper looks back
  static constexpr long kMostStepsBack = 10000;

  template <typename T>
  void Require(bool holds, const std::string& key, const std::string& expected, const T& found) {
    if (!holds) faults_.push_back({"", 0, key, expected, fmt::format("{}", found)});
  }
  void Size(const std::string& key, long found, long expected) {
    Require(found == expected, key, fmt::format("{} of them", expected), found);
  }
  void Shapes(const std::string& key, const ContactKey& contact) {
    const std::size_t shapes = parts_.model->shapes.size();
    Require(contact.shape_a < shapes && contact.shape_b < shapes, key, fmt::format("numbers of {} shapes", shapes),
            std::max(contact.shape_a, contact.shape_b));
  }

  const SimulationParts& parts_;
  std::vector<Fault>& faults_;
};

}  // namespace

std::vector<Fault> CheckState(const State& state, const SimulationParts& parts) {
  std::vector<Fault> faults = CheckInputs(state.inputs, parts);
  StateCheck check(parts, &faults);
  check.Motion("state", state);
  check.Change("state.velocity_change", state.velocity_change);
  check.Change("state.impulse_change", state.impulse_change);
  check.Contacts(state.contacts);
  check.Events(state.events, state.step_count);
  if (!state.drive_modes.empty() && state.drive_modes.size() != parts.model->drives.size()) {
    faults.push_back({"", 0, "state.drive_modes", fmt::format("{} of them", parts.model->drives.size()),
                      std::to_string(state.drive_modes.size())});
  }
  if (state.step_count < 0) {
    faults.push_back({"", 0, "state.step_count", "a number ≥ 0", std::to_string(state.step_count)});
  }
  return faults;
}

}  // namespace slipstick::internal
