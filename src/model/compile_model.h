#pragma once

#include "slipstick/model/model.h"
#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Compiles a scene into the system of trees, whether it was read from a file or filled in code. What Validate
// (scene/scene.h) finds wrong with it is thrown as one InputError with all faults.
Model CompileModel(const Scene& scene);

}  // namespace slipstick::internal
