#pragma once

#include <array>
#include <vector>

#include "slipstick/geometry/shape.h"

namespace slipstick::internal {

// The surface of a shape as triangles, for whoever draws it. Corners are shared by the triangles that meet there, and
// each triangle runs counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  bool is_round = false;  // the triangles stand for a curved surface

  // Of what the surface encloses (Gauss: the sum of the tetrahedra from the origin).
  double Volume() const;
};

struct MeshDetail {
  int sides = 24;               // of what is round, around its axis; a multiple of 4, at least 4
  double plane_half_width = 1;  // m; the plane has no end, what is drawn of it has
};

// Closed for all shapes but the plane, of which it is one square about the origin. Round shapes are inscribed: corners
// are on the surface. A disk has its two sides.
SurfaceMesh MeshOf(const ShapeGeometry& geometry, const MeshDetail& detail);

// The same surface with a normal in every corner: that of its face on flat ones, smoothed on round ones. A corner is
// divided where its triangles need different normals.
struct ShadedMesh {
  std::vector<Vec3> points, normals;
  std::vector<std::array<int, 3>> triangles;
};
ShadedMesh Shaded(const SurfaceMesh& mesh);

}  // namespace slipstick::internal
