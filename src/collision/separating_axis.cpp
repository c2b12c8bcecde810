#include "slipstick/collision/separating_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/rotation.h"
#include "slipstick/collision/convex_distance.h"
#include "slipstick/collision/hull_axis.h"

namespace slipstick::internal {
namespace {

using Kind = SeparatingAxis::Kind;

constexpr double kParallelSine = 1e-6;        // below it two lines have no common perpendicular worth the name
constexpr double kNearlyPerpendicular = 0.1;  // cosine below which a line may take part in the contact
constexpr double kCircleSearch = 0.15;        // radians to both sides of the start

// n or −n, whichever points from B to A.
Vec3 TowardsA(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return n.dot(a.center - b.center) < 0 ? Vec3(-n) : n;
}

// Keeps the better of two; the first where they tie.
void Improve(const SeparatingAxis& candidate, SeparatingAxis* best) {
  if (candidate.separation > best->separation + kAxisTie) *best = candidate;
}

SeparatingAxis AxisAt(const ConvexCore& a, const ConvexCore& b, const Vec3& n, Kind kind) {
  return {kind, n, Separation(a, b, n)};
}

// The largest separation on the circle perpendicular to the line e, near n. The derivative by the angle falls through
// zero at the maximum, with a jump where it passes a corner, so that bisection finds it to rounding either way.
SeparatingAxis BestPerpendicularTo(const Vec3& e, const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  const Vec3 start = (n - e * e.dot(n)).normalized();
  const Vec3 side = e.cross(start);
  double low = -kCircleSearch;
  double high = kCircleSearch;
  Vec3 at = start;
  for (int i = 0; i < 56; ++i) {
    const double angle = 0.5 * (low + high);
    at = std::cos(angle) * start + std::sin(angle) * side;
    const Vec3 tangent = std::cos(angle) * side - std::sin(angle) * start;
    (tangent.dot(SupportDifference(a, b, at)) > 0 ? low : high) = angle;
  }
  return AxisAt(a, b, at.normalized(), Kind::kEdge);
}

// Gradient of the separation by the two coordinates of n = m/|m|, m = n₀ + t₁x₁ + t₂x₂.
Vec2 Gradient(const ConvexCore& a, const ConvexCore& b, const Vec3& n0, const Vec3& t1, const Vec3& t2, const Vec2& x) {
  const Vec3 m = n0 + x(0) * t1 + x(1) * t2;
  const double norm = m.norm();
  const Vec3 w = SupportDifference(a, b, m);
  const Vec3 gradient = w / norm - m * (m.dot(w) / (norm * norm * norm));
  return {t1.dot(gradient), t2.dot(gradient)};
}

// Newton's method on the sphere; of use where both supports are corners or smooth rims. Ends where it stops gaining.
SeparatingAxis Polish(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  constexpr double kDifference = 1e-6;
  constexpr double kLongestStep = 0.1;
  SeparatingAxis best = AxisAt(a, b, n, Kind::kEdge);
  for (int iteration = 0; iteration < 10; ++iteration) {
    Vec3 t1, t2;
    CompleteFrame(best.normal, &t1, &t2);
    const Vec2 g = Gradient(a, b, best.normal, t1, t2, Vec2::Zero());
    Mat2 hessian;
    for (int i = 0; i < 2; ++i) {
      const Vec2 step = kDifference * Vec2::Unit(i);
      hessian.col(i) =
          (Gradient(a, b, best.normal, t1, t2, step) - Gradient(a, b, best.normal, t1, t2, -step)) / (2 * kDifference);
    }
    hessian = 0.5 * (hessian + hessian.transpose()).eval();
    // a maximum has a negative definite Hessian; elsewhere there is nothing that Newton could find
    if (!(hessian.determinant() > 0) || !(hessian(0, 0) < 0)) break;
    Vec2 x = -hessian.inverse() * g;
    if (!x.allFinite()) break;
    if (x.norm() > kLongestStep) x *= kLongestStep / x.norm();
    const SeparatingAxis next = AxisAt(a, b, (best.normal + x(0) * t1 + x(1) * t2).normalized(), Kind::kEdge);
    // the separation is flat at its maximum: equal values to rounding still improve the direction
    if (next.separation < best.separation - 1e-14) break;
    best = next;
    if (x.norm() < 1e-14) break;
  }
  return best;
}

// Perpendiculars to one line of each shape; for parallel lines the direction of the centres across them.
SeparatingAxis BestOfLines(const ConvexCore& a, const ConvexCore& b) {
  SeparatingAxis best{Kind::kEdge, Vec3::UnitZ(), -std::numeric_limits<double>::infinity()};
  const Vec3 between = a.center - b.center;
  for (int i = a.first_edge(); i < 3; ++i) {
    for (int j = b.first_edge(); j < 3; ++j) {
      const Vec3 e = a.axes.col(i);
      Vec3 n = e.cross(b.axes.col(j));
      if (n.norm() < kParallelSine) {
        n = between - e * e.dot(between);
        if (n.norm() <= kParallelSine * between.norm()) n = a.axes.col((i + 1) % 3);
      }
      Improve(AxisAt(a, b, TowardsA(a, b, n.normalized()), Kind::kEdge), &best);
    }
  }
  return best;
}

// Local searches around a unit vector near the maximizer; a zero vector says that none was found.
void ImproveNear(const ConvexCore& a, const ConvexCore& b, const Vec3& near, SeparatingAxis* best) {
  if (!(near.squaredNorm() > 0.5)) return;
  if ((a.hull() || b.hull()) && !a.curved() && !b.curved()) {
    // between polytopes what is not in the lists is the direction from a corner to a corner or edge, as it was found
    return Improve(AxisAt(a, b, near, Kind::kEdge), best);
  }
  for (const ConvexCore* core : {&a, &b}) {
    for (int i = core->first_edge(); i < 3; ++i) {
      const Vec3 e = core->axes.col(i);
      if (std::abs(e.dot(near)) < kNearlyPerpendicular) Improve(BestPerpendicularTo(e, a, b, near), best);
    }
    if (!core->hull()) continue;
    // of a hull, with many edges, those that could touch: near the direction, and their arc of normals too
    const Vec3 local = core->axes.transpose() * (core == &a ? Vec3(-near) : near);
    for (const Polyhedron::Edge& edge : core->polyhedron->edges) {
      if (std::abs(edge.direction.dot(local)) > kNearlyPerpendicular) continue;
      if (edge.middle.dot(local) < edge.cos_half - kNearlyPerpendicular) continue;
      Improve(BestPerpendicularTo(core->axes * edge.direction, a, b, near), best);
    }
  }
  Improve(Polish(a, b, near), best);
}

// Whether no direction can separate the shapes more than this face's normal. True where the support point of the other
// shape stands above or below the face itself and, if below, no other part of the owner's surface is nearer to it: any
// separation is at most the signed distance of the owner from that one point.
bool IsSurelyBest(const SeparatingAxis& face, const ConvexCore& a, const ConvexCore& b) {
  const bool of_a = face.kind == Kind::kFaceOfA;
  const ConvexCore& owner = of_a ? a : b;
  const ConvexCore& other = of_a ? b : a;
  if (owner.hull()) return IsHullFaceSurelyBest(face, a, b);
  const Vec3 towards_owner = of_a ? face.normal : Vec3(-face.normal);
  const Vec3 support = other.center + SupportFromCenter(other, towards_owner) - owner.center;
  const Vec3 local = owner.axes.transpose() * support;
  const double depth = std::max(0.0, -face.separation);
  if (owner.curved()) return std::hypot(local.x(), local.y()) + depth <= owner.radius && depth <= owner.half_length;
  const Vec3 clearance = owner.half_extents - local.cwiseAbs();
  int direction = 0;
  (owner.axes.transpose() * face.normal).cwiseAbs().maxCoeff(&direction);
  return depth <= owner.half_extents(direction) && clearance((direction + 1) % 3) >= depth &&
         clearance((direction + 2) % 3) >= depth;
}

// Of a shape that is no hull; its faces come in opposite pairs, of which the one towards the other shape counts. A hull
// may have either in front.
SeparatingAxis BestFaceOf(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b) {
  const Kind kind = owner_is_a ? Kind::kFaceOfA : Kind::kFaceOfB;
  SeparatingAxis best{kind, Vec3::UnitZ(), -std::numeric_limits<double>::infinity()};
  const bool against_hull = a.hull() || b.hull();
  for (int i = owner.first_face(); i < 3; ++i) {
    const Vec3 n = TowardsA(a, b, owner.axes.col(i));
    Improve(AxisAt(a, b, n, kind), &best);
    if (against_hull) Improve(AxisAt(a, b, -n, kind), &best);
  }
  return best;
}

// The best of all faces and all pairs of lines, one of the shapes being a hull.
SeparatingAxis BestOfHullLists(const ConvexCore& a, const ConvexCore& b, const SeparatingAxis& start) {
  // a direction that separates as much as the line of centres, but not by itself a candidate
  SeparatingAxis best{Kind::kEdge, start.normal, start.separation - 2 * kAxisTie};
  for (const bool of_a : {true, false}) {
    const ConvexCore& owner = of_a ? a : b;
    if (owner.hull()) {
      ImproveByHullFaces(owner, of_a, a, b, &best);
    } else {
      Improve(BestFaceOf(owner, of_a, a, b), &best);
    }
  }
  if (a.is_polyhedron() && b.is_polyhedron()) {
    ImproveByEdgePairs(a, b, &best);
  } else {
    const bool hull_is_a = a.hull();
    const ConvexCore& hull = hull_is_a ? a : b;
    const ConvexCore& other = hull_is_a ? b : a;
    if (other.first_edge() < 3) ImproveByEdgesAgainst(hull, hull_is_a, other.axis(), a, b, &best);
  }
  return best;
}

}  // namespace

SeparatingAxis BestFaceNear(const ConvexCore& owner, bool owner_is_a, const ConvexCore& a, const ConvexCore& b,
                            const Vec3& n) {
  if (owner.hull()) return HullFaceAlong(owner, owner_is_a, a, b, n);
  if (owner.kind != ConvexCore::Kind::kBox) return BestFaceOf(owner, owner_is_a, a, b);
  int direction = 0;
  const Vec3 local = owner.axes.transpose() * n;
  local.cwiseAbs().maxCoeff(&direction);
  const double sign = local(direction) < 0 ? -1 : 1;
  return AxisAt(a, b, sign * owner.axes.col(direction), owner_is_a ? Kind::kFaceOfA : Kind::kFaceOfB);
}

SeparatingAxis FindSeparatingAxis(const ConvexCore& a, const ConvexCore& b, double most_separation) {
  const Vec3 between = a.center - b.center;
  const double distance = between.norm();
  const SeparatingAxis centers =
      AxisAt(a, b, distance > 0 ? Vec3(between / distance) : Vec3(Vec3::UnitZ()), Kind::kApart);
  if (centers.separation > most_separation) return centers;
  SeparatingAxis best;
  if (a.hull() || b.hull()) {
    best = BestOfHullLists(a, b, centers);
  } else {
    best = BestFaceOf(a, true, a, b);
    Improve(BestFaceOf(b, false, a, b), &best);
    Improve(BestOfLines(a, b), &best);
  }
  if (best.separation > most_separation) {
    best.kind = Kind::kApart;
    return best;
  }
  const bool polytopes = !a.curved() && !b.curved();
  if (polytopes && best.separation <= 0) return best;

  if (best.kind != Kind::kEdge && IsSurelyBest(best, a, b)) return best;
  const Vec3 shortest = ShortestVector(a, b);
  const double length = shortest.norm();
  if (length > 0) ImproveNear(a, b, shortest / length, &best);
  // close to contact the shortest vector is too short to have a sure direction
  if (!polytopes && length < 0.5 * kPenetrationInflation) ImproveNear(a, b, PenetrationAxis(a, b), &best);
  if (best.separation > most_separation) best.kind = Kind::kApart;
  return best;
}

}  // namespace slipstick::internal
