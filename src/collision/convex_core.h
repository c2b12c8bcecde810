#pragma once

#include "slipstick/base/eigen.h"
#include "slipstick/base/pose.h"
#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// A posed box, cylinder, disk, segment or hull, thickened by a ball of radius `rounding` (a capsule is a thick
// segment). All but the hull are symmetric about their centre, so that the support point opposite to another is its
// mirror image.
struct ConvexCore {
  enum class Kind { kBox, kSegment, kCylinder, kDisk, kHull };

  Kind kind = Kind::kBox;
  Mat3 axes = Mat3::Identity();  // columns: the shape's x, y, z
  Vec3 center = Vec3::Zero();    // of a hull its centre of mass
  // of the box; of a hull three times the factor from its polyhedron's lengths to the core's
  Vec3 half_extents = Vec3::Zero();
  const Polyhedron* polyhedron = nullptr;  // of a hull
  double radius = 0;                       // of the cylinder or disk
  double half_length = 0;                  // of the segment or cylinder
  double rounding = 0;

  Vec3 axis() const { return axes.col(2); }
  bool curved() const { return kind == Kind::kCylinder || kind == Kind::kDisk; }
  bool hull() const { return kind == Kind::kHull; }
  bool is_polyhedron() const { return hull() || kind == Kind::kBox; }

  // Outward directions of flat faces up to sign: the columns of `axes` from this number on; 3 where there is none. A
  // hull's are in its polyhedron.
  int first_face() const { return kind == Kind::kBox ? 0 : kind == Kind::kSegment || hull() ? 3 : 2; }
  // Directions of straight lines in the surface, likewise.
  int first_edge() const { return kind == Kind::kBox ? 0 : kind == Kind::kDisk || hull() ? 3 : 2; }
};

// Radius of a ball about the shape's middle that holds it: what the shape's size is, wherever its origin.
double CoreRadius(const ShapeGeometry& geometry);

// The capsule's segment, or the box, cylinder, disk or hull itself, with lengths divided by `unit` and positions from
// `origin`.
ConvexCore MakeCore(const ShapeGeometry& geometry, const Pose& pose, const Vec3& origin, double unit);

// The point furthest along n, from the centre and without the rounding.
Vec3 SupportFromCenter(const ConvexCore& core, const Vec3& n);

// The point furthest along −n, likewise.
inline Vec3 SupportAgainst(const ConvexCore& core, const Vec3& n) {
  return core.hull() ? SupportFromCenter(core, -n) : Vec3(-SupportFromCenter(core, n));
}

// n · SupportFromCenter(core, n).
double HalfWidth(const ConvexCore& core, const Vec3& n);

// Separation of the unrounded shapes along the unit vector n from B to A: min n·a − max n·b. Its largest value over all
// n is the signed distance.
inline double Separation(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return n.dot(a.center - b.center) - HalfWidth(a, a.hull() ? Vec3(-n) : n) - HalfWidth(b, n);
}

// The difference a − b of the support points that Separation compares: its gradient by n.
inline Vec3 SupportDifference(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return a.center - b.center + SupportAgainst(a, n) - SupportFromCenter(b, n);
}

}  // namespace slipstick::internal
