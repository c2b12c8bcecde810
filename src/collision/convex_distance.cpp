#include "slipstick/collision/convex_distance.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace slipstick::internal {
namespace {

// Up to four points; which of them span the face that holds the point closest to the origin.
struct Simplex {
  std::array<Vec3, 4> points;
  int count = 0;
};

// Closest point to the origin on the segment, triangle or tetrahedron; keeps only the points that it is a combination
// of. Faces are tried by Voronoi regions as in Ericson, Real-Time Collision Detection, 5.1.
Vec3 ReduceSegment(const Vec3& a, const Vec3& b, Simplex* kept) {
  const Vec3 ab = b - a;
  const double t = -a.dot(ab);
  const double length = ab.squaredNorm();
  kept->count = 1;
  if (t <= 0 || !(length > 0)) return kept->points[0] = a;
  if (t >= length) return kept->points[0] = b;
  kept->count = 2;
  kept->points[0] = a;
  kept->points[1] = b;
  return a + t / length * ab;
}

Vec3 ReduceTriangle(const Vec3& a, const Vec3& b, const Vec3& c, Simplex* kept) {
  const Vec3 normal = (b - a).cross(c - a);
  const double area = normal.squaredNorm();
  // twice the areas of the triangles that the origin's projection makes with the sides, over twice the whole
  const double u = b.cross(c).dot(normal);
  const double v = c.cross(a).dot(normal);
  const double w = a.cross(b).dot(normal);
  if (area > 0 && u > 0 && v > 0 && w > 0) {
    kept->count = 3;
    kept->points = {a, b, c, Vec3::Zero()};
    return normal * (a.dot(normal) / area);
  }
  Vec3 best = ReduceSegment(a, b, kept);
  for (const auto& [p, q] : {std::pair(b, c), std::pair(c, a)}) {
    Simplex other;
    const Vec3 closest = ReduceSegment(p, q, &other);
    if (closest.squaredNorm() < best.squaredNorm()) {
      best = closest;
      *kept = other;
    }
  }
  return best;
}

Vec3 ReduceTetrahedron(const std::array<Vec3, 4>& p, Simplex* kept) {
  Vec3 best = Vec3::Zero();
  double least = std::numeric_limits<double>::infinity();
  bool outside = false;
  for (int i = 0; i < 4; ++i) {
    const Vec3& a = p[(i + 1) % 4];
    const Vec3& b = p[(i + 2) % 4];
    const Vec3& c = p[(i + 3) % 4];
    const Vec3 normal = (b - a).cross(c - a);
    // the origin and the fourth point on different sides of this face, or no side to tell
    const double of_origin = -a.dot(normal);
    const double of_fourth = (p[i] - a).dot(normal);
    if (of_origin * of_fourth > 0) continue;
    outside = true;
    Simplex other;
    const Vec3 closest = ReduceTriangle(a, b, c, &other);
    if (closest.squaredNorm() < least) {
      least = closest.squaredNorm();
      best = closest;
      *kept = other;
    }
  }
  if (!outside) kept->count = 4;
  return best;
}

Vec3 Reduce(Simplex* simplex) {
  const std::array<Vec3, 4> p = simplex->points;
  switch (simplex->count) {
    case 1:
      return p[0];
    case 2:
      return ReduceSegment(p[0], p[1], simplex);
    case 3:
      return ReduceTriangle(p[0], p[1], p[2], simplex);
    default:
      return ReduceTetrahedron(p, simplex);
  }
}

}  // namespace

Vec3 ShortestVector(const ConvexCore& a, const ConvexCore& b) {
  constexpr int kMostIterations = 64;
  constexpr double kRelativeGap = 1e-13;     // between |v|² and its lower bound v·w
  constexpr double kTouchingSquare = 1e-24;  // relative to the largest support point met
  Vec3 v = a.center - b.center;
  if (!(v.squaredNorm() > 0)) return Vec3::Zero();
  Simplex simplex;
  double largest = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const Vec3 w = SupportDifference(a, b, v);
    largest = std::max(largest, w.squaredNorm());
    if (iteration > 0 && v.squaredNorm() - v.dot(w) <= kRelativeGap * v.squaredNorm()) return v;
    simplex.points[simplex.count++] = w;
    const Vec3 closer = Reduce(&simplex);
    if (simplex.count == 4 || closer.squaredNorm() <= kTouchingSquare * largest) return Vec3::Zero();
    // rounding leaves no progress to make
    if (iteration > 0 && closer.squaredNorm() >= v.squaredNorm()) return v;
    v = closer;
  }
  return v;
}

}  // namespace slipstick::internal
