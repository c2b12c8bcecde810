#pragma once

#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {

// Bodies whose time has come take part from here on, with the velocity that the scene gives them, theory (T0).
void ReleaseBodies(const Model& model, double step, Motion* motion);

}  // namespace slipstick::internal
