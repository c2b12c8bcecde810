#include "slipstick/events/motion_event.h"

#include "slipstick/base/check.h"

namespace slipstick::internal {

const char* EventName(EventKind kind) {
  switch (kind) {
    case EventKind::kImpact:
      return "impact";
    case EventKind::kAccumulation:
      return "accumulation";
    case EventKind::kContact:
      return "contact";
    case EventKind::kSeparation:
      return "separation";
    case EventKind::kStick:
      return "stick";
    case EventKind::kSlip:
      return "slip";
    case EventKind::kJointStick:
      return "joint-stick";
    case EventKind::kJointSlip:
      return "joint-slip";
    case EventKind::kPainleve:
      return "painleve";
    case EventKind::kShortStep:
      return "short-step";
  }
  SLIPSTICK_CHECK(false, "an event of a known kind");
}

}  // namespace slipstick::internal
