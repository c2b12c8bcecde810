#include "slipstick/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

// Midpoint rule over the box [−reach, reach], for the solid that `inside` describes.
MassProperties Quadrature(const Vec3& reach, double density, const std::function<bool(const Vec3&)>& inside) {
  constexpr int kCells = 160;
  const Vec3 cell = 2.0 / kCells * reach;
  MassProperties sum;
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      for (int k = 0; k < kCells; ++k) {
        const Vec3 p = -reach + Vec3((i + 0.5) * cell.x(), (j + 0.5) * cell.y(), (k + 0.5) * cell.z());
        if (!inside(p)) continue;
        const double mass = density * cell.prod();
        sum.mass += mass;
        sum.com += mass * p;
        second += mass * p * p.transpose();
      }
    }
  }
  sum.com /= sum.mass;
  second -= sum.mass * sum.com * sum.com.transpose();
  sum.inertia = second.trace() * Mat3::Identity() - second;
  return sum;
}

void ExpectNear(const MassProperties& found, const MassProperties& expected, double relative) {
  EXPECT_NEAR(found.mass, expected.mass, relative * expected.mass);
  EXPECT_LT((found.com - expected.com).norm(), 1e-9 + relative * expected.com.norm());
  EXPECT_LT((found.inertia - expected.inertia).norm(), relative * expected.inertia.norm());
}

TEST(MassPropertiesTest, AgreeWithQuadrature) {
  const double density = 700;
  ExpectNear(*UniformMassProperties(Sphere{0.3}, density),
             Quadrature(Vec3::Constant(0.3), density, [](const Vec3& p) { return p.norm() <= 0.3; }), 2e-3);
  ExpectNear(*UniformMassProperties(Box{Vec3(0.1, 0.2, 0.4)}, density),
             Quadrature(Vec3(0.1, 0.2, 0.4), density, [](const Vec3&) { return true; }), 2e-3);
  ExpectNear(*UniformMassProperties(Capsule{0.2, 0.5}, density),
             Quadrature(Vec3(0.2, 0.2, 0.7), density,
                        [](const Vec3& p) {
                          const double z = std::max(0.0, std::abs(p.z()) - 0.5);
                          return Vec3(p.x(), p.y(), z).norm() <= 0.2;
                        }),
             2e-3);
  ExpectNear(*UniformMassProperties(Cylinder{0.3, 0.1}, density),
             Quadrature(Vec3(0.3, 0.3, 0.1), density, [](const Vec3& p) { return std::hypot(p.x(), p.y()) <= 0.3; }),
             2e-3);
}

// Bodies of revolution as a stack of thin disks, which one integral along the axis resolves far better than cells.
TEST(MassPropertiesTest, AgreeWithStacksOfDisks) {
  const double density = 700;
  const auto stack = [&](double reach, const std::function<double(double)>& square_of_radius) {
    constexpr int kSlices = 200000;
    const double thickness = 2 * reach / kSlices;
    MassProperties sum;
    for (int i = 0; i < kSlices; ++i) {
      const double z = -reach + (i + 0.5) * thickness;
      const double square = square_of_radius(z);
      const double mass = density * M_PI * square * thickness;
      sum.mass += mass;
      sum.inertia += mass * Vec3(square / 4 + z * z, square / 4 + z * z, square / 2).asDiagonal().toDenseMatrix();
    }
    return sum;
  };
  ExpectNear(*UniformMassProperties(Sphere{0.3}, density), stack(0.3, [](double z) { return 0.09 - z * z; }), 1e-8);
  ExpectNear(*UniformMassProperties(Capsule{0.2, 0.5}, density),
             stack(0.7,
                   [](double z) {
                     const double past = std::max(0.0, std::abs(z) - 0.5);
                     return 0.04 - past * past;
                   }),
             1e-8);
  ExpectNear(*UniformMassProperties(Cylinder{0.3, 0.1}, density), stack(0.1, [](double) { return 0.09; }), 1e-8);
}

TEST(MassPropertiesTest, LimitsOfOneShapeAreAnother) {
  // a capsule of no length is a sphere; a cylinder of no height, its density per area kept, is a disk
  ExpectNear(*UniformMassProperties(Capsule{0.7, 0}, 3), *UniformMassProperties(Sphere{0.7}, 3), 1e-14);
  ExpectNear(*UniformMassProperties(Cylinder{0.7, 1e-9}, 3 / 2e-9), *UniformMassProperties(Disk{0.7}, 3), 1e-12);
  EXPECT_DOUBLE_EQ(UniformMassProperties(Disk{2}, 1 / M_PI)->inertia(2, 2), 8);
  EXPECT_FALSE(UniformMassProperties(Plane{}, 1));
}

TEST(MassPropertiesTest, OfGivenMass) {
  const MassProperties sphere = *UniformMassPropertiesOfMass(Sphere{0.5}, 10);
  EXPECT_DOUBLE_EQ(sphere.mass, 10);
  EXPECT_NEAR(sphere.inertia(1, 1), 1, 1e-14);
  EXPECT_FALSE(UniformMassPropertiesOfMass(Plane{}, 1));
  EXPECT_FALSE(UniformMassPropertiesOfMass(Box{Vec3(0, 1, 1)}, 1));
}

TEST(MassPropertiesTest, PartsOfABoxMakeTheBox) {
  // eight equal boxes, turned by quarter turns that map each onto itself or swap its extents
  const Vec3 half(0.3, 0.3, 0.5);
  std::vector<PosedMassProperties> parts;
  for (int i = 0; i < 8; ++i) {
    const Vec3 place = 0.5 * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).cwiseProduct(half);
    const Quat turn = ExpRotation(Vec3(0, 0, 0.5 * M_PI * i));
    parts.push_back({*UniformMassProperties(Box{0.5 * half}, 4), Pose{turn, Vec3(1, 2, 3) + place}});
  }
  MassProperties expected = *UniformMassProperties(Box{half}, 4);
  expected.com = Vec3(1, 2, 3);
  ExpectNear(Combine(parts), expected, 1e-13);
}

TEST(MassPropertiesTest, CombineAgreesWithPointMasses) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  std::vector<PosedMassProperties> parts;
  std::vector<std::pair<double, Vec3>> points;
  for (int part = 0; part < 3; ++part) {
    // four point masses as one part, in a frame of its own
    const Pose pose{ExpRotation(2 * vector()), vector()};
    MassProperties properties;
    std::vector<std::pair<double, Vec3>> own;
    for (int i = 0; i < 4; ++i) own.push_back({1.5 + uniform(random), vector()});
    for (const auto& [mass, p] : own) {
      properties.mass += mass;
      properties.com += mass * p;
      points.push_back({mass, pose * p});
    }
    properties.com /= properties.mass;
    for (const auto& [mass, p] : own) {
      const Mat3 cross = Skew(p - properties.com);
      properties.inertia -= mass * cross * cross;
    }
    parts.push_back({properties, pose});
  }
  MassProperties expected;
  for (const auto& [mass, p] : points) {
    expected.mass += mass;
    expected.com += mass * p;
  }
  expected.com /= expected.mass;
  for (const auto& [mass, p] : points) {
    const Mat3 cross = Skew(p - expected.com);
    expected.inertia -= mass * cross * cross;
  }
  ExpectNear(Combine(parts), expected, 1e-13);
}

TEST(MassPropertiesTest, NothingHasNoMass) {
  const MassProperties nothing = Combine({});
  EXPECT_EQ(nothing.mass, 0);
  EXPECT_EQ(nothing.com, Vec3::Zero());
  EXPECT_EQ(nothing.inertia, Mat3::Zero());
}

TEST(PhysicalInertia, ShapesHaveOneInAnyAxes) {
  const Mat3 R = ExpRotation(Vec3(0.3, -1.2, 0.7)).toRotationMatrix();
  const std::vector<ShapeGeometry> shapes{Sphere{1}, Box{Vec3(1, 2, 0.01)}, Capsule{1, 9}, Cylinder{1, 1e-3}, Disk{1}};
  for (const ShapeGeometry& shape : shapes) {
    for (const double density : {1e-12, 1.0, 1e12}) {
      const Mat3 inertia = UniformMassProperties(shape, density)->inertia;
      EXPECT_TRUE(IsPhysicalInertia(R * inertia * R.transpose())) << ShapeName(shape);
    }
  }
}

TEST(PhysicalInertia, RefusesWhatNoBodyHas) {
  EXPECT_FALSE(IsPhysicalInertia(Vec3(1, 1, 2.001).asDiagonal()));
  EXPECT_TRUE(IsPhysicalInertia(Vec3(1, 1, 2).asDiagonal()));
  EXPECT_FALSE(IsPhysicalInertia(Vec3(1, 1, 0).asDiagonal()));
  EXPECT_FALSE(IsPhysicalInertia(Vec3(1, -1, 1).asDiagonal()));
  EXPECT_FALSE(IsPhysicalInertia(Mat3::Zero()));
  Mat3 skewed = Mat3::Identity();
  skewed(0, 1) = 0.1;
  EXPECT_FALSE(IsPhysicalInertia(skewed));
  Mat3 unknown = Mat3::Identity();
  unknown(2, 2) = NAN;
  EXPECT_FALSE(IsPhysicalInertia(unknown));
}

}  // namespace
}  // namespace slipstick::internal
