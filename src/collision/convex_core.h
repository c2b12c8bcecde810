#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/shape.h"

namespace slipstick {

// A posed box, cylinder, disk or segment, thickened by a ball of radius `rounding` (a capsule is a thick segment). All
// of them are symmetric about their centre, so the support point opposite to another is its mirror image.
struct ConvexCore {
  enum class Kind { kBox, kSegment, kCylinder, kDisk };

  Kind kind = Kind::kBox;
  Mat3 axes = Mat3::Identity();  // columns: the shape's x, y, z
  Vec3 center = Vec3::Zero();
  Vec3 half_extents = Vec3::Zero();  // of the box
  double radius = 0;                 // of the cylinder or disk
  double half_length = 0;            // of the segment or cylinder
  double rounding = 0;

  Vec3 axis() const { return axes.col(2); }
  bool curved() const { return kind == Kind::kCylinder || kind == Kind::kDisk; }

  // Outward directions of flat faces up to sign: the columns of `axes` from this number on; 3 where there is none.
  int first_face() const { return kind == Kind::kBox ? 0 : kind == Kind::kSegment ? 3 : 2; }
  // Directions of straight lines in the surface, likewise.
  int first_edge() const { return kind == Kind::kBox ? 0 : kind == Kind::kDisk ? 3 : 2; }
};

// The capsule's segment, or the box, cylinder or disk itself, with lengths divided by `unit` and positions from
// `origin`.
ConvexCore MakeCore(const ShapeGeometry& geometry, const Pose& pose, const Vec3& origin, double unit);

// The point furthest along n, from the centre and without the rounding.
Vec3 SupportFromCenter(const ConvexCore& core, const Vec3& n);

// n · SupportFromCenter(core, n).
double HalfWidth(const ConvexCore& core, const Vec3& n);

// Separation of the unrounded shapes along the unit vector n from B to A: min n·a − max n·b. Its largest value over all
// n is the signed distance.
inline double Separation(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return n.dot(a.center - b.center) - HalfWidth(a, n) - HalfWidth(b, n);
}

// The difference a − b of the support points that Separation compares: its gradient by n.
inline Vec3 SupportDifference(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return a.center - b.center - SupportFromCenter(a, n) - SupportFromCenter(b, n);
}

}  // namespace slipstick
