#include "slipstick/urdf/mesh_corners.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <fstream>

#include "slipstick/geometry/polyhedron.h"

namespace slipstick::internal {
namespace {

constexpr int kMostCorners = 400;
constexpr std::uintmax_t kLargestMesh = std::uintmax_t{256} << 20;  // bytes

void Collect(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above, const Vec3& scale,
             std::vector<Vec3>* points) {
  const aiMatrix4x4 pose = above * node.mTransformation;
  for (unsigned m = 0; m < node.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[m]];
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D p = pose * mesh.mVertices[v];
      points->push_back(Vec3(p.x, p.y, p.z).cwiseProduct(scale));
    }
  }
  for (unsigned c = 0; c < node.mNumChildren; ++c) Collect(scene, *node.mChildren[c], pose, scale, points);
}

// The furthest point in each of so many directions, which a spiral from pole to pole spreads evenly.
std::vector<Vec3> Furthest(const std::vector<Vec3>& points, int directions) {
  std::vector<std::size_t> chosen;
  const double turn = M_PI * (3 - std::sqrt(5.0));
  for (int k = 0; k < directions; ++k) {
    const double z = 1 - (2 * k + 1.0) / directions, r = std::sqrt(1 - z * z);
    const Vec3 direction(r * std::cos(turn * k), r * std::sin(turn * k), z);
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (direction.dot(points[i]) > direction.dot(points[best])) best = i;
    }
    chosen.push_back(best);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Vec3> corners;
  corners.reserve(chosen.size());
  for (const std::size_t i : chosen) corners.push_back(points[i]);
  return corners;
}

std::string FirstLine(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line(40, 0);
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  return line;
}

}  // namespace

MeshCorners ReadMeshCorners(const std::filesystem::path& file, const Vec3& scale) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {{}, "there is no such file"};
  if (std::filesystem::file_size(file, error) > kLargestMesh) return {{}, "it is larger than 256 MB"};
  Assimp::Importer importer;
  // the scene of a Collada file is turned by its own "up" and unit otherwise, which URDF does not mean
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(file.string(), 0);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    const bool is_pointer = FirstLine(file).starts_with("version https://git-lfs");
    return {{}, is_pointer ? "a pointer of Git LFS in place of the mesh: git lfs pull" : importer.GetErrorString()};
  }
  std::vector<Vec3> points;
  Collect(*scene, *scene->mRootNode, aiMatrix4x4(), scale, &points);
  for (const Vec3& point : points) {
    if (!point.allFinite()) return {{}, "a corner is not finite"};
  }
  if (points.empty()) return {{}, "it has no corners"};
  if (points.size() > static_cast<std::size_t>(kMostCorners)) points = Furthest(points, kMostCorners);
  const ConvexHull hull = MakeConvexHull(points);
  if (!hull.polyhedron) return {{}, hull.fault, true};
  return {hull.polyhedron->corners, ""};
}

}  // namespace slipstick::internal
