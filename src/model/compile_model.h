#pragma once

#include "slipstick/model/model.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Compiles a checked scene into the system of trees. What only shows here (a motion of a coordinate that has no
// position, a coupling across more than two trees, a rolling pair of the wrong shapes) is thrown as one InputError with
// all faults.
Model CompileModel(const Scene& scene);

}  // namespace slipstick::internal
