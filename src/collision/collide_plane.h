#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick {

// The plane is A, so normals point into its half-space. Closed forms: the contact points are the sphere's lowest point,
// every corner of the box, the lowest points of the capsule's two ends, the lowest points of the cylinder's two rims
// and of the disk's rim, the last two completed by quarter turns where the rim lies flat.
void CollidePlane(const Pose& X_WP, const ShapeGeometry& b, const Pose& X_WB, double margin,
                  std::vector<LocalContact>* out);

}  // namespace slipstick
