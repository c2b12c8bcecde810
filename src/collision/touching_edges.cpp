#include "slipstick/collision/touching_edges.h"

#include <algorithm>
#include <cmath>

#include "slipstick/collision/hull_axis.h"
#include "slipstick/collision/line_contacts.h"
#include "slipstick/collision/local_contact.h"

namespace slipstick::internal {
namespace {

constexpr double kRounding = 1e-3;        // radius of the rounding that directs the normal, in units
constexpr double kRoundingOfWidth = 0.1;  // at most this share of the thinner shape's half width
constexpr double kMostGrowth = 10;        // of that radius where edges overlap
constexpr double kFadesWithin = 8;        // so many radii apart the normal is the line of nearest points
constexpr double kNarrowestArc = 0.04;    // radians between the faces: below it they share a manifold
constexpr double kSharpest = 0.2;         // least cosine of half an arc that the rounding is made for
constexpr double kUpright = 0.5;          // cosine to the axis above which an edge does not lie across it
constexpr int kMostEdges = 8, kMostCorners = 4;

struct PosedEdge {
  ThickLine line;
  Vec3 left = Vec3::UnitZ(), right = Vec3::UnitZ();  // outward normals of the faces on both sides
};

struct PosedEdges {
  std::array<PosedEdge, kMostEdges> edges;
  int count = 0;
};

struct PosedCorner {
  Vec3 place = Vec3::Zero();
  int number = 0;
  int feature = 0;
};

struct PosedCorners {
  std::array<PosedCorner, kMostCorners> corners;
  int count = 0;
};

int CornerFeature(const ConvexCore& core, const Polyhedron& surface, int corner) {
  if (core.hull()) return kFirstHullCorner + corner;
  const auto sign = surface.centred.col(corner);
  return kFirstCorner + (sign.x() > 0 ? 1 : 0) + (sign.y() > 0 ? 2 : 0) + (sign.z() > 0 ? 4 : 0);
}

// Edges that reach as far along d as the core does, but for `slack`.
PosedEdges EdgesFurthestAlong(const ConvexCore& core, const Vec3& d, double slack) {
  const Polyhedron& surface = SurfaceOf(core);
  const Vec3 local = core.half_extents.cwiseProduct(core.axes.transpose() * d);
  const double least = HalfWidth(core, d) - slack;
  const auto is_far = [&](int corner) { return local.dot(surface.centred.col(corner)) >= least; };
  PosedEdges found;
  for (const Polyhedron::Edge& edge : surface.edges) {
    if (found.count == kMostEdges) break;
    if (!is_far(edge.from) || !is_far(edge.to)) continue;
    if (std::abs(d.dot(core.axes * edge.direction)) > kUpright) continue;
    const ThickLine line{CornerOf(core, surface, edge.from),
                         CornerOf(core, surface, edge.to),
                         0,
                         {CornerFeature(core, surface, edge.from), CornerFeature(core, surface, edge.to)}};
    found.edges[found.count++] = {line, core.axes * surface.faces[edge.left].normal,
                                  core.axes * surface.faces[edge.right].normal};
  }
  return found;
}

// Corners, likewise.
PosedCorners CornersFurthestAlong(const ConvexCore& core, const Vec3& d, double slack) {
  const Polyhedron& surface = SurfaceOf(core);
  const Vec3 local = core.half_extents.cwiseProduct(core.axes.transpose() * d);
  const double least = HalfWidth(core, d) - slack;
  PosedCorners found;
  for (int i = 0; i < static_cast<int>(surface.corners.size()) && found.count < kMostCorners; ++i) {
    if (local.dot(surface.centred.col(i)) < least) continue;
    found.corners[found.count++] = {CornerOf(core, surface, i), i, CornerFeature(core, surface, i)};
  }
  return found;
}

// The plane across two edges, with angles from the axis.
struct CrossSection {
  Vec3 ahead, aside;

  CrossSection(const Vec3& edge, const Vec3& axis) {
    ahead = (axis - edge * edge.dot(axis)).normalized();
    aside = edge.cross(ahead);
  }
  double Angle(const Vec3& v) const { return std::atan2(aside.dot(v), ahead.dot(v)); }
  Vec3 At(double angle) const { return std::cos(angle) * ahead + std::sin(angle) * aside; }
};

// Normals from B to A of all planes that touch A and B along these edges: an arc between two angles.
struct Arc {
  double low, high;

  // Of one edge; `sign` is −1 where it is A's, whose normals point to B.
  Arc(const PosedEdge& edge, double sign, const CrossSection& section) {
    const double left = section.Angle(sign * edge.left), right = section.Angle(sign * edge.right);
    low = std::min(left, right);
    high = std::max(left, right);
  }
  void CutTo(double least, double most) {
    low = std::max(low, least);
    high = std::min(high, most);
  }
  bool Holds(double angle) const { return low < angle && angle < high; }
  // (H4): from B's edge to A's, moved along the middle of the arc so far that a circle about it touches both ends'
  // planes.
  Vec3 Shift(const CrossSection& section) const {
    return section.At(0.5 * (low + high)) / std::max(kSharpest, std::cos(0.5 * (high - low)));
  }
};

double HalfThickness(const ConvexCore& core) {
  return core.hull() ? core.half_extents.x() * core.polyhedron->inner_radius : core.half_extents.minCoeff();
}

// Contacts of one pair of edges; none where at both ends the normal would be outside the arc.
EdgeContacts ContactsOf(const PosedEdge& a, const PosedEdge& b, const Vec3& axis, double rounding) {
  const LineContacts stretch = EndsOfCommonStretch(a.line, b.line, axis);
  const Vec3 direction = (a.line.q - a.line.p).normalized();
  if (stretch.count == 0) return {};
  const CrossSection section(direction, axis);
  const Arc of_b(b, 1, section);
  Arc arc(a, -1, section);
  arc.CutTo(of_b.low, of_b.high);
  if (!(arc.high - arc.low > kNarrowestArc)) return {};
  const Vec3 shift = rounding * arc.Shift(section);
  EdgeContacts contacts;
  bool any_inside = false;
  for (const LineContact& end : stretch.contacts) {
    const Vec3 apart = end.on_a - end.on_b;
    const double angle = section.Angle(apart + shift);
    any_inside |= arc.Holds(angle);
    const Vec3 normal = section.At(std::clamp(angle, arc.low, arc.high));
    contacts.ends[contacts.count++] = {normal, end.on_a, normal.dot(apart), FeatureId(end.of_a, end.of_b)};
  }
  return any_inside ? contacts : EdgeContacts{};
}

// Planes through a corner touch its shape alone where all edges there lead away from them.
void CutToCorner(const ConvexCore& core, int corner, double sign, const CrossSection& section, Arc* arc) {
  for (const Polyhedron::Edge& edge : SurfaceOf(core).edges) {
    if (edge.from != corner && edge.to != corner) continue;
    const Vec3 away = (edge.from == corner ? sign : -sign) * (core.axes * edge.direction);
    if (std::hypot(section.ahead.dot(away), section.aside.dot(away)) < kFlatSine) continue;
    const double angle = section.Angle(away);
    arc->CutTo(angle - 0.5 * M_PI, angle + 0.5 * M_PI);
  }
}

// The contact of a corner of one shape (A or B) with an edge of the other, if its normal is inside the arc.
EdgeContacts ContactOnEdge(const PosedCorner& corner, const ConvexCore& owner, bool owner_is_a, const PosedEdge& edge,
                           const Vec3& axis, double rounding) {
  const Vec3 line = edge.line.q - edge.line.p;
  const double length = line.norm(), sign = owner_is_a ? 1 : -1;
  const Vec3 direction = line / length, from = corner.place - edge.line.p;
  const double along = direction.dot(from);
  if (!(along > -rounding && along < length + rounding)) return {};
  const CrossSection section(direction, axis);
  const Vec3 apart = sign * (from - along * direction);
  Arc arc(edge, sign, section);
  CutToCorner(owner, corner.number, sign, section, &arc);
  if (!(arc.high - arc.low > kNarrowestArc)) return {};
  const double angle = section.Angle(apart + rounding * arc.Shift(section));
  if (!arc.Holds(angle)) return {};
  const Vec3 normal = section.At(angle);
  EdgeContacts contacts;
  contacts.ends[contacts.count++] = {normal, owner_is_a ? corner.place : Vec3(corner.place + apart), normal.dot(apart),
                                     owner_is_a ? FeatureId(corner.feature, 0) : FeatureId(0, corner.feature)};
  return contacts;
}

double LeastSeparation(const EdgeContacts& contacts) {
  double least = INFINITY;
  for (int i = 0; i < contacts.count; ++i) least = std::min(least, contacts.ends[i].separation);
  return least;
}

// Of two, that which is further apart: it is the one that both shapes reach with.
void Improve(const EdgeContacts& contacts, EdgeContacts* best) {
  if (contacts.count == 0) return;
  if (best->count == 0 || LeastSeparation(contacts) > LeastSeparation(*best)) *best = contacts;
}

}  // namespace

EdgeContacts FindTouchingEdges(const ConvexCore& a, const ConvexCore& b, const SeparatingAxis& axis) {
  const double least = std::min(kRounding, kRoundingOfWidth * std::min(HalfThickness(a), HalfThickness(b)));
  if (!(axis.separation < kFadesWithin * least)) return {};
  const double rounding = axis.separation > 0 ? least - axis.separation / kFadesWithin
                                              : std::clamp(-2 * axis.separation, least, kMostGrowth * least);
  const double slack = 2 * std::max(rounding, least);
  const PosedEdges of_a = EdgesFurthestAlong(a, -axis.normal, slack);
  const PosedEdges of_b = EdgesFurthestAlong(b, axis.normal, slack);
  if (of_a.count + of_b.count == 0) return {};
  EdgeContacts best;
  for (int i = 0; i < of_a.count; ++i) {
    for (int j = 0; j < of_b.count; ++j) {
      Improve(ContactsOf(of_a.edges[i], of_b.edges[j], axis.normal, rounding), &best);
    }
  }
  if (best.count > 0) return best;
  for (const bool corner_of_a : {true, false}) {
    const ConvexCore& owner = corner_of_a ? a : b;
    const PosedEdges& edges = corner_of_a ? of_b : of_a;
    if (edges.count == 0) continue;
    const PosedCorners corners = CornersFurthestAlong(owner, corner_of_a ? Vec3(-axis.normal) : axis.normal, slack);
    for (int i = 0; i < corners.count; ++i) {
      for (int j = 0; j < edges.count; ++j) {
        Improve(ContactOnEdge(corners.corners[i], owner, corner_of_a, edges.edges[j], axis.normal, rounding), &best);
      }
    }
  }
  return best;
}

}  // namespace slipstick::internal
