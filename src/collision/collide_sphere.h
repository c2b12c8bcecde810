#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// The point of a shape's surface that is closest to a given point, in the shape's frame.
struct SurfacePoint {
  Vec3 point;
  Vec3 normal;      // outward, unit
  double distance;  // negative inside
};

// Closed forms, also for points inside, on the axis and on the surface; the shape is any but the plane.
SurfacePoint ClosestSurfacePoint(const ShapeGeometry& geometry, const Vec3& p);

// Two spheres given by their centres. False where the gap is above the margin or not a number; *contact is then
// undefined.
inline bool CollideSpheres(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b, double margin,
                           LocalContact* contact) {
  const Vec3 between = center_a - center_b;
  double distance = between.norm();
  contact->gap = distance - (radius_a + radius_b);
  if (!(contact->gap <= margin)) return false;
  if (!(distance > 1e-150)) distance = between.stableNorm();  // its square was too small for a number
  contact->normal = distance > 0 ? Vec3(between / distance) : Vec3(Vec3::UnitZ());
  contact->point_b = center_b + radius_b * contact->normal;
  contact->point_a = contact->point_b + contact->gap * contact->normal;
  contact->feature = FeatureId(0, 0);
  return true;
}

// The sphere is A; B any shape but the plane. At most one contact.
void CollideSphere(const Sphere& sphere, const Pose& X_WS, const ShapeGeometry& b, const Pose& X_WB, double margin,
                   std::vector<LocalContact>* out);

}  // namespace slipstick::internal
