#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// The compliance that chooses among redundant normal impulses those of equal springs, (L3b), from the normals' part of
// W: small beside their mean inverse mass. 0 where nothing is to be chosen, as no normal impulses can be changed
// without a change of normal velocities.
double ChoosingCompliance(const MatX& normals);

}  // namespace slipstick::internal
