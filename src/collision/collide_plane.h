#pragma once

#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/collision/local_contact.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// A plane through `origin` with the outward normal `up`, A, and a sphere. False where the gap is above the margin or
// not a number.
inline bool CollidePlaneSphere(const Vec3& up, const Vec3& origin, const Vec3& center, double radius, double margin,
                               LocalContact* contact) {
  contact->point_b = center - radius * up;
  contact->gap = up.dot(contact->point_b - origin);
  if (!(contact->gap <= margin)) return false;
  contact->normal = -up;
  contact->point_a = contact->point_b - contact->gap * up;
  contact->feature = FeatureId(0, 0);
  return true;
}

// The plane is A, so normals point into its half-space. Closed forms: the contact points are the sphere's lowest point,
// every corner of the box or hull, the lowest points of the capsule's two ends, the lowest points of the cylinder's two
// rims and of the disk's rim, the last two completed by quarter turns where the rim lies flat.
void CollidePlane(const Pose& X_WP, const ShapeGeometry& b, const Pose& X_WB, double margin,
                  std::vector<LocalContact>* out);

}  // namespace slipstick::internal
