#include "slipstick/geometry/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace slipstick::internal {
namespace {

constexpr double kNoVolume = 1e-12;    // of the cube of the mesh's size
constexpr std::size_t kMostNamed = 5;  // edges named in a fault

struct Sums {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

// ∫ dV, ∫ r dV, ∫ r rᵀ dV about `origin`, (H1).
Sums Integrate(const TriangleMesh& mesh, const Vec3& origin) {
  Sums sums;
  for (const std::array<int, 3>& t : mesh.triangles) {
    const Vec3 a = mesh.corners[t[0]] - origin, b = mesh.corners[t[1]] - origin, c = mesh.corners[t[2]] - origin;
    const Vec3 s = a + b + c;
    const double volume = a.dot(b.cross(c)) / 6;
    sums.volume += volume;
    sums.first += volume / 4 * s;
    sums.second += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  return sums;
}

Vec3 Middle(const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& corner : mesh.corners) sum += corner;
  return sum / static_cast<double>(mesh.corners.size());
}

std::string Named(const std::vector<std::pair<int, int>>& edges) {
  std::string text = std::to_string(edges.size()) + (edges.size() == 1 ? " edge: " : " edges: ");
  for (std::size_t i = 0; i < std::min(edges.size(), kMostNamed); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(edges[i].first) + "–" + std::to_string(edges[i].second);
  }
  return edges.size() > kMostNamed ? text + ", …" : text;
}

}  // namespace

std::vector<Fault> MeshFaults(const TriangleMesh& mesh, const std::string& key) {
  std::vector<Fault> faults;
  const auto add = [&](const char* expected, const std::string& found) {
    faults.push_back({"", 0, key, expected, found});
  };
  const int count = static_cast<int>(mesh.corners.size());
  if (!std::all_of(mesh.corners.begin(), mesh.corners.end(), [](const Vec3& p) { return p.allFinite(); })) {
    add("finite corners", "a corner that is not");
  }
  if (mesh.triangles.empty()) add("triangles", "none");
  bool indices_are_right = true;
  for (const std::array<int, 3>& t : mesh.triangles) {
    for (const int corner : t) indices_are_right &= corner >= 0 && corner < count;
    indices_are_right &= t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
  }
  if (!indices_are_right) {
    add("triangles of three different corners, numbered from 0", "a corner that does not exist, or twice the same");
  }
  if (!faults.empty()) return faults;

  std::map<std::pair<int, int>, int> passes;  // of each edge in its direction
  for (const std::array<int, 3>& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++passes[{t[k], t[(k + 1) % 3]}];
  }
  std::vector<std::pair<int, int>> open, twice;
  for (const auto& [edge, number] : passes) {
    const auto back = passes.find({edge.second, edge.first});
    if (number > 1) {
      twice.push_back(edge);
    } else if (back == passes.end()) {
      open.push_back(edge);
    }
  }
  if (!open.empty()) add("a closed surface: each edge passed once in each direction", "open at " + Named(open));
  if (!twice.empty()) {
    add("an oriented surface: each edge passed once in each direction", "passed twice in the same: " + Named(twice));
  }
  if (!faults.empty()) return faults;

  const Vec3 middle = Middle(mesh);
  double size = 0;
  for (const Vec3& corner : mesh.corners) size = std::max(size, (corner - middle).norm());
  const double volume = Integrate(mesh, middle).volume;
  if (!(std::abs(volume) > kNoVolume * size * size * size)) {
    add("a volume", "none");
  } else if (volume < 0) {
    add("triangles counter-clockwise seen from outside", "the surface inside out, with a volume below zero");
  }
  return faults;
}

std::optional<MassProperties> MeshMassProperties(const TriangleMesh& mesh, double density) {
  if (!MeshFaults(mesh, "mesh").empty()) return std::nullopt;
  // about the middle of the corners, then about the centre of mass: far from the origin nothing cancels
  const Vec3 middle = Middle(mesh);
  const Sums sums = Integrate(mesh, middle);
  const Vec3 center = sums.first / sums.volume;
  const Mat3 second = sums.second - sums.volume * center * center.transpose();
  return MassProperties{density * sums.volume, middle + center, density * (second.trace() * Mat3::Identity() - second)};
}

}  // namespace slipstick::internal
