#include "slipstick/geometry/random_stone.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace slipstick::internal {
namespace {

// A stone's inner radius, in the smallest half-axis of its ellipsoid.
constexpr double kThinnestStone = 0.2;

}  // namespace

std::shared_ptr<const Polyhedron> RandomStone(const Vec3& half_axes, int points, RandomSource* random) {
  while (true) {
    std::vector<Vec3> stone;
    for (int i = 0; i < points; ++i) {
      // equal heights have equal areas on the sphere (Archimedes)
      const double height = random->Uniform(-1, 1), angle = 2 * std::numbers::pi * random->Uniform();
      const double ring = std::sqrt(1 - height * height);
      stone.push_back(half_axes.cwiseProduct(Vec3(ring * std::cos(angle), ring * std::sin(angle), height)));
    }
    const ConvexHull hull = MakeConvexHull(stone);
    // few points may by chance leave most of the ellipsoid on one side: such a splinter is no stone
    if (!hull.polyhedron || hull.polyhedron->inner_radius < kThinnestStone * half_axes.minCoeff()) continue;
    const double factor = half_axes.maxCoeff() / hull.polyhedron->outer_radius;
    for (Vec3& point : stone) point = factor * (point - hull.polyhedron->center);
    if (const ConvexHull moved = MakeConvexHull(stone); moved.polyhedron) return moved.polyhedron;
  }
}

}  // namespace slipstick::internal
