#include "slipstick/collision/hull_axis.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

using Kind = SeparatingAxis::Kind;

constexpr double kParallelSine = 1e-6;  // below it two edges have no common perpendicular worth the name
constexpr double kArcSlack = 1e-9;      // how far arcs of normals may miss each other and still count as crossing

// The corners ±1 of the unit cube in place of a box's, with the same normals, arcs and edges.
const Polyhedron& UnitCube() {
  static const std::shared_ptr<const Polyhedron> cube = [] {
    std::vector<Vec3> corners(8);
    for (int i = 0; i < 8; ++i) corners[i] = Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    return MakeConvexHull(corners).polyhedron;
  }();
  return *cube;
}

// Radius of a ball about the centre that is inside the core.
double InnerRadius(const ConvexCore& core) {
  switch (core.kind) {
    case ConvexCore::Kind::kHull:
      return core.half_extents.x() * core.polyhedron->inner_radius;
    case ConvexCore::Kind::kBox:
      return core.half_extents.minCoeff();
    case ConvexCore::Kind::kCylinder:
      return std::min(core.radius, core.half_length);
    default:
      return 0;
  }
}

// Directions that may separate the shapes by more than the best one so far: those within an angle of `axis`.
struct Cone {
  Vec3 axis = Vec3::UnitZ();  // from B's centre to A's
  double cosine = -2;         // below −1: all directions
  double sine = 0;

  Cone(const ConvexCore& a, const ConvexCore& b, double best_separation) {
    const Vec3 between = a.center - b.center;
    const double distance = between.norm();
    const double least = best_separation + InnerRadius(a) + InnerRadius(b);
    if (!(distance > 0) || !(least > -distance)) return;
    axis = between / distance;
    // a little less, so that rounding passes over nothing
    cosine = std::clamp(least / distance - kArcSlack, -1.0, 1.0);
    sine = std::sqrt(1 - cosine * cosine);
  }

  bool Holds(double cosine_to_axis) const { return cosine_to_axis >= cosine; }

  // Whether some direction of an arc is inside, given its middle's cosine to the axis: no two directions are further
  // apart than the sum of the angles.
  bool Touches(double cosine_to_middle, const Polyhedron::Edge& edge) const {
    if (cosine <= -edge.cos_half) return true;
    return cosine_to_middle >= cosine * edge.cos_half - sine * edge.sin_half - kArcSlack;
  }
};

struct PosedEdge {
  Vec3 direction = Vec3::UnitX();
  Vec3 left = Vec3::UnitZ(), right = Vec3::UnitZ();  // outward normals of the faces on both sides
  Vec3 corner = Vec3::Zero();                        // one of the ends
};

// Edges whose arcs of outward normals, times `sign`, touch the cone; in the world.
void EdgesInCone(const ConvexCore& core, const Cone& cone, double sign, std::vector<PosedEdge>* edges) {
  const Polyhedron& surface = SurfaceOf(core);
  const Vec3 local_axis = sign * (core.axes.transpose() * cone.axis);
  edges->clear();
  for (const Polyhedron::Edge& edge : surface.edges) {
    if (!cone.Touches(edge.middle.dot(local_axis), edge)) continue;
    edges->push_back({core.axes * edge.direction, core.axes * surface.faces[edge.left].normal,
                      core.axes * surface.faces[edge.right].normal, CornerOf(core, surface, edge.from)});
  }
}

// The unit vector n from B to A where the arc of the opposites of A's normals crosses that of B's; zero where they do
// not cross. The planes of the arcs are perpendicular to the edges, so each arc must have its ends on both sides of the
// other's plane, and of the two directions that both planes share, opposite to each other, both arcs the same. Arcs
// that touch at their ends count.
Vec3 CrossingOfArcs(const PosedEdge& a, const PosedEdge& b) {
  if (b.left.dot(a.direction) * b.right.dot(a.direction) > kArcSlack) return Vec3::Zero();
  if (a.left.dot(b.direction) * a.right.dot(b.direction) > kArcSlack) return Vec3::Zero();
  const Vec3 n = a.direction.cross(b.direction);
  const double sine = n.norm();
  if (sine < kParallelSine) return Vec3::Zero();
  const double of_a = -n.dot(a.left + a.right), of_b = n.dot(b.left + b.right);
  if (of_a * of_b < -kArcSlack) return Vec3::Zero();
  return (of_a + of_b < 0 ? -1 : 1) / sine * n;
}

// Keeps a candidate that is better by its true separation along n.
void Try(const ConvexCore& a, const ConvexCore& b, const Vec3& n, Kind kind, SeparatingAxis* best) {
  const double separation = Separation(a, b, n);
  if (separation > best->separation + kAxisTie) *best = {kind, n, separation};
}

}  // namespace

const Polyhedron& SurfaceOf(const ConvexCore& core) {
  SLIPSTICK_CHECK(core.is_polyhedron(), "the core is a polyhedron");
  return core.hull() ? *core.polyhedron : UnitCube();
}

Vec3 CornerOf(const ConvexCore& core, const Polyhedron& surface, int corner) {
  return core.center + core.axes * core.half_extents.cwiseProduct(surface.centred.col(corner));
}

void ImproveByHullFaces(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                        SeparatingAxis* best) {
  const double sign = owner_is_a ? -1 : 1;  // outward normals of A point towards B
  const Cone cone(a, b, best->separation);
  const Vec3 local_axis = sign * (owner.axes.transpose() * cone.axis);
  const Kind kind = owner_is_a ? Kind::kFaceOfA : Kind::kFaceOfB;
  for (const Polyhedron::Face& face : owner.polyhedron->faces) {
    if (cone.Holds(face.normal.dot(local_axis))) Try(a, b, sign * (owner.axes * face.normal), kind, best);
  }
}

void ImproveByEdgePairs(const ConvexCore& a, const ConvexCore& b, SeparatingAxis* best) {
  static thread_local std::vector<PosedEdge> edges_a, edges_b;  // keep their storage
  const Cone cone(a, b, best->separation);
  EdgesInCone(a, cone, -1, &edges_a);
  EdgesInCone(b, cone, 1, &edges_b);
  for (const PosedEdge& of_a : edges_a) {
    for (const PosedEdge& of_b : edges_b) {
      const Vec3 n = CrossingOfArcs(of_a, of_b);
      if (n.isZero(0)) continue;
      // where the arcs cross the edges are the supports; where they only touch others may be, which Try finds out
      if (n.dot(of_a.corner - of_b.corner) > best->separation + kAxisTie) Try(a, b, n, Kind::kEdge, best);
    }
  }
}

void ImproveByEdgesAgainst(const ConvexCore& hull, bool hull_is_a, const Vec3& line, const ConvexCore& a,
                           const ConvexCore& b, SeparatingAxis* best) {
  const double sign = hull_is_a ? -1 : 1;
  const Cone cone(a, b, best->separation);
  const Vec3 local_axis = sign * (hull.axes.transpose() * cone.axis);
  const Vec3 local_line = hull.axes.transpose() * line;
  for (const Polyhedron::Edge& edge : hull.polyhedron->edges) {
    if (!cone.Touches(edge.middle.dot(local_axis), edge)) continue;
    Vec3 n = edge.direction.cross(local_line);
    const double sine = n.norm();
    if (sine < kParallelSine) continue;
    n /= sine;
    // outward for the hull: the direction of its edge's arc
    if (n.dot(edge.middle) < 0) n = -n;
    Try(a, b, sign * (hull.axes * n), Kind::kEdge, best);
  }
}

SeparatingAxis HullFaceAlong(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                             const Vec3& n) {
  const double sign = owner_is_a ? -1 : 1;
  const Vec3 outward = sign * (owner.axes.transpose() * n);
  const auto& face = *std::max_element(owner.polyhedron->faces.begin(), owner.polyhedron->faces.end(),
                                       [&](const Polyhedron::Face& f, const Polyhedron::Face& g) {
                                         return f.normal.dot(outward) < g.normal.dot(outward);
                                       });
  const Vec3 normal = sign * (owner.axes * face.normal);
  return {owner_is_a ? Kind::kFaceOfA : Kind::kFaceOfB, normal, Separation(a, b, normal)};
}

bool IsHullFaceSurelyBest(const SeparatingAxis& face, const ConvexCore& a, const ConvexCore& b) {
  const bool of_a = face.kind == Kind::kFaceOfA;
  const ConvexCore& owner = of_a ? a : b;
  const ConvexCore& other = of_a ? b : a;
  const Polyhedron& polyhedron = *owner.polyhedron;
  const Vec3 outward = of_a ? Vec3(-face.normal) : face.normal;
  const Vec3 support = other.center + SupportAgainst(other, outward) - owner.center;
  // in the polyhedron's own lengths and axes, from its origin
  const Vec3 p = polyhedron.center + owner.axes.transpose() * support / owner.half_extents.x();
  const Vec3 local = owner.axes.transpose() * outward;
  const auto& touched = *std::max_element(
      polyhedron.faces.begin(), polyhedron.faces.end(),
      [&](const Polyhedron::Face& f, const Polyhedron::Face& g) { return f.normal.dot(local) < g.normal.dot(local); });
  const double height = touched.normal.dot(p) - touched.offset;
  if (height <= 0) {
    return std::all_of(polyhedron.faces.begin(), polyhedron.faces.end(), [&](const Polyhedron::Face& other_face) {
      return &other_face == &touched || other_face.normal.dot(p) - other_face.offset <= height;
    });
  }
  return IsAboveFace(polyhedron, touched, p);
}

}  // namespace slipstick::internal
