#pragma once

#include <set>

#include "slipstick/events/smooth_forces.h"

namespace slipstick::internal {

// The functions whose fall to zero is an event, docs/theory.md (E8): gaps of all points that may close, and of each
// mode what may end it.
class EventWatch {
 public:
  using Name = WatchedFunction;
  using Kind = WatchedFunction::Kind;

  // Forgets what was watched, not what is muted.
  void Clear() {
    gaps_.clear();
    rest_.clear();
  }
  // Watches what these modes and points ask for. Returns false where there is no room for all gaps: then Size() has
  // grown and the integrator must begin anew. `approach` is N v of each
  // point, `resting` what counts as none.
  bool List(const Instant& instant, const Modes& modes, const std::vector<double>& approach, double resting,
            double contact_tolerance);
  int Size() const { return static_cast<int>(gaps_.size() + rest_.size()) + 1; }
  void Evaluate(const Instant& instant, const Modes& modes, const SmoothForces& forces, VecX* values) const;
  Name NameOf(int number) const;

  // A function that has fallen without anything that changed is left out until the modes change.
  void Mute(const Name& name) { muted_.insert(name); }
  void UnmuteAll() { muted_.clear(); }
  const std::set<Name>& muted() const { return muted_; }
  bool IsAnyMuted() const { return !muted_.empty(); }

 private:
  struct Gap {
    ContactKey key;
    bool in_use = false;
    double offset = 0;  // [m]: the event is at gap = −offset
  };
  struct Other {
    Kind kind = Kind::kNone;
    int number = 0;  // among the modes' contacts or joints
    ContactKey key;
    double offset = 0;
  };

  std::vector<Gap> gaps_;
  std::vector<Other> rest_;
  std::set<Name> muted_;
};

}  // namespace slipstick::internal
