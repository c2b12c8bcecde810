#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "slipstick/base/rotation.h"
#include "slipstick/geometry/aabb.h"
#include "slipstick/geometry/mass_properties.h"
#include "slipstick/geometry/polyhedron.h"
#include "slipstick/geometry/random_stone.h"

namespace slipstick::internal {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double Uniform(double least, double most) { return std::uniform_real_distribution<double>(least, most)(engine_); }
  double Normal() { return std::normal_distribution<double>()(engine_); }
  Vec3 Vector() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }
  Quat Rotation() { return Quat(Normal(), Normal(), Normal(), Normal()).normalized(); }
  int Below(int count) { return static_cast<int>(engine_() % count); }

 private:
  std::mt19937 engine_;
};

// What makes it the hull of the points: every point inside every face, every corner one of the points, faces flat,
// corners in order, each edge between the two faces that it names.
void ExpectHull(const Polyhedron& hull, const std::vector<Vec3>& points, double tolerance) {
  double size = 0;
  for (const Vec3& point : points) size = std::max(size, (point - points[0]).norm());
  for (const Polyhedron::Face& face : hull.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-12);
    for (const Vec3& point : points) EXPECT_LE(face.normal.dot(point), face.offset + tolerance * size);
    ASSERT_GE(face.count, 3);
    for (int k = 0; k < face.count; ++k) {
      const Vec3& a = hull.corners[hull.loops[face.first + k]];
      const Vec3& b = hull.corners[hull.loops[face.first + (k + 1) % face.count]];
      const Vec3& c = hull.corners[hull.loops[face.first + (k + 2) % face.count]];
      EXPECT_NEAR(face.normal.dot(a), face.offset, tolerance * size);
      EXPECT_GT((b - a).cross(c - b).dot(face.normal), 0);
      const Polyhedron::Edge& edge = hull.edges[hull.loop_edges[face.first + k]];
      const int number = static_cast<int>(&face - hull.faces.data());
      EXPECT_TRUE(edge.left == number || edge.right == number);
      EXPECT_EQ((std::set<int>{edge.from, edge.to}),
                (std::set<int>{hull.loops[face.first + k], hull.loops[face.first + (k + 1) % face.count]}));
    }
  }
  for (const Vec3& corner : hull.corners) EXPECT_NE(std::find(points.begin(), points.end(), corner), points.end());
  EXPECT_EQ(hull.corners.size() + hull.faces.size(), hull.edges.size() + 2);
  EXPECT_EQ(hull.loops.size(), 2 * hull.edges.size());
}

std::vector<Vec3> BoxCorners(const Vec3& half) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  return corners;
}

TEST(ConvexHullTest, BoxHasSixFacesWhateverElseIsInIt) {
  Random random(1);
  const Vec3 half(0.5, 0.2, 0.3);
  for (int round = 0; round < 100; ++round) {
    const Quat rotation = round % 3 == 0 ? Quat::Identity() : random.Rotation();
    const Vec3 offset = round % 2 == 0 ? Vec3(Vec3::Zero()) : Vec3(10 * random.Vector());
    std::vector<Vec3> points = BoxCorners(half);
    for (int i = 0; i < round; ++i) {  // inside, on faces, on edges, twice
      Vec3 p = half.cwiseProduct(random.Vector());
      for (int axis = 0; axis < random.Below(3); ++axis) p(axis) = std::copysign(half(axis), p(axis));
      points.push_back(random.Below(10) == 0 ? points[random.Below(8)] : p);
    }
    for (Vec3& point : points) point = offset + rotation * point;
    std::shuffle(points.begin(), points.end(), std::mt19937(round));
    const ConvexHull hull = MakeConvexHull(points);
    ASSERT_TRUE(hull.polyhedron) << hull.fault;
    EXPECT_EQ(hull.polyhedron->faces.size(), 6u);
    EXPECT_EQ(hull.polyhedron->edges.size(), 12u);
    EXPECT_EQ(hull.polyhedron->corners.size(), 8u);
    ExpectHull(*hull.polyhedron, points, 1e-9);
    EXPECT_NEAR(hull.polyhedron->volume, 8 * half.prod(), 1e-12);
    EXPECT_LT((hull.polyhedron->center - offset).norm(), 1e-12);
    EXPECT_NEAR(hull.polyhedron->inner_radius, 0.2, 1e-12);
    EXPECT_NEAR(hull.polyhedron->outer_radius, half.norm(), 1e-12);
  }
}

// Points by chance, on lattices (many in one plane and on one line), on a sphere, in a thin slab, and shaken by little.
TEST(ConvexHullTest, HoldsForEverySortOfPoints) {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    std::vector<Vec3> points;
    const int count = 5 + random.Below(60);
    const double shake = std::pow(10, random.Uniform(-16, -2));
    for (int i = 0; i < count; ++i) {
      Vec3 p = random.Vector();
      if (round % 5 == 1) p = Vec3(random.Below(4), random.Below(4), random.Below(4));
      if (round % 5 == 2) p.normalize();
      if (round % 5 == 3) p.z() *= 1e-3;
      if (round % 5 == 4) p = Vec3(random.Below(3), random.Below(3), random.Below(3)) + shake * random.Vector();
      points.push_back(std::pow(10, round % 7 - 3) * p);
    }
    const ConvexHull hull = MakeConvexHull(points);
    if (!hull.polyhedron) {  // a few lattice points may be in one plane
      EXPECT_TRUE(round % 5 == 1 || round % 5 == 4) << round << " " << hull.fault;
      continue;
    }
    // faces are flat to 1e-6 of the size, or up to a thousand times that where shaking comes near it
    ExpectHull(*hull.polyhedron, points, round % 5 == 4 ? 3e-3 : 3e-6);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST(ConvexHullTest, ManyCornersAndARoundFace) {
  std::vector<Vec3> points;  // a prism of many sides
  for (int i = 0; i < 200; ++i) {
    const double angle = 2 * M_PI * i / 200;
    for (const double z : {-0.3, 0.3}) points.push_back({std::cos(angle), std::sin(angle), z});
  }
  const ConvexHull hull = MakeConvexHull(points);
  ASSERT_TRUE(hull.polyhedron) << hull.fault;
  EXPECT_EQ(hull.polyhedron->faces.size(), 202u);
  EXPECT_EQ(hull.polyhedron->corners.size(), 400u);
  ExpectHull(*hull.polyhedron, points, 1e-9);
  EXPECT_NEAR(hull.polyhedron->volume, 0.6 * 100 * std::sin(2 * M_PI / 200), 1e-12);
}

TEST(ConvexHullTest, SaysWhyThereIsNone) {
  const auto fault = [](const std::vector<Vec3>& points) {
    const ConvexHull hull = MakeConvexHull(points);
    EXPECT_FALSE(hull.polyhedron);
    return hull.fault;
  };
  EXPECT_EQ(fault({}), "four points at least");
  EXPECT_EQ(fault({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}), "four points at least");
  EXPECT_EQ(fault(std::vector<Vec3>(2000, Vec3::Zero())), "at most 1000 points");
  EXPECT_EQ(fault({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(0, 0, NAN)}), "finite coordinates");
  EXPECT_EQ(fault(std::vector<Vec3>(5, Vec3::Ones())), "points that are not all in one plane");
  EXPECT_EQ(fault({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1, 1, 0)}), "points that are not all in one plane");
  EXPECT_EQ(fault({Vec3::Zero(), Vec3::UnitX(), Vec3(2, 0, 0), Vec3(3, 0, 0)}), "points that are not all in one plane");
  EXPECT_EQ(fault({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(0.2, 0.2, 1e-5)}),
            "points that are not all in one plane");
}

// Closed forms: the box's, and of a tetrahedron with corners at the origin and at a, b, c along the axes
// I_xx = m (b² + c²)·3/80, I_xy = + m ab/80 about its centre of mass at (a, b, c)/4.
TEST(ConvexHullTest, MassPropertiesOfBoxAndTetrahedron) {
  const double density = 700;
  const Vec3 half(0.3, 0.2, 0.5), offset(1, -2, 0.5);
  std::vector<Vec3> corners = BoxCorners(half);
  for (Vec3& corner : corners) corner += offset;
  const auto box = *UniformMassProperties(Hull{MakeConvexHull(corners).polyhedron}, density);
  const auto expected = *UniformMassProperties(Box{half}, density);
  EXPECT_NEAR(box.mass, expected.mass, 1e-12 * expected.mass);
  EXPECT_LT((box.com - offset).norm(), 1e-12);
  EXPECT_LT((box.inertia - expected.inertia).norm(), 1e-12 * expected.inertia.norm());

  const double a = 0.4, b = 0.7, c = 1.1;
  const auto tetrahedron = *UniformMassProperties(
      Hull{MakeConvexHull(std::vector<Vec3>{Vec3::Zero(), Vec3(a, 0, 0), Vec3(0, b, 0), Vec3(0, 0, c)}).polyhedron},
      density);
  const double m = density * a * b * c / 6;
  EXPECT_NEAR(tetrahedron.mass, m, 1e-12 * m);
  EXPECT_LT((tetrahedron.com - Vec3(a, b, c) / 4).norm(), 1e-14);
  Mat3 inertia;
  inertia << 3 * (b * b + c * c), a * b, a * c,  //
      a * b, 3 * (a * a + c * c), b * c,         //
      a * c, b * c, 3 * (a * a + b * b);
  EXPECT_LT((tetrahedron.inertia - m / 80 * inertia).norm(), 1e-13 * m);
}

// Against plain Monte Carlo, which shares nothing but the inequality of each face.
TEST(ConvexHullTest, MassPropertiesOfAStoneAgreeWithChance) {
  RandomSource source(5);
  const auto stone = RandomStone(Vec3(1.0, 0.7, 0.5), 20, &source);
  const auto properties = *UniformMassProperties(Hull{stone}, 1);
  Random random(6);
  constexpr int kPoints = 400'000;
  int inside = 0;
  Vec3 sum = Vec3::Zero();
  Mat3 moment = Mat3::Zero();
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 p = random.Vector();
    const bool is_in = std::all_of(stone->faces.begin(), stone->faces.end(),
                                   [&](const Polyhedron::Face& face) { return face.normal.dot(p) <= face.offset; });
    if (!is_in) continue;
    ++inside;
    sum += p;
    moment += p.squaredNorm() * Mat3::Identity() - p * p.transpose();
  }
  EXPECT_NEAR(properties.mass, 8.0 * inside / kPoints, 0.02 * properties.mass);
  EXPECT_LT((sum / inside).norm(), 5e-3);
  EXPECT_LT((8.0 / kPoints * moment - properties.inertia).norm(), 0.02 * properties.inertia.norm());
}

TEST(ConvexHullTest, StonesAreCentredAndAsLargeAsAskedFor) {
  for (int seed = 0; seed < 50; ++seed) {
    RandomSource source(seed), again(seed);
    const auto stone = RandomStone(Vec3(0.02, 0.03, 0.01), 8 + seed, &source);
    EXPECT_LT(stone->center.norm(), 1e-15);
    EXPECT_NEAR(stone->reach, 0.03, 1e-14);
    EXPECT_GT(stone->inner_radius, 1e-3);
    EXPECT_EQ(RandomStone(Vec3(0.02, 0.03, 0.01), 8 + seed, &again)->corners, stone->corners);
    const auto larger = Scaled(*stone, 3);
    std::vector<Vec3> corners = stone->corners;
    for (Vec3& corner : corners) corner *= 3;
    const auto made = MakeConvexHull(corners).polyhedron;
    EXPECT_NEAR(larger->volume, made->volume, 1e-12 * made->volume);
    EXPECT_LT((larger->second_moment - made->second_moment).norm(), 1e-12 * made->second_moment.norm());
    EXPECT_NEAR(larger->inner_radius, made->inner_radius, 1e-15);
    ExpectHull(*larger, corners, 1e-9);
  }
}

TEST(ConvexHullTest, BoundingBoxTouchesTheCorners) {
  Random random(7);
  RandomSource source(8);
  const Hull hull{RandomStone(Vec3(1, 0.6, 0.4), 20, &source)};
  for (int round = 0; round < 50; ++round) {
    const Pose pose{random.Rotation(), 3 * random.Vector()};
    const Aabb box = BoundingBox(hull, pose);
    for (int axis = 0; axis < 3; ++axis) {
      double least = INFINITY, most = -INFINITY;
      for (const Vec3& corner : hull.polyhedron->corners) {
        least = std::min(least, (pose * corner)(axis));
        most = std::max(most, (pose * corner)(axis));
      }
      EXPECT_NEAR(box.least(axis), least, 1e-14);
      EXPECT_NEAR(box.most(axis), most, 1e-14);
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
