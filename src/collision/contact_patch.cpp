#include "slipstick/collision/contact_patch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/collision/rim.h"

namespace slipstick::internal {
namespace {

using Kind = ContactPatch::Kind;

constexpr double kOnLine = 1e-6;  // cosine below which a line counts as perpendicular

Vec3 Corner(const ConvexCore& box, int corner) {
  const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
  return box.center + box.axes * sign.cwiseProduct(box.half_extents);
}

// 16 + 4 · direction + the two bits of the corners that both ends share.
int EdgeFeature(int from, int to) {
  const int bit = from ^ to;
  const int direction = bit == 1 ? 0 : bit == 2 ? 1 : 2;
  const int first = from >> (direction + 1) % 3 & 1;
  const int second = from >> (direction + 2) % 3 & 1;
  return kFirstEdge + 4 * direction + 2 * first + second;
}

ContactPatch BoxFace(const ConvexCore& box, int direction, bool positive) {
  const int i = (direction + 1) % 3;
  const int j = (direction + 2) % 3;
  const int side = positive ? 1 << direction : 0;
  std::array<int, 4> corners{side, side | 1 << i, side | 1 << i | 1 << j, side | 1 << j};
  if (!positive) std::swap(corners[1], corners[3]);
  ContactPatch patch;
  patch.kind = Kind::kPolygon;
  patch.count = 4;
  patch.normal = (positive ? 1.0 : -1.0) * box.axes.col(direction);
  patch.center = box.center + box.half_extents(direction) * patch.normal;
  for (int k = 0; k < 4; ++k) {
    patch.points[k] = Corner(box, corners[k]);
    patch.features[k] = kFirstCorner + corners[k];
    patch.edges[k] = EdgeFeature(corners[k], corners[(k + 1) % 4]);
  }
  return patch;
}

ContactPatch PointPatch(const Vec3& point, int feature) {
  ContactPatch patch;
  patch.kind = Kind::kPoint;
  patch.count = 1;
  patch.points[0] = point;
  patch.features[0] = feature;
  patch.edges[0] = 0;
  return patch;
}

ContactPatch SegmentPatch(const Vec3& p, int feature_p, const Vec3& q, int feature_q) {
  ContactPatch patch = PointPatch(p, feature_p);
  patch.kind = Kind::kSegment;
  patch.count = 2;
  patch.points[1] = q;
  patch.features[1] = feature_q;
  return patch;
}

ContactPatch CirclePatch(const ConvexCore& core, const Vec3& center, int end, const Vec3& normal) {
  ContactPatch patch;
  patch.kind = Kind::kCircle;
  patch.normal = normal;
  patch.center = center;
  patch.radius = core.radius;
  patch.first_rim_feature = kFirstRimPoint + 4 * end;
  patch.mark = core.axes.col(0);
  return patch;
}

ContactPatch BoxEdgeOrCorner(const ConvexCore& box, const Vec3& d) {
  const Vec3 local = box.axes.transpose() * d;
  int corner = 0;
  for (int i = 0; i < 3; ++i) corner |= local(i) > 0 ? 1 << i : 0;
  int direction = 0;
  if (local.cwiseAbs().minCoeff(&direction) > kOnLine) return PointPatch(Corner(box, corner), kFirstCorner + corner);
  const int from = corner & ~(1 << direction);
  const int to = corner | 1 << direction;
  ContactPatch patch = SegmentPatch(Corner(box, from), kFirstCorner + from, Corner(box, to), kFirstCorner + to);
  patch.edges[0] = EdgeFeature(from, to);
  return patch;
}

Vec3 HullCorner(const ConvexCore& hull, int corner) {
  return hull.center + hull.axes * (hull.half_extents.x() * hull.polyhedron->centred.col(corner));
}

int HullEdgeFeature(const Polyhedron& polyhedron, int edge) {
  return kFirstHullCorner + static_cast<int>(polyhedron.corners.size()) + edge;
}

int ExtremeCorner(const Polyhedron& polyhedron, const Vec3& local) {
  Eigen::Index corner = 0;
  (local.transpose() * polyhedron.centred).maxCoeff(&corner);
  return static_cast<int>(corner);
}

// Of the faces at the extreme corner the most aligned one. (Another face may be better aligned, but be further back.)
ContactPatch HullFace(const ConvexCore& hull, const Vec3& d) {
  const Polyhedron& polyhedron = *hull.polyhedron;
  const Vec3 local = hull.axes.transpose() * d;
  const int corner = ExtremeCorner(polyhedron, local);
  int best = 0;
  double most = -2;
  for (int f = 0; f < static_cast<int>(polyhedron.faces.size()); ++f) {
    const double cosine = polyhedron.faces[f].normal.dot(local);
    if (cosine <= most) continue;
    const auto loop = polyhedron.loops.begin() + polyhedron.faces[f].first;
    if (std::find(loop, loop + polyhedron.faces[f].count, corner) == loop + polyhedron.faces[f].count) continue;
    best = f;
    most = cosine;
  }
  const Polyhedron::Face& face = polyhedron.faces[best];
  ContactPatch patch;
  patch.kind = Kind::kPolygon;
  patch.count = std::min(face.count, kMostPatchCorners);
  patch.normal = hull.axes * face.normal;
  for (int k = 0; k < patch.count; ++k) {
    const int at = face.first + k * face.count / patch.count;
    patch.points[k] = HullCorner(hull, polyhedron.loops[at]);
    patch.features[k] = kFirstHullCorner + polyhedron.loops[at];
    patch.edges[k] = HullEdgeFeature(polyhedron, polyhedron.loop_edges[at]);
  }
  // a point of the plane that bounds the polyhedron, above the first corner by what a face may be uneven
  const double height = face.normal.dot(polyhedron.corners[polyhedron.loops[face.first]]);
  patch.center = patch.points[0] + hull.half_extents.x() * (face.offset - height) * patch.normal;
  return patch;
}

ContactPatch HullEdgeOrCorner(const ConvexCore& hull, const Vec3& d) {
  const Polyhedron& polyhedron = *hull.polyhedron;
  const Vec3 local = hull.axes.transpose() * d;
  const int corner = ExtremeCorner(polyhedron, local);
  const Polyhedron::Edge* flattest = nullptr;  // of the edges at that corner
  double least = kOnLine;
  for (const Polyhedron::Edge& edge : polyhedron.edges) {
    if (edge.from != corner && edge.to != corner) continue;
    const double cosine = std::abs(edge.direction.dot(local));
    if (cosine > least) continue;
    least = cosine;
    flattest = &edge;
  }
  if (flattest == nullptr) {
    return PointPatch(HullCorner(hull, corner), kFirstHullCorner + corner);
  }
  ContactPatch patch = SegmentPatch(HullCorner(hull, flattest->from), kFirstHullCorner + flattest->from,
                                    HullCorner(hull, flattest->to), kFirstHullCorner + flattest->to);
  patch.edges[0] = HullEdgeFeature(polyhedron, static_cast<int>(flattest - polyhedron.edges.data()));
  return patch;
}

}  // namespace

ContactPatch FacingPatch(const ConvexCore& core, const Vec3& d) {
  const Vec3 axis = core.axis();
  const bool up = axis.dot(d) >= 0;
  const Vec3 reach = core.half_length * axis;
  switch (core.kind) {
    case ConvexCore::Kind::kBox: {
      int direction = 0;
      const Vec3 local = core.axes.transpose() * d;
      local.cwiseAbs().maxCoeff(&direction);
      return BoxFace(core, direction, local(direction) > 0);
    }
    case ConvexCore::Kind::kHull:
      return HullFace(core, d);
    case ConvexCore::Kind::kSegment:
      return SegmentPatch(core.center - reach, kFirstLineEnd, core.center + reach, kFirstLineEnd + 1);
    case ConvexCore::Kind::kCylinder: {
      const RimDirection furthest = FurthestOnRim(axis, core.axes.col(0), d);
      if (furthest.sine <= kFlatSine) {
        return up ? CirclePatch(core, core.center + reach, 1, axis) : CirclePatch(core, core.center - reach, 0, -axis);
      }
      const Vec3 line = core.center + core.radius * furthest.towards;
      return SegmentPatch(line - reach, kFirstRimPoint, line + reach, kFirstRimPoint + 4);
    }
    default: {
      const RimDirection furthest = FurthestOnRim(axis, core.axes.col(0), d);
      if (furthest.sine <= kFlatSine) return CirclePatch(core, core.center, 0, up ? axis : Vec3(-axis));
      return PointPatch(core.center + core.radius * furthest.towards, kFirstRimPoint);
    }
  }
}

ContactPatch TouchingPatch(const ConvexCore& core, const Vec3& d) {
  if (core.kind == ConvexCore::Kind::kBox) return BoxEdgeOrCorner(core, d);
  if (core.hull()) return HullEdgeOrCorner(core, d);
  const double cosine = core.axis().dot(d);
  if (core.kind != ConvexCore::Kind::kDisk && std::abs(cosine) <= kOnLine) return FacingPatch(core, d);
  const int end = core.kind != ConvexCore::Kind::kDisk && cosine > 0 ? 1 : 0;
  const bool rim = core.curved();
  return PointPatch(core.center + SupportFromCenter(core, d), rim ? kFirstRimPoint + 4 * end : kFirstLineEnd + end);
}

}  // namespace slipstick::internal
