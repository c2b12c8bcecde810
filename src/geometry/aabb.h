#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// A box along the world's axes. Its bounds may be infinite.
struct Aabb {
  Vec3 least = Vec3::Zero();
  Vec3 most = Vec3::Zero();
};

// The smallest such box that holds the posed shape. A plane's is infinite, but on the side of its surface where that is
// exactly along a world axis.
Aabb BoundingBox(const ShapeGeometry& geometry, const Pose& X_WS);

// The box with `margin` added on all sides.
inline Aabb Widened(const Aabb& box, double margin) {
  return {box.least - Vec3::Constant(margin), box.most + Vec3::Constant(margin)};
}

// Whether all of `inner` is in `outer`.
inline bool Contains(const Aabb& outer, const Aabb& inner) {
  return (outer.least.array() <= inner.least.array()).all() && (inner.most.array() <= outer.most.array()).all();
}

// Whether the boxes have a point in common.
inline bool Overlap(const Aabb& a, const Aabb& b) {
  return a.least.x() <= b.most.x() && b.least.x() <= a.most.x() && a.least.y() <= b.most.y() &&
         b.least.y() <= a.most.y() && a.least.z() <= b.most.z() && b.least.z() <= a.most.z();
}

}  // namespace slipstick::internal
