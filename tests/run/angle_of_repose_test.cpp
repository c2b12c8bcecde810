#include "slipstick/measure/angle_of_repose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <unordered_map>

#include "slipstick/base/random_source.h"

namespace slipstick::internal {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// Spheres put at random, one after the other, wherever they overlap none of those before and lie inside a body of
// height top(r) about the z axis, until nothing fits any more.
template <typename Top>
std::vector<PileGrain> Pack(double extent, Top top, double least, double most, std::uint64_t seed) {
  RandomSource random(seed);
  std::vector<PileGrain> grains;
  const double cell = 2 * most;
  std::unordered_map<long, std::vector<int>> cells;
  const auto key = [&](double x, double y, double z) {
    const auto number = [&](double c) { return static_cast<long>(std::floor(c / cell)) + 500; };
    return (number(x) * 1000 + number(y)) * 1000 + number(z);
  };
  const double height = top(0.0);
  for (int misses = 0; misses < 2000;) {
    const double radius = random.Uniform(least, most);
    const Vec3 p(random.Uniform(-extent, extent), random.Uniform(-extent, extent), random.Uniform(radius, height));
    // below the surface by a radius at the steepest of these cones
    bool free = p.z() + radius <= top(p.head<2>().norm());
    for (int dx = -1; dx <= 1 && free; ++dx)
      for (int dy = -1; dy <= 1 && free; ++dy)
        for (int dz = -1; dz <= 1 && free; ++dz) {
          const auto found = cells.find(key(p.x() + dx * cell, p.y() + dy * cell, p.z() + dz * cell));
          if (found == cells.end()) continue;
          for (int other : found->second)
            free = free && (grains[other].center - p).norm() >= grains[other].radius + radius;
        }
    misses = free ? 0 : misses + 1;
    if (!free) continue;
    cells[key(p.x(), p.y(), p.z())].push_back(static_cast<int>(grains.size()));
    grains.push_back({p, radius});
  }
  return grains;
}

// The same body filled densely with the grains' centres: a face-centred cubic lattice turned at random, so that no
// layer is level, and shaken a little.
template <typename Top>
std::vector<PileGrain> Fill(double extent, Top top, double radius, std::uint64_t seed) {
  RandomSource random(seed);
  const Quat turn = random.Rotation();
  const double shake = 0.03 * radius, side = 2 * (radius + shake) * std::numbers::sqrt2;
  const int n = static_cast<int>(2 * extent / side) + 2;
  std::vector<PileGrain> grains;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = -n; k <= n; ++k)
        for (const Vec3& corner : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.5, 0, 0.5), Vec3(0, 0.5, 0.5)}) {
          Vec3 p = turn * (side * (Vec3(i, j, k) + corner));
          if (p.z() < -side || p.z() > top(0.0) + side || p.cwiseAbs().maxCoeff() > 2 * extent) continue;
          for (double& coordinate : p) coordinate += shake * random.Uniform(-0.5, 0.5);
          if (p.head<2>().cwiseAbs().maxCoeff() > extent || p.z() < 0) continue;
          if (p.z() < top(p.head<2>().norm())) grains.push_back({p, radius});
        }
  return grains;
}

class Cone : public ::testing::TestWithParam<int> {};

TEST_P(Cone, HasItsAngle) {
  const double slope = std::tan(GetParam() * kDegree);
  const auto top = [&](double r) { return std::max(0.0, slope * (1 - r)); };
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto grains = Fill(1, top, 0.0225, seed);
    ASSERT_GT(grains.size(), 500u);
    const PileShape shape = MeasurePile(grains, {});
    EXPECT_NEAR(shape.angle / kDegree, GetParam(), 1.5) << grains.size() << " grains, seed " << seed;
    EXPECT_LT(shape.radius, 1.1);
    EXPECT_LT(shape.deviation, 0.02);
  }
  // loose, with holes; below 10° too few lie on each other
  if (GetParam() < 10) return;
  const auto loose = Pack(1, top, 0.02, 0.02, 1);
  EXPECT_NEAR(MeasurePile(loose, {}).angle / kDegree, GetParam(), 1.5) << loose.size() << " loose grains";
}
INSTANTIATE_TEST_SUITE_P(Angles, Cone, ::testing::Values(5, 10, 15, 20, 25, 30, 35));

TEST(AngleOfRepose, GrainsOfDifferentSizes) {
  const double slope = std::tan(20 * kDegree);
  const auto grains = Pack(
      1, [&](double r) { return std::max(0.0, slope * (1 - r)); }, 0.015, 0.03, 5);
  EXPECT_NEAR(MeasurePile(grains, {}).angle / kDegree, 20, 1.5);
}

TEST(AngleOfRepose, FlatBedInABox) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto grains = Pack(
        0.8, [](double) { return 0.2; }, 0.02, 0.02, seed);
    PileSettings settings;
    settings.reach = 0.8;
    const PileShape shape = MeasurePile(grains, settings);
    EXPECT_NEAR(shape.angle / kDegree, 0, 0.5);
    EXPECT_NEAR(shape.radius, 0.8, 0.04);
    EXPECT_NEAR(shape.height, 0.2, 0.03);  // centres up to 0.2, and the quantile of a bumpy surface
  }
}

// Where the pile stands, and what lies about it, does not matter.
TEST(AngleOfRepose, AxisFloorAndStrayGrains) {
  const double slope = std::tan(25 * kDegree);
  auto grains = Pack(
      1, [&](double r) { return std::max(0.0, slope * (1 - r)); }, 0.02, 0.02, 9);
  const PileShape before = MeasurePile(grains, {});
  for (PileGrain& grain : grains) grain.center += Vec3(3, -2, 0.7);
  PileSettings settings;
  settings.floor = 0.7;
  EXPECT_NEAR(MeasurePile(grains, settings).angle, before.angle, 0.5 * kDegree);
  settings.axis = Vec2(3, -2);
  RandomSource random(4);
  for (int i = 0; i < 100; ++i) grains.push_back({{random.Uniform(-2, 8), random.Uniform(-7, 3), 0.72}, 0.02});
  grains.push_back({{3.5, -2, 1.5}, 0.02});   // one in the air
  grains.push_back({{1e6, -2, 0.72}, 0.02});  // and one that rolled away
  const PileShape after = MeasurePile(grains, settings);
  EXPECT_NEAR(after.angle, before.angle, 1 * kDegree);
  EXPECT_NEAR(after.radius, before.radius, 0.09);
}

TEST(AngleOfRepose, TooSmallToTell) {
  EXPECT_TRUE(std::isnan(MeasurePile({}, {}).angle));
  const std::vector<PileGrain> one = {{{0, 0, 0.1}, 0.1}};
  EXPECT_TRUE(std::isnan(MeasurePile(one, {}).angle));
  EXPECT_EQ(MeasurePile({}, {}).radius, 0);
}

}  // namespace
}  // namespace slipstick::internal
