#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/geometry/mass_properties.h"

namespace slipstick::internal {

// A surface of triangles, each with its corners counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> triangles;
};

// What keeps the mesh from bounding a solid, all of it: corners that are not there or not finite, edges with one
// triangle alone (open), edges that two triangles pass in the same direction or that have more than two (not oriented,
// not a surface), no volume, a negative one (inside out). `key` names the mesh in the faults. Cavities are surfaces of
// their own that face inwards.
std::vector<Fault> MeshFaults(const TriangleMesh& mesh, const std::string& key);

// Of the solid that the mesh bounds, filled with a uniform density, by the divergence theorem: the signed sums (H1)
// over the tetrahedra between a point and the triangles. Exact but for rounding, convex or not. Nothing where the mesh
// has faults.
std::optional<MassProperties> MeshMassProperties(const TriangleMesh& mesh, double density);

}  // namespace slipstick::internal
