#pragma once

#include <array>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// What may happen between two stretches of smooth motion, docs/theory.md §11.
enum class EventKind {
  kImpact,        // bodies meet with a velocity: impulses by the law
  kAccumulation,  // a series of impacts is ended at its limit
  kContact,       // bodies meet without one
  kSeparation,    // a normal force has fallen to zero
  kStick,         // a slip speed has fallen to zero, and friction holds
  kSlip,          // friction no longer holds
  kJointStick,    // the same of dry friction in joints
  kJointSlip,
  kPainleve,   // no acceleration, or several: what was done about it is in `remark`
  kShortStep,  // forces could not be found by the modes of the contacts: a short time step of the law instead
};
constexpr int kEventKinds = 10;

// As in summaries.
const char* EventName(EventKind kind);

struct MotionEvent {
  EventKind kind = EventKind::kImpact;
  double time = 0;
  std::string body_a, body_b;  // "world" where it is that; of a joint its child and parent
  int contacts = 1;            // points of that pair that take part
  double speed = 0;            // of an impact: fastest approach [m/s]; else 0
  std::string remark;          // of an accumulation, a Painlevé case; else empty
};

// The first of all events, and how many there were of each kind.
struct EventLog {
  std::vector<MotionEvent> listed;
  std::array<long, kEventKinds> counts{};
};

}  // namespace slipstick::internal
