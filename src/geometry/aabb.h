#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/shape.h"

namespace slipstick {

// A box along the world's axes. Its bounds may be infinite.
struct Aabb {
  Vec3 least = Vec3::Zero();
  Vec3 most = Vec3::Zero();
};

// The smallest such box that holds the posed shape. A plane's is infinite, but on the side of its surface where that is
// exactly along a world axis.
Aabb BoundingBox(const ShapeGeometry& geometry, const Pose& X_WS);

// Whether the boxes, apart by at most `margin` along every axis, may hold points within `margin` of each other.
inline bool Overlap(const Aabb& a, const Aabb& b, double margin) {
  return a.least.x() <= b.most.x() + margin && b.least.x() <= a.most.x() + margin &&
         a.least.y() <= b.most.y() + margin && b.least.y() <= a.most.y() + margin &&
         a.least.z() <= b.most.z() + margin && b.least.z() <= a.most.z() + margin;
}

}  // namespace slipstick
