#pragma once

#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// What the forces of one closed contact must keep to: λN ≥ 0, and where it sticks |λT| ≤ μ λN.
struct ShareLimit {
  int row = 0;          // of the normal force; the two of friction follow where it sticks
  bool sticks = false;  // else that row is all
  double friction = 0;
};

// Where forces of contacts are redundant and one is beyond its limits, they are shared otherwise, without any change of
// the motion: as far within all limits as can be, docs/theory.md (E4b). What is then still beyond its limits no share
// would keep within. `directions` has the row of velocities in which each force acts.
void ShareWithinLimits(const std::vector<ShareLimit>& limits, const MatX& directions, VecX* forces);

}  // namespace slipstick::internal
