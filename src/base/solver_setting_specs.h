#pragma once

#include "slipstick/base/settings.h"

namespace slipstick::internal {

// Settings that most iterative solvers have.
inline SettingSpec IterationLimitSpec(int standard, const char* meaning) {
  return {.name = "max_iterations",
          .default_value = static_cast<double>(standard),
          .unit = "",
          .meaning = meaning,
          .least = 1,
          .most = 1e9,
          .integer = true};
}

}  // namespace slipstick::internal
