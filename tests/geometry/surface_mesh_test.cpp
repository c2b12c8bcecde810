#include "slipstick/geometry/surface_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/geometry/random_stone.h"

namespace slipstick::internal {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<ShapeGeometry> SolidShapes() {
  RandomSource random(7);
  std::vector<ShapeGeometry> shapes = {Sphere{0.3}, Box{Vec3(0.1, 0.2, 0.4)}, Capsule{0.2, 0.5}, Cylinder{0.3, 0.1}};
  for (int i = 0; i < 5; ++i) shapes.push_back(Hull{RandomStone(Vec3(0.3, 0.2, 0.1), 30, &random)});
  return shapes;
}

// corners − edges + faces; each edge must be run through once in each direction.
int EulerNumber(const SurfaceMesh& mesh) {
  std::set<std::pair<int, int>> sides;
  std::set<int> corners;
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_TRUE(sides.insert({t[k], t[(k + 1) % 3]}).second) << "a side twice in the same direction";
      corners.insert(t[k]);
    }
  }
  for (const auto& [from, to] : sides) EXPECT_TRUE(sides.contains({to, from})) << "a side with one triangle alone";
  EXPECT_EQ(corners.size(), mesh.points.size()) << "a point without triangles";
  return static_cast<int>(corners.size()) - static_cast<int>(sides.size() / 2) +
         static_cast<int>(mesh.triangles.size());
}

double Area(const SurfaceMesh& mesh) {
  double area = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    area += 0.5 * (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]).norm();
  }
  return area;
}

TEST(SurfaceMesh, IsClosedAndLooksOutward) {
  for (const int sides : {4, 8, 24}) {
    for (const ShapeGeometry& shape : SolidShapes()) {
      SCOPED_TRACE(ShapeName(shape));
      const SurfaceMesh mesh = MeshOf(shape, {.sides = sides});
      EXPECT_EQ(EulerNumber(mesh), 2);
      // all are convex and hold their origin
      for (const auto& [a, b, c] : mesh.triangles) {
        EXPECT_GT(mesh.points[a].dot((mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a])), 0);
      }
    }
    EXPECT_EQ(EulerNumber(MeshOf(Disk{0.5}, {.sides = sides})), 2);
  }
}

// Inscribed surfaces fall short of the volume by a share that goes with the square of the sides' length.
TEST(SurfaceMesh, VolumeIsThatOfTheMassProperties) {
  for (const ShapeGeometry& shape : SolidShapes()) {
    SCOPED_TRACE(ShapeName(shape));
    const double exact = UniformMassProperties(shape, 1.0)->mass;
    const double coarse = MeshOf(shape, {.sides = 64}).Volume(), fine = MeshOf(shape, {.sides = 128}).Volume();
    if (std::holds_alternative<Box>(shape) || std::holds_alternative<Hull>(shape)) {
      EXPECT_NEAR(fine, exact, 1e-12 * exact);
    } else {
      EXPECT_LT(fine, exact);
      EXPECT_NEAR((exact - coarse) / (exact - fine), 4, 0.01);
    }
  }
}

TEST(SurfaceMesh, CylinderIsAPrism) {
  for (const int sides : {4, 12, 24}) {
    const double base = 0.5 * sides * 0.09 * std::sin(2 * kPi / sides);
    EXPECT_NEAR(MeshOf(Cylinder{0.3, 0.1}, {.sides = sides}).Volume(), 0.2 * base, 1e-15);
    EXPECT_NEAR(Area(MeshOf(Disk{0.3}, {.sides = sides})), 2 * base, 1e-15);
  }
  EXPECT_NEAR(MeshOf(Disk{0.3}, {}).Volume(), 0, 1e-18);
}

TEST(SurfaceMesh, CornersAreOnTheSurface) {
  for (const Vec3& p : MeshOf(Sphere{0.3}, {}).points) EXPECT_NEAR(p.norm(), 0.3, 1e-15);
  for (const Vec3& p : MeshOf(Capsule{0.2, 0.5}, {}).points) {
    const double over = std::max(std::abs(p.z()) - 0.5, 0.0);
    EXPECT_NEAR(std::hypot(p.x(), p.y(), over), 0.2, 1e-15);
  }
}

TEST(SurfaceMesh, PlaneFacesUp) {
  const SurfaceMesh mesh = MeshOf(Plane{}, {.sides = 4, .plane_half_width = 3});
  EXPECT_DOUBLE_EQ(Area(mesh), 36);
  for (const Vec3& normal : Shaded(mesh).normals) EXPECT_EQ(normal, Vec3(Vec3::UnitZ()));
}

TEST(SurfaceMesh, NormalsAreSmoothOnRoundShapesAndFlatOnOthers) {
  for (const int sides : {8, 16, 24}) {
    const ShadedMesh sphere = Shaded(MeshOf(Sphere{2}, {.sides = sides}));
    EXPECT_EQ(sphere.points.size(), MeshOf(Sphere{2}, {.sides = sides}).points.size());
    for (std::size_t i = 0; i < sphere.points.size(); ++i) {
      // triangles meet at 2π/sides; a mean of theirs is nearer to the sphere's normal than each of them
      EXPECT_LT(std::acos(std::min(1.0, sphere.normals[i].dot(sphere.points[i]) / 2)), 2 * kPi / sides / 3);
    }
  }
  const ShadedMesh box = Shaded(MeshOf(Box{Vec3(1, 2, 3)}, {}));
  EXPECT_EQ(box.points.size(), 24u);
  EXPECT_EQ(box.triangles.size(), 12u);
  for (const Vec3& normal : box.normals) EXPECT_DOUBLE_EQ(normal.lpNorm<1>(), 1);  // along an axis
  // the rim of a cylinder belongs to its side and to an end
  const ShadedMesh cylinder = Shaded(MeshOf(Cylinder{1, 1}, {.sides = 24}));
  EXPECT_EQ(cylinder.points.size(), 24u * 4 + 2);
  for (const Vec3& normal : cylinder.normals) {
    EXPECT_NEAR(std::abs(normal.z()) > 0.5 ? std::abs(normal.z()) : normal.head<2>().norm(), 1, 1e-12);
  }
}

}  // namespace
}  // namespace slipstick::internal
