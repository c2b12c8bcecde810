#pragma once

#include "slipstick/state/state.h"

namespace slipstick::internal {

// What a law says of a contact that slides, at the level of forces: |λT| = μλN + μ_v |slip|, against the slip.
struct SlidingFriction {
  double viscous = 0;  // μ_v [N s/m]
};

}  // namespace slipstick::internal
