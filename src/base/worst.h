#pragma once

#include <cmath>

namespace slipstick::internal {

// The larger of two residuals; a NaN counts as the worst of all and stays, which std::max would not grant.
inline double Worst(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace slipstick::internal
