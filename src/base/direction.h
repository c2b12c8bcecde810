#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// The direction of a vector, of length 1; what has none (0, or not finite) comes back as it is.
inline Vec3 UnitAlong(const Vec3& vector) {
  // scaled first: the square of a tiny or huge length would leave the range of a double
  const double largest = vector.cwiseAbs().maxCoeff();
  return largest > 0 && vector.allFinite() ? Vec3((vector / largest).normalized()) : vector;
}

}  // namespace slipstick::internal
