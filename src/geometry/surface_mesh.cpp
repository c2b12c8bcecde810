#include "slipstick/geometry/surface_mesh.h"

#include <cmath>
#include <numbers>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

// Triangles are smoothed over where they meet at less than this. Of a round surface it is 80°: those around a corner of
// an 8-sided sphere meet at up to 65°, the side and the ends of a cylinder at 90°. Of a flat one it only tells the same
// face.
constexpr double kRoundCosine = 0.17, kFlatCosine = 1 - 1e-9;

// The surface that a line in the half-plane (r, z), r ≥ 0, makes when it turns about z. The line starts and ends on the
// axis and goes upwards outside, so that the surface is closed and its faces look outward.
SurfaceMesh Revolved(const std::vector<Vec2>& line, int sides) {
  SurfaceMesh mesh;
  mesh.is_round = true;
  const int rings = static_cast<int>(line.size()) - 2;
  mesh.points.emplace_back(0, 0, line.front().y());
  for (int ring = 0; ring < rings; ++ring) {
    for (int side = 0; side < sides; ++side) {
      const double angle = 2 * std::numbers::pi * side / sides;
      const Vec2& at = line[ring + 1];
      mesh.points.emplace_back(at.x() * std::cos(angle), at.x() * std::sin(angle), at.y());
    }
  }
  mesh.points.emplace_back(0, 0, line.back().y());
  const int top = static_cast<int>(mesh.points.size()) - 1;
  const auto corner = [&](int ring, int side) { return 1 + ring * sides + side % sides; };
  for (int side = 0; side < sides; ++side) {
    mesh.triangles.push_back({0, corner(0, side + 1), corner(0, side)});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      const int a = corner(ring, side), b = corner(ring, side + 1);
      const int c = corner(ring + 1, side + 1), d = corner(ring + 1, side);
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
    mesh.triangles.push_back({top, corner(rings - 1, side), corner(rings - 1, side + 1)});
  }
  return mesh;
}

// From one pole to the other; the half-spheres are `lift` above and below the middle.
std::vector<Vec2> RoundProfile(double radius, double lift, int sides) {
  std::vector<Vec2> line;
  const int quarter = sides / 4;
  for (int i = 0; i <= quarter; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / quarter;
    line.emplace_back(i == 0 ? 0 : radius * std::sin(angle), -lift - (i == quarter ? 0 : radius * std::cos(angle)));
  }
  const int last = lift > 0 ? quarter : quarter - 1;  // with no lift both halves share the equator
  for (int i = last; i >= 0; --i) line.emplace_back(line[i].x(), -line[i].y());
  return line;
}

struct MeshMaker {
  MeshDetail detail;

  SurfaceMesh operator()(const Plane&) const {
    const double w = detail.plane_half_width;
    return {{{-w, -w, 0}, {w, -w, 0}, {w, w, 0}, {-w, w, 0}}, {{0, 1, 2}, {0, 2, 3}}, false};
  }
  SurfaceMesh operator()(const Sphere& sphere) const {
    return Revolved(RoundProfile(sphere.radius, 0, detail.sides), detail.sides);
  }
  SurfaceMesh operator()(const Capsule& capsule) const {
    return Revolved(RoundProfile(capsule.radius, capsule.half_length, detail.sides), detail.sides);
  }
  SurfaceMesh operator()(const Cylinder& cylinder) const {
    const double r = cylinder.radius, h = cylinder.half_length;
    return Revolved({{0, -h}, {r, -h}, {r, h}, {0, h}}, detail.sides);
  }
  SurfaceMesh operator()(const Disk& disk) const { return Revolved({{0, 0}, {disk.radius, 0}, {0, 0}}, detail.sides); }
  SurfaceMesh operator()(const Box& box) const {
    SurfaceMesh mesh;
    for (int i = 0; i < 8; ++i) {
      const Vec3 signs((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1);
      mesh.points.emplace_back(signs.cwiseProduct(box.half_extents));
    }
    constexpr int kFaces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& face : kFaces) {
      mesh.triangles.push_back({face[0], face[1], face[2]});
      mesh.triangles.push_back({face[0], face[2], face[3]});
    }
    return mesh;
  }
  SurfaceMesh operator()(const Hull& hull) const {
    SurfaceMesh mesh;
    mesh.points = hull.polyhedron->corners;
    for (const Polyhedron::Face& face : hull.polyhedron->faces) {
      const int* loop = &hull.polyhedron->loops[face.first];
      for (int k = 1; k + 1 < face.count; ++k) mesh.triangles.push_back({loop[0], loop[k], loop[k + 1]});
    }
    return mesh;
  }
};

// Unit normal of the triangle, outward.
Vec3 NormalOf(const SurfaceMesh& mesh, const std::array<int, 3>& triangle) {
  const Vec3& a = mesh.points[triangle[0]];
  return (mesh.points[triangle[1]] - a).cross(mesh.points[triangle[2]] - a).normalized();
}

// Angle of the triangle in one of its corners.
double AngleAt(const SurfaceMesh& mesh, const std::array<int, 3>& triangle, int corner) {
  int k = 0;
  while (triangle[k] != corner) ++k;
  const Vec3 u = mesh.points[triangle[(k + 1) % 3]] - mesh.points[corner];
  const Vec3 v = mesh.points[triangle[(k + 2) % 3]] - mesh.points[corner];
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

}  // namespace

double SurfaceMesh::Volume() const {
  double volume = 0;
  for (const auto& [a, b, c] : triangles) volume += points[a].dot(points[b].cross(points[c])) / 6;
  return volume;
}

SurfaceMesh MeshOf(const ShapeGeometry& geometry, const MeshDetail& detail) {
  SLIPSTICK_CHECK(detail.sides >= 4 && detail.sides % 4 == 0, "a multiple of four");
  return std::visit(MeshMaker{detail}, geometry);
}

ShadedMesh Shaded(const SurfaceMesh& mesh) {
  std::vector<Vec3> normals;
  std::vector<std::vector<int>> around(mesh.points.size());  // triangles that meet in a corner
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    normals.push_back(NormalOf(mesh, mesh.triangles[t]));
    for (const int corner : mesh.triangles[t]) around[corner].push_back(static_cast<int>(t));
  }
  const double least_cosine = mesh.is_round ? kRoundCosine : kFlatCosine;
  ShadedMesh shaded;
  std::vector<std::vector<int>> parts(mesh.points.size());  // of a corner that was divided
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<int, 3> triangle{};
    for (int k = 0; k < 3; ++k) {
      const int corner = mesh.triangles[t][k];
      Vec3 sum = Vec3::Zero();
      // by angles, so that it does not matter how a face was divided into triangles
      for (const int other : around[corner]) {
        if (normals[other].dot(normals[t]) < least_cosine) continue;
        sum += AngleAt(mesh, mesh.triangles[other], corner) * normals[other];
      }
      const Vec3 normal = sum.norm() > 0 ? Vec3(sum.normalized()) : Vec3::UnitZ();
      int at = -1;
      for (const int part : parts[corner]) {
        if ((shaded.normals[part] - normal).squaredNorm() < 1e-12) at = part;
      }
      if (at < 0) {
        at = static_cast<int>(shaded.points.size());
        shaded.points.push_back(mesh.points[corner]);
        shaded.normals.push_back(normal);
        parts[corner].push_back(at);
      }
      triangle[k] = at;
    }
    shaded.triangles.push_back(triangle);
  }
  return shaded;
}

}  // namespace slipstick::internal
