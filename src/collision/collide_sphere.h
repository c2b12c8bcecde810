#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick {

// The point of a shape's surface that is closest to a given point, in the shape's frame.
struct SurfacePoint {
  Vec3 point;
  Vec3 normal;      // outward, unit
  double distance;  // negative inside
};

// Closed forms, also for points inside, on the axis and on the surface; the shape is any but the plane.
SurfacePoint ClosestSurfacePoint(const ShapeGeometry& geometry, const Vec3& p);

// The sphere is A; B any shape but the plane. At most one contact.
void CollideSphere(const Sphere& sphere, const Pose& X_WS, const ShapeGeometry& b, const Pose& X_WB, double margin,
                   std::vector<LocalContact>* out);

}  // namespace slipstick
