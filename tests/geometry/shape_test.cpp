#include "slipstick/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "slipstick/base/rotation.h"
#include "slipstick/geometry/aabb.h"

namespace slipstick::internal {
namespace {

TEST(Shape, Names) {
  EXPECT_EQ(ShapeName(Plane{}), "plane");
  EXPECT_EQ(ShapeName(Sphere{}), "sphere");
  EXPECT_EQ(ShapeName(Box{}), "box");
  EXPECT_EQ(ShapeName(Capsule{}), "capsule");
  EXPECT_EQ(ShapeName(Cylinder{}), "cylinder");
  EXPECT_EQ(ShapeName(Disk{}), "disk");
}

TEST(Shape, BoundingRadii) {
  EXPECT_TRUE(std::isinf(BoundingRadius(Plane{})));
  EXPECT_EQ(BoundingRadius(Sphere{2}), 2);
  EXPECT_DOUBLE_EQ(BoundingRadius(Box{Vec3(1, 2, 2)}), 3);
  EXPECT_EQ(BoundingRadius(Capsule{1, 2}), 3);
  EXPECT_EQ(BoundingRadius(Cylinder{3, 4}), 5);
  EXPECT_EQ(BoundingRadius(Disk{2}), 2);
}

// Surface points in the shape's frame that reach every extreme, to a resolution of about 1e-3.
std::vector<Vec3> SurfacePoints(const ShapeGeometry& geometry) {
  std::vector<Vec3> points;
  const auto circle = [&](double radius, double z) {
    for (int i = 0; i < 400; ++i) {
      const double angle = 2 * M_PI * i / 400;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  };
  if (const Disk* disk = std::get_if<Disk>(&geometry)) circle(disk->radius, 0);
  if (const Cylinder* cylinder = std::get_if<Cylinder>(&geometry)) {
    for (const double sign : {-1.0, 1.0}) circle(cylinder->radius, sign * cylinder->half_length);
  }
  if (const Capsule* capsule = std::get_if<Capsule>(&geometry)) {
    for (int i = 0; i <= 200; ++i) {
      const double polar = M_PI * i / 200;
      const double z = capsule->radius * std::cos(polar) + (i < 100 ? 1 : -1) * capsule->half_length;
      circle(capsule->radius * std::sin(polar), z);
    }
  }
  if (const Box* box = std::get_if<Box>(&geometry)) {
    for (int i = 0; i < 8; ++i) {
      points.push_back(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).cwiseProduct(box->half_extents));
    }
  }
  return points;
}

TEST(BoundingBoxTest, IsTightAroundTheSurface) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  const std::vector<ShapeGeometry> shapes{Box{Vec3(1, 0.3, 0.5)}, Capsule{0.3, 0.8}, Cylinder{0.4, 0.7}, Disk{0.9}};
  for (int i = 0; i < 20; ++i) {
    const Pose pose{ExpRotation(Vec3(uniform(random), uniform(random), uniform(random))),
                    Vec3(uniform(random), uniform(random), uniform(random))};
    for (const ShapeGeometry& shape : shapes) {
      Vec3 least = Vec3::Constant(INFINITY);
      Vec3 most = -least;
      for (const Vec3& p : SurfacePoints(shape)) {
        least = least.cwiseMin(pose * p);
        most = most.cwiseMax(pose * p);
      }
      const Aabb box = BoundingBox(shape, pose);
      EXPECT_TRUE(((least - box.least).array() > -1e-12).all() && ((box.most - most).array() > -1e-12).all());
      EXPECT_LT((least - box.least).cwiseAbs().maxCoeff(), 1e-3) << ShapeName(shape);
      EXPECT_LT((box.most - most).cwiseAbs().maxCoeff(), 1e-3) << ShapeName(shape);
    }
  }
}

TEST(BoundingBoxTest, OfThePlaneEndsAtItsSurface) {
  const Aabb level = BoundingBox(Plane{}, Pose{Quat::Identity(), Vec3(0, 0, 2)});
  EXPECT_EQ(level.most.z(), 2);
  EXPECT_TRUE(std::isinf(level.least.z()) && std::isinf(level.most.x()) && std::isinf(level.least.y()));
  const Aabb tilted = BoundingBox(Plane{}, Pose{ExpRotation(Vec3(0.1, 0, 0)), Vec3::Zero()});
  EXPECT_TRUE(std::isinf(tilted.most.z()));
}

}  // namespace
}  // namespace slipstick::internal
