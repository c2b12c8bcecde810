#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "slipstick/geometry/polyhedron.h"

namespace slipstick {
namespace {

// Lengths are in units of the points' extent from here on.
constexpr double kLeastTolerance = 1e-6;
constexpr double kMostTolerance = 1e-3;
constexpr double kThinnest = 1e-4;
constexpr double kGrid = 1 << 30;  // points a unit length on which the triangulation decides exactly

// A point on a grid that is far finer than any tolerance. Whether one is above the plane of three others is then a
// matter of whole numbers, with no rounding: no surface gets holes, however many points are in one plane or nearly so.
using GridPoint = Eigen::Matrix<std::int64_t, 3, 1>;
__extension__ using WideInteger = __int128;

struct Triangle {
  std::array<int, 3> corners{};  // counter-clockwise from outside
  Vec3 normal = Vec3::Zero();    // outward, unit; zero of a sliver
  double offset = 0;
  double area = 0;
};

using Loop = std::vector<int>;

// The points in units of their extent, from the middle of their box; of points in the same place only the first.
std::vector<int> DistinctPoints(const std::vector<Vec3>& points, double tolerance) {
  std::vector<int> distinct;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const auto same = [&](int j) { return (points[i] - points[j]).squaredNorm() <= tolerance * tolerance; };
    if (std::none_of(distinct.begin(), distinct.end(), same)) distinct.push_back(i);
  }
  return distinct;
}

Triangle MakeTriangle(const std::vector<Vec3>& p, int i, int j, int k) {
  Triangle triangle;
  triangle.corners = {i, j, k};
  const Vec3 area = (p[j] - p[i]).cross(p[k] - p[i]);
  triangle.area = area.norm();
  if (triangle.area > 0) triangle.normal = area / triangle.area;
  triangle.offset = triangle.normal.dot(p[i]);
  return triangle;
}

// Four points that are far from lying in a plane; nothing where all are near one.
std::optional<std::array<int, 4>> FirstSimplex(const std::vector<Vec3>& p, const std::vector<int>& candidates) {
  const auto furthest = [&](const auto& distance) {
    return *std::max_element(candidates.begin(), candidates.end(),
                             [&](int i, int j) { return distance(p[i]) < distance(p[j]); });
  };
  const int a = furthest([&](const Vec3& x) { return (x - p[candidates[0]]).squaredNorm(); });
  const int b = furthest([&](const Vec3& x) { return (x - p[a]).squaredNorm(); });
  const Vec3 line = (p[b] - p[a]).normalized();
  const int c = furthest([&](const Vec3& x) { return (x - p[a]).cross(line).squaredNorm(); });
  const Vec3 normal = line.cross(p[c] - p[a]).normalized();
  const int d = furthest([&](const Vec3& x) { return std::abs(normal.dot(x - p[a])); });
  if (!(std::abs(normal.dot(p[d] - p[a])) > kThinnest)) return std::nullopt;
  return std::array<int, 4>{a, b, c, d};
}

// Whether x is strictly on the side of the plane of a, b, c from which these are counter-clockwise. Differences have 31
// bits, cross products 62, the sum 94.
bool IsAbove(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& x) {
  const GridPoint normal = (b - a).cross(c - a), d = x - a;
  WideInteger sum = 0;
  for (int i = 0; i < 3; ++i) sum += static_cast<WideInteger>(normal(i)) * d(i);
  return sum > 0;
}

// The hull in triangles: from a tetrahedron on, each point outside replaces the triangles that it sees by a cone to
// their outline. Points far from the middle come first, so that most others are inside by then.
std::vector<Triangle> Triangulate(const std::vector<Vec3>& p, const std::array<int, 4>& first,
                                  const std::vector<int>& candidates) {
  const auto [a, b, c, d] = first;
  std::vector<GridPoint> grid;
  grid.reserve(p.size());
  for (const Vec3& point : p) grid.push_back((kGrid * point).array().round().cast<std::int64_t>());
  const bool above = IsAbove(grid[a], grid[b], grid[c], grid[d]);
  std::vector<Triangle> hull;
  for (const std::array<int, 3>& f :
       {std::array{a, b, c}, std::array{a, d, b}, std::array{b, d, c}, std::array{c, d, a}}) {
    hull.push_back(MakeTriangle(p, f[0], above ? f[2] : f[1], above ? f[1] : f[2]));
  }
  std::vector<int> order = candidates;
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return p[i].squaredNorm() > p[j].squaredNorm(); });
  std::vector<std::pair<int, int>> outline;
  for (const int i : order) {
    outline.clear();
    const auto seen = [&](const Triangle& t) {
      return IsAbove(grid[t.corners[0]], grid[t.corners[1]], grid[t.corners[2]], grid[i]);
    };
    for (const Triangle& t : hull) {
      if (!seen(t)) continue;
      for (int side = 0; side < 3; ++side) {
        const std::pair<int, int> edge(t.corners[side], t.corners[(side + 1) % 3]);
        // an edge of two triangles that are seen, once in each direction, is inside the outline
        const auto twin = std::find(outline.begin(), outline.end(), std::pair(edge.second, edge.first));
        if (twin == outline.end()) {
          outline.push_back(edge);
        } else {
          outline.erase(twin);
        }
      }
    }
    if (outline.empty()) continue;
    std::erase_if(hull, seen);
    for (const auto& [from, to] : outline) hull.push_back(MakeTriangle(p, from, to, i));
  }
  return hull;
}

// Outline of points in a plane, counter-clockwise seen against the normal (Andrew's monotone chain); points within the
// tolerance of a straight line between others are left out.
Loop PlanarOutline(const std::vector<Vec3>& p, const std::vector<int>& members, const Vec3& normal, double tolerance) {
  const Vec3 x = normal.unitOrthogonal();
  const Vec3 y = normal.cross(x);
  const auto at = [&](int i) { return Vec2(x.dot(p[i]), y.dot(p[i])); };
  // whether b is to the right of the way from a straight to c
  const auto turns_left = [&](int a, int b, int c) {
    const Vec2 chord = at(c) - at(a), from = at(b) - at(a);
    return chord.x() * from.y() - chord.y() * from.x() < -tolerance * chord.norm();
  };
  Loop sorted = members;
  std::sort(sorted.begin(), sorted.end(),
            [&](int i, int j) { return at(i).x() != at(j).x() ? at(i).x() < at(j).x() : at(i).y() < at(j).y(); });
  Loop loop;
  for (int pass = 0; pass < 2; ++pass) {  // from left to right below, and back above
    const std::size_t begin = loop.size();
    for (const int i : sorted) {
      while (loop.size() >= begin + 2 && !turns_left(loop[loop.size() - 2], loop.back(), i)) loop.pop_back();
      loop.push_back(i);
    }
    loop.pop_back();
    std::reverse(sorted.begin(), sorted.end());
  }
  return loop;
}

struct Surface {
  std::vector<Vec3> normals;  // of the faces
  std::vector<Loop> loops;
  std::vector<int> no_corners;  // points that lie on a face but are not among its corners
};

// Triangles in one plane become one face.
Surface MergeTriangles(const std::vector<Vec3>& p, std::vector<Triangle> triangles, double tolerance) {
  // the largest triangles have the surest normals
  std::stable_sort(triangles.begin(), triangles.end(),
                   [](const Triangle& s, const Triangle& t) { return s.area > t.area; });
  std::vector<int> used;
  for (const Triangle& t : triangles) used.insert(used.end(), t.corners.begin(), t.corners.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  Surface surface;
  std::vector<bool> merged(triangles.size(), false);
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const Triangle& plane = triangles[k];
    if (merged[k] || !(plane.area > tolerance * tolerance)) continue;
    std::vector<int> members;
    for (const int i : used) {
      if (std::abs(plane.normal.dot(p[i]) - plane.offset) <= tolerance) members.push_back(i);
    }
    for (std::size_t other = k; other < triangles.size(); ++other) {
      const auto& corners = triangles[other].corners;
      const bool inside = std::all_of(corners.begin(), corners.end(),
                                      [&](int i) { return std::binary_search(members.begin(), members.end(), i); });
      if (inside) merged[other] = true;
    }
    const Loop loop = PlanarOutline(p, members, plane.normal, tolerance);
    for (const int i : members) {
      if (std::find(loop.begin(), loop.end(), i) == loop.end()) surface.no_corners.push_back(i);
    }
    surface.normals.push_back(plane.normal);
    surface.loops.push_back(loop);
  }
  return surface;
}

// Whether each side of a face is the side of exactly one other, run through in the opposite direction, and the whole is
// one piece: corners − edges + faces = 2 (Euler).
bool IsClosed(const Surface& surface) {
  std::vector<std::pair<int, int>> sides;
  std::vector<int> corners;
  for (const Loop& loop : surface.loops) {
    if (loop.size() < 3) return false;
    for (std::size_t k = 0; k < loop.size(); ++k) sides.push_back({loop[k], loop[(k + 1) % loop.size()]});
    corners.insert(corners.end(), loop.begin(), loop.end());
  }
  std::sort(sides.begin(), sides.end());
  if (std::adjacent_find(sides.begin(), sides.end()) != sides.end()) return false;
  for (const auto& [from, to] : sides) {
    if (!std::binary_search(sides.begin(), sides.end(), std::pair(to, from))) return false;
  }
  std::sort(corners.begin(), corners.end());
  const auto distinct = std::unique(corners.begin(), corners.end()) - corners.begin();
  return distinct + static_cast<std::ptrdiff_t>(surface.loops.size()) ==
         static_cast<std::ptrdiff_t>(sides.size() / 2) + 2;
}

// Nothing where the tolerance leaves no closed surface.
std::optional<Surface> FindSurface(const std::vector<Vec3>& p, double tolerance) {
  std::vector<int> candidates = DistinctPoints(p, tolerance);
  while (candidates.size() >= 4) {
    const auto first = FirstSimplex(p, candidates);
    if (!first) return std::nullopt;
    Surface surface = MergeTriangles(p, Triangulate(p, *first, candidates), tolerance);
    if (surface.no_corners.empty()) return IsClosed(surface) ? std::optional(surface) : std::nullopt;
    std::erase_if(candidates, [&](int i) {
      return std::find(surface.no_corners.begin(), surface.no_corners.end(), i) != surface.no_corners.end();
    });
  }
  return std::nullopt;
}

// Whether no point is above a face by more than what was taken for flat, a few times over.
bool HoldsAll(const std::vector<Vec3>& p, const Surface& surface, double tolerance) {
  for (std::size_t f = 0; f < surface.loops.size(); ++f) {
    const double offset = surface.normals[f].dot(p[surface.loops[f][0]]);
    const auto above = [&](const Vec3& x) { return surface.normals[f].dot(x) - offset > 5 * tolerance; };
    if (std::any_of(p.begin(), p.end(), above)) return false;
  }
  return true;
}

// Corners in the order of the points, faces, and the edges between them.
void FillSurface(std::span<const Vec3> points, const Surface& surface, Polyhedron* polyhedron) {
  std::vector<int> corner_of(points.size(), -1);
  for (const Loop& loop : surface.loops) {
    for (const int i : loop) corner_of[i] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (corner_of[i] < 0) continue;
    corner_of[i] = static_cast<int>(polyhedron->corners.size());
    polyhedron->corners.push_back(points[i]);
  }
  std::map<std::pair<int, int>, int> edge_of;
  for (std::size_t f = 0; f < surface.loops.size(); ++f) {
    const Loop& loop = surface.loops[f];
    Polyhedron::Face face{surface.normals[f], 0, static_cast<int>(polyhedron->loops.size()),
                          static_cast<int>(loop.size())};
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = corner_of[loop[k]], to = corner_of[loop[(k + 1) % loop.size()]];
      polyhedron->loops.push_back(from);
      const auto [edge, is_new] = edge_of.insert({std::minmax(from, to), static_cast<int>(polyhedron->edges.size())});
      polyhedron->loop_edges.push_back(edge->second);
      if (is_new) {
        Polyhedron::Edge added;
        added.from = from;
        added.to = to;
        added.left = static_cast<int>(f);
        polyhedron->edges.push_back(added);
      } else {
        polyhedron->edges[edge->second].right = static_cast<int>(f);
      }
    }
    polyhedron->faces.push_back(face);
  }
}

// What follows from corners, loops and edges.
void FillPlanes(Polyhedron* polyhedron) {
  for (Polyhedron::Face& face : polyhedron->faces) {
    // Newell: the sum of the loop's cross products is its area, better than any triangle's normal
    const Vec3 origin = polyhedron->corners[polyhedron->loops[face.first]];
    Vec3 area = Vec3::Zero();
    for (int k = 1; k + 1 < face.count; ++k) {
      area += (polyhedron->corners[polyhedron->loops[face.first + k]] - origin)
                  .cross(polyhedron->corners[polyhedron->loops[face.first + k + 1]] - origin);
    }
    face.normal = area.normalized();
    face.offset = face.normal.dot(origin);
    for (int k = 0; k < face.count; ++k) {
      face.offset = std::max(face.offset, face.normal.dot(polyhedron->corners[polyhedron->loops[face.first + k]]));
    }
  }
  for (Polyhedron::Edge& edge : polyhedron->edges) {
    edge.direction = (polyhedron->corners[edge.to] - polyhedron->corners[edge.from]).normalized();
    const Vec3 sum = polyhedron->faces[edge.left].normal + polyhedron->faces[edge.right].normal;
    edge.middle = sum.normalized();
    edge.cos_half = std::min(1.0, 0.5 * sum.norm());
    edge.sin_half = std::sqrt(1 - edge.cos_half * edge.cos_half);
  }
}

// By tetrahedra from one corner to the triangles of all faces. A tetrahedron with a corner at the origin and the others
// at a, b, c has V = a·(b × c)/6, its centre of mass at s/4 with s = a + b + c, and
// ∫ r rᵀ dV = V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ) (Tonon 2004, J. Math. Stat. 1, 8).
void FillMass(Polyhedron* polyhedron) {
  const Vec3 origin = polyhedron->corners[0];
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Polyhedron::Face& face : polyhedron->faces) {
    const auto corner = [&](int k) { return Vec3(polyhedron->corners[polyhedron->loops[face.first + k]] - origin); };
    for (int k = 1; k + 1 < face.count; ++k) {
      const Vec3 a = corner(0), b = corner(k), c = corner(k + 1);
      const Vec3 s = a + b + c;
      const double volume = a.dot(b.cross(c)) / 6;
      polyhedron->volume += volume;
      first += volume / 4 * s;
      second += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  const Vec3 center = first / polyhedron->volume;
  polyhedron->center = origin + center;
  polyhedron->second_moment = second - polyhedron->volume * center * center.transpose();
}

void FillRadii(Polyhedron* polyhedron) {
  polyhedron->inner_radius = std::numeric_limits<double>::infinity();
  for (const Polyhedron::Face& face : polyhedron->faces) {
    polyhedron->inner_radius = std::min(polyhedron->inner_radius, face.offset - face.normal.dot(polyhedron->center));
  }
  polyhedron->centred.resize(3, static_cast<Eigen::Index>(polyhedron->corners.size()));
  for (std::size_t i = 0; i < polyhedron->corners.size(); ++i) {
    const Vec3 from = polyhedron->corners[i] - polyhedron->center;
    polyhedron->centred.col(static_cast<Eigen::Index>(i)) = from;
    polyhedron->outer_radius = std::max(polyhedron->outer_radius, from.norm());
    polyhedron->reach = std::max(polyhedron->reach, polyhedron->corners[i].norm());
  }
}

}  // namespace

ConvexHull MakeConvexHull(std::span<const Vec3> points) {
  if (points.size() < 4) return {nullptr, "four points at least"};
  if (points.size() > kMostHullPoints) return {nullptr, "at most " + std::to_string(kMostHullPoints) + " points"};
  Vec3 least = points[0], most = points[0];
  for (const Vec3& point : points) {
    if (!point.allFinite()) return {nullptr, "finite coordinates"};
    least = least.cwiseMin(point);
    most = most.cwiseMax(point);
  }
  const double extent = (most - least).maxCoeff();
  const char* const flat = "points that are not all in one plane";
  if (!(extent > 0) || !std::isfinite(extent)) return {nullptr, flat};
  std::vector<Vec3> p;
  for (const Vec3& point : points) p.push_back((point - 0.5 * (least + most)) / extent);
  std::vector<int> all(p.size());
  std::iota(all.begin(), all.end(), 0);
  if (!FirstSimplex(p, all)) return {nullptr, flat};
  for (double tolerance = kLeastTolerance; tolerance < 1.5 * kMostTolerance; tolerance *= 10) {
    const std::optional<Surface> surface = FindSurface(p, tolerance);
    if (!surface || !HoldsAll(p, *surface, tolerance)) continue;
    auto polyhedron = std::make_shared<Polyhedron>();
    FillSurface(points, *surface, polyhedron.get());
    FillPlanes(polyhedron.get());
    FillMass(polyhedron.get());
    FillRadii(polyhedron.get());
    if (polyhedron->volume > 0 && polyhedron->inner_radius > 0) return {polyhedron, ""};
  }
  return {nullptr, "points whose hull has faces, edges and corners that can be told apart"};
}

const Polyhedron::Face& HighestFace(const Polyhedron& polyhedron, const Vec3& p) {
  const Polyhedron::Face* highest = &polyhedron.faces.front();
  double height = -std::numeric_limits<double>::infinity();
  for (const Polyhedron::Face& face : polyhedron.faces) {
    const double above = face.normal.dot(p) - face.offset;
    if (above <= height) continue;
    height = above;
    highest = &face;
  }
  return *highest;
}

bool IsAboveFace(const Polyhedron& polyhedron, const Polyhedron::Face& face, const Vec3& p) {
  for (int k = 0; k < face.count; ++k) {
    const Vec3& from = polyhedron.corners[polyhedron.loops[face.first + k]];
    const Vec3& to = polyhedron.corners[polyhedron.loops[face.first + (k + 1 < face.count ? k + 1 : 0)]];
    if ((to - from).cross(face.normal).dot(p - from) > 0) return false;
  }
  return true;
}

std::shared_ptr<const Polyhedron> Scaled(const Polyhedron& polyhedron, double factor) {
  auto scaled = std::make_shared<Polyhedron>(polyhedron);
  for (Vec3& corner : scaled->corners) corner *= factor;
  for (Polyhedron::Face& face : scaled->faces) face.offset *= factor;
  const double cube = factor * factor * factor;
  scaled->volume *= cube;
  scaled->center *= factor;
  scaled->second_moment *= cube * factor * factor;
  scaled->inner_radius *= factor;
  scaled->outer_radius *= factor;
  scaled->reach *= factor;
  scaled->centred *= factor;
  return scaled;
}

}  // namespace slipstick
