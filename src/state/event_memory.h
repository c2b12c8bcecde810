#pragma once

#include <utility>
#include <vector>

#include "slipstick/state/contact_memory.h"
#include "slipstick/state/motion_state.h"

namespace slipstick {

enum class ClosedMode { kSticking, kSliding };

// A contact that stays closed and carries force until an event.
struct ClosedContact {
  ContactKey key;
  ContactPoint point;  // where it was seen last: to find it again should its feature change
  ClosedMode mode = ClosedMode::kSticking;
  Vec3 direction = Vec3::Zero();  // kSliding: that of the slip when the mode began, unit, world
  bool begins = false;            // kSliding: from rest
  // Force (normal, tangent_1, tangent_2) that the law had when the mode began. Where contacts are redundant, forces are
  // the nearest to this that the motion allows.
  Vec3 reference = Vec3::Zero();

  bool operator==(const ClosedContact&) const = default;
};

// What stays the same between two events.
struct Modes {
  std::vector<ClosedContact> contacts;  // ascending keys
  std::vector<int> joints;              // of each row of joint friction: 0 it holds, ±1 it slides that way
  VecX joint_reference, bilateral_reference;

  bool operator==(const Modes& other) const;
};

// A function whose fall to zero is an event, docs/theory.md (E8): its kind, and the contact or (as shape_a) the row of
// joint friction that it belongs to.
struct WatchedFunction {
  enum class Kind { kNone, kGap, kNewPoint, kNormalForce, kCone, kSlip, kGive, kJointForce, kJointSlip };
  Kind kind = Kind::kNone;
  ContactKey key;

  auto operator<=>(const WatchedFunction&) const = default;
};

// Times of the last impacts of one contact.
struct ImpactTimes {
  ContactKey key;
  std::vector<double> times;

  bool operator==(const ImpactTimes&) const = default;
};

// What stepper event-driven carries from one state that is seen from outside to the next.
struct EventMemory {
  Modes modes;
  bool is_settled = false;              // the modes are those of the state
  std::vector<WatchedFunction> fallen;  // functions that led to where motion is not settled
  std::vector<WatchedFunction> muted;   // those that fell without any change
  std::vector<ImpactTimes> series;      // ascending keys
  double settled_time = 0;
  int settled_often = 0;  // at that time
  long events = 0;        // so far
  // The integrator looks back. It began at this motion and has gone on through the ends of so many steps since, so that
  // going the same way again leads to the same bits; −1: it begins anew.
  MotionState begun;
  int steps_since = -1;

  bool operator==(const EventMemory&) const = default;
};

}  // namespace slipstick
