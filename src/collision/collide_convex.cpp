#include "slipstick/collision/collide_convex.h"

#include <algorithm>
#include <cmath>

#include "slipstick/collision/contact_patch.h"
#include "slipstick/collision/convex_core.h"
#include "slipstick/collision/line_contacts.h"
#include "slipstick/collision/separating_axis.h"
#include "slipstick/collision/touching_edges.h"

namespace slipstick::internal {
namespace {

using PatchKind = ContactPatch::Kind;

// How much separation a manifold of nearly parallel faces may give up against the exact axis, in units of the smaller
// shape's bounding radius. Two faces at an angle of kFlatSine differ by no more than this.
constexpr double kManifoldDepth = kFlatSine;

// Gaps of one manifold that differ by less count as equal, in the same unit.
constexpr double kSameGap = 1e-7;

// Points that are nearer to each other count as one, in the same unit: a corner and where the edge beside it crosses.
constexpr double kSamePlace = 1e-4;

// The same of points beside an edge that touches: those of a face are a little further in, by as much as the edge
// counts as round.
constexpr double kSameTouch = 1e-2;

// Cosine to the axis above which a face of a hull looks the same way. What is beside a steeper one holds the hulls
// apart across the axis, as walls do, and has its own axis once it touches.
constexpr double kSameSide = 0.5;

// Two cores in the common unit, and the way back to the world.
struct Pair {
  ConvexCore a;
  ConvexCore b;
  Vec3 origin;
  double unit;
  double margin;  // in units, between the unrounded cores
  std::vector<LocalContact>* out;

  // From points of the cores to points of the surfaces, in the world.
  void Emit(const Vec3& normal, const Vec3& on_a, double separation, std::uint32_t feature) const {
    const double gap = unit * (separation - a.rounding - b.rounding);
    const Vec3 point_a = origin + unit * (on_a - a.rounding * normal);
    out->push_back({normal, point_a, point_a - gap * normal, gap, feature});
  }
};

// Contacts of what the other shape shows to the reference face, those above it by more than `above` and within the
// margin; their number.
int EmitFaceManifold(const Pair& pair, const SeparatingAxis& face, double above = -INFINITY) {
  const bool reference_is_a = face.kind == SeparatingAxis::Kind::kFaceOfA;
  const ConvexCore& owner = reference_is_a ? pair.a : pair.b;
  const ConvexCore& other = reference_is_a ? pair.b : pair.a;
  const Vec3 outward = reference_is_a ? Vec3(-face.normal) : face.normal;
  const PatchContacts manifold = IntersectPatches(FacingPatch(owner, outward), FacingPatch(other, -outward));
  int emitted = 0;
  for (int i = 0; i < manifold.count; ++i) {
    const PatchContact& contact = manifold.contacts[i];
    if (!(contact.gap <= pair.margin) || !(contact.gap > above)) continue;
    const Vec3 on_a = reference_is_a ? Vec3(contact.point - contact.gap * outward) : contact.point;
    pair.Emit(face.normal, on_a, contact.gap,
              reference_is_a ? FeatureId(contact.of_reference, contact.of_incident)
                             : FeatureId(contact.of_incident, contact.of_reference));
    ++emitted;
  }
  return emitted;
}

// Where the axis is set by edges or rims but all but normal to a face: the manifold of that face, provided that it has
// two points or more and so holds better than the exact single one.
bool EmitNearbyFace(const Pair& pair, const SeparatingAxis& axis) {
  SeparatingAxis best;
  best.separation = axis.separation - kManifoldDepth;
  bool found = false;
  for (const bool of_a : {true, false}) {
    const SeparatingAxis face = BestFaceNear(of_a ? pair.a : pair.b, of_a, pair.a, pair.b, axis.normal);
    if (face.separation <= best.separation || face.normal.cross(axis.normal).norm() > kFlatSine) continue;
    best = face;
    found = true;
  }
  if (!found) return false;
  const std::size_t before = pair.out->size();
  if (EmitFaceManifold(pair, best) >= 2) {
    double least = INFINITY;
    for (std::size_t i = before; i < pair.out->size(); ++i) least = std::min(least, (*pair.out)[i].gap);
    const double exact_gap = axis.separation - pair.a.rounding - pair.b.rounding;
    if (least <= pair.unit * (exact_gap + kManifoldDepth)) return true;
  }
  pair.out->resize(before);
  return false;
}

// The line of a core that faces d, if it has one there.
bool FacingLine(const ConvexCore& core, const Vec3& d, ThickLine* line) {
  const Vec3 reach = core.half_length * core.axis();
  switch (core.kind) {
    case ConvexCore::Kind::kDisk:
      return false;
    case ConvexCore::Kind::kSegment:
      *line = {core.center - reach, core.center + reach, core.rounding, {kFirstLineEnd, kFirstLineEnd + 1}};
      return std::abs(core.axis().dot(d)) <= kFlatSine;
    case ConvexCore::Kind::kCylinder:
      *line = {core.center - reach, core.center + reach, core.radius, {kFirstRimPoint, kFirstRimPoint + 4}};
      return std::abs(core.axis().dot(d)) <= kFlatSine;
    case ConvexCore::Kind::kBox:
    case ConvexCore::Kind::kHull:
      break;
  }
  const ContactPatch edge = TouchingPatch(core, d);
  if (edge.kind != PatchKind::kSegment) return false;
  *line = {edge.points[0], edge.points[1], 0, {edge.features[0], edge.features[1]}};
  return true;
}

// Two lines side by side, as logs in a pile: contacts at both ends of their common stretch, where these are about as
// close as the lines come. False where that is not the case.
bool EmitParallelLines(const Pair& pair, const SeparatingAxis& axis) {
  ThickLine a, b;
  if (!FacingLine(pair.a, -axis.normal, &a) || !FacingLine(pair.b, axis.normal, &b)) return false;
  const LineContacts ends = EndsOfCommonStretch(a, b, axis.normal);
  const double exact_gap = axis.separation - pair.a.rounding - pair.b.rounding;
  const double slack = 2 * kFlatSine * std::max(a.radius, b.radius);
  double least = INFINITY;
  for (int i = 0; i < ends.count; ++i) {
    const LineContact& end = ends.contacts[i];
    if (end.gap - exact_gap > slack + kSameGap) return false;
    least = std::min(least, end.gap);
  }
  int emitted = 0;
  for (int i = 0; i < ends.count; ++i) {
    const LineContact& end = ends.contacts[i];
    const double separation = end.gap + pair.a.rounding + pair.b.rounding;
    if (!(separation <= pair.margin)) continue;
    const double to_core = a.radius - pair.a.rounding;  // from the axis to the unrounded surface
    pair.Emit(end.normal, end.on_a - to_core * end.normal, separation, FeatureId(end.of_a, end.of_b));
    ++emitted;
  }
  // lines that cross come closer in between than at the ends: the exact point is then needed as well
  return emitted > 0 && least <= exact_gap + kSameGap;
}

// The single point where the supports along the axis meet.
void EmitPoint(const Pair& pair, const SeparatingAxis& axis) {
  const ContactPatch a = TouchingPatch(pair.a, -axis.normal);
  const ContactPatch b = TouchingPatch(pair.b, axis.normal);
  if (a.kind == PatchKind::kSegment && b.kind == PatchKind::kSegment) {
    const LineContact closest =
        ClosestOfLines({a.points[0], a.points[1], 0, {}}, {b.points[0], b.points[1], 0, {}}, axis.normal);
    const Vec3 middle = 0.5 * (closest.on_a + closest.on_b);
    return pair.Emit(axis.normal, middle + 0.5 * axis.separation * axis.normal, axis.separation,
                     FeatureId(std::max(a.edges[0], 1), std::max(b.edges[0], 1)));
  }
  if (a.kind == PatchKind::kPoint) {
    const int of_b = b.kind == PatchKind::kPoint ? b.features[0] : b.edges[0];
    return pair.Emit(axis.normal, a.points[0], axis.separation, FeatureId(a.features[0], of_b));
  }
  const Vec3 on_b = b.points[0];
  pair.Emit(axis.normal, on_b + axis.separation * axis.normal, axis.separation, FeatureId(a.edges[0], b.features[0]));
}

// Where an edge or corner touches, a turn about it may bring others to a face within one step: what stands above the
// face nearest to the axis, and further away than the points that touch, those from `first` on, is a contact too.
void EmitAboveFace(const Pair& pair, const SeparatingAxis& axis, std::size_t first) {
  const SeparatingAxis of_a = BestFaceNear(pair.a, true, pair.a, pair.b, axis.normal);
  const SeparatingAxis of_b = BestFaceNear(pair.b, false, pair.a, pair.b, axis.normal);
  const SeparatingAxis& face = of_b.separation > of_a.separation ? of_b : of_a;
  if (!(face.normal.dot(axis.normal) > 0)) return;
  const std::size_t known = pair.out->size();
  const auto touching = static_cast<std::ptrdiff_t>(known);
  EmitFaceManifold(pair, face, axis.separation + kSameGap);
  const Vec3 from = (*pair.out)[first].point_a, line = (*pair.out)[std::min(first + 1, known - 1)].point_a - from;
  const auto touches = [&](const LocalContact& contact) {
    const double square = line.squaredNorm(), along = line.dot(contact.point_a - from);
    const Vec3 nearest = square > 0 ? Vec3(from + std::clamp(along / square, 0.0, 1.0) * line) : from;
    if ((contact.point_a - nearest).norm() <= kSameTouch * pair.unit) return true;
    return std::any_of(pair.out->begin() + static_cast<std::ptrdiff_t>(first), pair.out->begin() + touching,
                       [&](const LocalContact& other) { return contact.feature == other.feature; });
  };
  pair.out->erase(std::remove_if(pair.out->begin() + touching, pair.out->end(), touches), pair.out->end());
}

// Corners of one hull (A or B) that stand above a face of the other within the margin and are no contacts yet, counted
// from `first` on. They are further away than what touches, but above another face, or beside the face that it touches
// with: where stones tumble, they are the next to touch.
void EmitCornersAboveFaces(const Pair& pair, const SeparatingAxis& axis, bool corners_of_a, std::size_t first) {
  const ConvexCore& other = corners_of_a ? pair.a : pair.b;
  const ConvexCore& owner = corners_of_a ? pair.b : pair.a;
  const double sign = corners_of_a ? 1 : -1;  // times the owner's outward normals: from B to A
  const double reach = HalfWidth(owner, sign * axis.normal);
  const double scale = owner.half_extents.x();
  for (int i = 0; i < static_cast<int>(other.polyhedron->corners.size()); ++i) {
    const Vec3 corner = other.center + other.axes * (other.half_extents.x() * other.polyhedron->centred.col(i));
    const Vec3 from_owner = corner - owner.center;
    // no further from the owner than the margin, so no further along the axis
    if (!(sign * axis.normal.dot(from_owner) - reach <= pair.margin)) continue;
    const Vec3 local = owner.polyhedron->center + owner.axes.transpose() * from_owner / scale;
    const Polyhedron::Face& face = HighestFace(*owner.polyhedron, local);
    const double height = scale * (face.normal.dot(local) - face.offset);
    if (!(height > axis.separation + kSameGap && height <= pair.margin)) continue;
    if (!IsAboveFace(*owner.polyhedron, face, local)) continue;
    const Vec3 normal = sign * (owner.axes * face.normal);
    const int name = kFirstHullCorner + i;
    const std::uint32_t feature = corners_of_a ? FeatureId(name, 0) : FeatureId(0, name);
    const Vec3 place = pair.origin + pair.unit * corner;
    const auto is_there = [&](const LocalContact& contact) {
      const Vec3& point = corners_of_a ? contact.point_a : contact.point_b;
      return contact.feature == feature || (point - place).squaredNorm() <= std::pow(kSamePlace * pair.unit, 2);
    };
    const bool known = std::any_of(pair.out->begin() + static_cast<std::ptrdiff_t>(first), pair.out->end(), is_there);
    if (known || !(normal.dot(axis.normal) > kSameSide)) continue;
    pair.Emit(normal, corners_of_a ? corner : Vec3(corner + height * normal), height, feature);
  }
}

// Edges that touch side by side or with a corner, so that no face sets the normal. False where there are none.
bool EmitTouchingEdges(const Pair& pair, const SeparatingAxis& axis) {
  if (!pair.a.is_polyhedron() || !pair.b.is_polyhedron()) return false;
  const EdgeContacts contacts = FindTouchingEdges(pair.a, pair.b, axis);
  const std::size_t first = pair.out->size();
  double least = INFINITY;
  for (int i = 0; i < contacts.count; ++i) {
    const EdgeContact& end = contacts.ends[i];
    if (!(end.separation <= pair.margin)) continue;
    pair.Emit(end.normal, end.on_a, end.separation, end.feature);
    least = std::min(least, end.separation);
  }
  if (!(least < INFINITY)) return false;
  // edges that cross come closer in between
  if (axis.kind == SeparatingAxis::Kind::kEdge && least > axis.separation + kSameGap) EmitPoint(pair, axis);
  EmitAboveFace(pair, axis, first);
  return true;
}

// Contacts along the axis and about it.
void EmitAlong(const Pair& pair, const SeparatingAxis& axis) {
  if (EmitTouchingEdges(pair, axis)) return;
  if (axis.kind != SeparatingAxis::Kind::kEdge) {
    if (EmitFaceManifold(pair, axis) == 0) EmitPoint(pair, axis);
    return;
  }
  if (EmitNearbyFace(pair, axis) || EmitParallelLines(pair, axis)) return;
  EmitPoint(pair, axis);
  if (pair.a.is_polyhedron() || pair.b.is_polyhedron()) EmitAboveFace(pair, axis, pair.out->size() - 1);
}

}  // namespace

void CollideConvex(const ShapeGeometry& a, const Pose& X_WA, const ShapeGeometry& b, const Pose& X_WB, double margin,
                   std::vector<LocalContact>* out) {
  const double unit = std::min(CoreRadius(a), CoreRadius(b));
  const Vec3 origin = X_WB.position;
  Pair pair{MakeCore(a, X_WA, origin, unit), MakeCore(b, X_WB, origin, unit), origin, unit, 0, out};
  pair.margin = margin / unit + pair.a.rounding + pair.b.rounding;
  const SeparatingAxis axis = FindSeparatingAxis(pair.a, pair.b, pair.margin);
  if (axis.kind == SeparatingAxis::Kind::kApart) return;
  const std::size_t first = out->size();
  EmitAlong(pair, axis);
  if (!pair.a.hull() || !pair.b.hull()) return;
  for (const bool of_a : {true, false}) EmitCornersAboveFaces(pair, axis, of_a, first);
}

}  // namespace slipstick::internal
