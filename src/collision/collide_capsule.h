#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// One contact where the axes come closest; two, at the ends of the common stretch, for capsules side by side; all
// three where nearly parallel axes cross.
void CollideCapsules(const Capsule& a, const Pose& X_WA, const Capsule& b, const Pose& X_WB, double margin,
                     std::vector<LocalContact>* out);

}  // namespace slipstick::internal
