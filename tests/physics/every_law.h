#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace slipstick::internal {

// For tests that hold whatever the law is, and how such a test is called.
inline auto EveryLaw() {
  return ::testing::Values("coulomb", "cone", "regularized", "bristle", "box", "polygonal", "liang", "max-dissipation");
}
inline std::string LawTestName(const ::testing::TestParamInfo<const char*>& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace slipstick::internal
