#pragma once

namespace slipstick::internal {

// As in the root CMakeLists.txt; tests/structure compares them.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace slipstick::internal
