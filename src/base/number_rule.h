#pragma once

#include <limits>
#include <string>

namespace slipstick::internal {

// Which numbers fit, and the unit, for the fault when one does not.
struct NumberRule {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
  bool may_be_infinite = false;
  std::string unit = "";

  bool Allows(double value) const;
  std::string Expected() const;
};

inline NumberRule AtLeastZero(const std::string& unit = "") { return {.least = 0, .unit = unit}; }
inline NumberRule AboveZero(const std::string& unit = "") { return {.least = 0, .least_excluded = true, .unit = unit}; }

}  // namespace slipstick::internal
