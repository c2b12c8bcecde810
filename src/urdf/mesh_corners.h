#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

struct MeshCorners {
  std::vector<Vec3> corners;  // of the convex hull
  std::string fault;          // why there are none
  bool is_flat = false;       // that is why: they are there, but have no volume
};

// The corners of the convex hull of a mesh file (STL, OBJ, Collada …), multiplied by `scale` axis by axis. Hulls of
// more than 400 corners are replaced by the hull of those that are furthest in as many directions, spread evenly.
MeshCorners ReadMeshCorners(const std::filesystem::path& file, const Vec3& scale);

}  // namespace slipstick::internal
