#pragma once

#include <string>

namespace slipstick::internal {

// A name that can be used in key paths: not empty, no dot, not a number, no control characters.
bool IsPlainName(const std::string& name);

}  // namespace slipstick::internal
