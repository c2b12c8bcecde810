#pragma once

#include <vector>

#include "slipstick/base/eigen.h"

// Motions of benchmark mechanisms by equations in one or a few coordinates that nothing of the simulator enters, and
// the error measure of the library that they are from, docs/results.md §11.

namespace slipstick::internal {

// Values at k · every, k = 0 … count.
using ReferencePath = std::vector<VecX>;

// A01, a pendulum of a point mass, let go level: x, y, ẋ, ẏ of the mass.
ReferencePath PendulumPath(double every, int count);
// A02, a row of windows of bars that swings as one pendulum: x, y, ẋ, ẏ of the top of its first upright.
ReferencePath FourBarRowPath(int windows, double every, int count);
// A04, Bricard's linkage: position and velocity of the corner between its second and third rod.
ReferencePath BricardPath(double every, int count);
// A05, the flyball governor: height of its slider above the shaft's foot, and its rate.
ReferencePath GovernorPath(double every, int count);

// |y − ŷ| / max(|ŷ|, threshold) of every value at every sample but the first.
struct RelativeError {
  double rms = 0, most = 0;
};
RelativeError CompareWithReference(const ReferencePath& path, const ReferencePath& reference);

}  // namespace slipstick::internal
