#pragma once

#include <array>

#include "slipstick/collision/convex_core.h"
#include "slipstick/collision/local_contact.h"

namespace slipstick::internal {

// A hull's face may have more corners than a patch has room for; it then gets this many of them, evenly chosen.
constexpr int kMostPatchCorners = 16;

// The part of a core's surface that faces a direction and may touch: a point, a line, a polygon or a circle.
struct ContactPatch {
  enum class Kind { kPoint, kSegment, kPolygon, kCircle };

  Kind kind = Kind::kPoint;
  int count = 0;                                // of points; 0 for the circle
  std::array<Vec3, kMostPatchCorners> points;   // a polygon's counter-clockwise seen from outside
  std::array<int, kMostPatchCorners> features;  // of the points, see FeatureId
  std::array<int, kMostPatchCorners> edges;     // of the line from point i to the next one; 0 for a segment
  Vec3 normal = Vec3::UnitZ();                  // outward normal of the polygon or circle
  Vec3 center = Vec3::Zero();                   // of the polygon or circle
  double radius = 0;                            // of the circle
  int first_rim_feature = 0;                    // of the circle
  Vec3 mark = Vec3::UnitX();                    // unit, in the circle's plane, fixed to the shape
};

// What a core shows to another whose face looks along −d, d a unit vector: the box its most aligned face, the hull the
// most aligned one at its extreme corner, the segment itself, the cylinder an end that is flat to kFlatSine and
// otherwise its line from rim to rim, the disk itself or, tilted, its extreme rim point.
ContactPatch FacingPatch(const ConvexCore& core, const Vec3& d);

// What a core touches with where d is not the normal of a face: like FacingPatch, but of a box or hull only an edge
// that is perpendicular to d or the extreme corner, and of other shapes their line only where it is perpendicular to d.
ContactPatch TouchingPatch(const ConvexCore& core, const Vec3& d);

// A point of one face's manifold, in the coordinates of the reference face.
struct PatchContact {
  Vec3 point;      // on the incident patch
  double gap = 0;  // its height above the reference face, along the face's normal
  int of_reference = 0;
  int of_incident = 0;
};

// At most the four rim points of a circle, the corners of a polygon, and two crossings for each side.
struct PatchContacts {
  std::array<PatchContact, 4 + 3 * kMostPatchCorners> contacts;
  int count = 0;

  void Add(const Vec3& point, double gap, int of_reference, int of_incident) {
    if (count < static_cast<int>(contacts.size())) contacts[count++] = {point, gap, of_reference, of_incident};
  }
};

// Corners of the part of the incident patch that lies above the reference patch (a polygon or circle), seen along the
// reference's normal.
PatchContacts IntersectPatches(const ContactPatch& reference, const ContactPatch& incident);

}  // namespace slipstick::internal
