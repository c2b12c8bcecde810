#include "slipstick/geometry/triangle_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "slipstick/base/rotation.h"

namespace slipstick::internal {
namespace {

using ::testing::HasSubstr;

TriangleMesh BoxMesh(const Vec3& half, const Vec3& center) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.corners.push_back(
        center + Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), k & 4 ? half.z() : -half.z()));
  }
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

TriangleMesh Octahedron() {
  return {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

// Each triangle in four, new corners on the unit sphere.
TriangleMesh Refined(const TriangleMesh& mesh) {
  TriangleMesh finer{mesh.corners, {}};
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [entry, is_new] = middles.try_emplace({std::min(a, b), std::max(a, b)}, finer.corners.size());
    if (is_new) finer.corners.push_back((mesh.corners[a] + mesh.corners[b]).normalized());
    return entry->second;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.triangles.insert(finer.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  return finer;
}

void Reverse(TriangleMesh* mesh) {
  for (auto& t : mesh->triangles) std::swap(t[1], t[2]);
}

TEST(TriangleMeshTest, BoxWhereverItIs) {
  const Vec3 half(0.3, 0.2, 0.5), center(100, -50, 7);
  const MassProperties box = *UniformMassProperties(Box{half}, 800);
  const MassProperties mesh = *MeshMassProperties(BoxMesh(half, center), 800);
  EXPECT_NEAR(mesh.mass, box.mass, 1e-12 * box.mass);
  EXPECT_LE((mesh.com - center).norm(), 1e-12);
  EXPECT_LE((mesh.inertia - box.inertia).norm(), 1e-10 * box.inertia.norm());
}

TEST(TriangleMeshTest, TurnedBoxTurnsItsInertia) {
  const Vec3 half(0.3, 0.2, 0.5);
  TriangleMesh mesh = BoxMesh(half, Vec3::Zero());
  const Mat3 turn = ExpRotation(Vec3(0.3, -1, 0.7)).toRotationMatrix();
  for (Vec3& corner : mesh.corners) corner = turn * corner;
  const Mat3 expected = turn * UniformMassProperties(Box{half}, 800)->inertia * turn.transpose();
  EXPECT_LE((MeshMassProperties(mesh, 800)->inertia - expected).norm(), 1e-12 * expected.norm());
}

// Corner at the origin, edges a, b, c along the axes: V = abc/6, com at a quarter, ∫x² = V a²/10.
TEST(TriangleMeshTest, TetrahedronInClosedForm) {
  const double a = 1, b = 2, c = 3;
  const TriangleMesh mesh{{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const MassProperties properties = *MeshMassProperties(mesh, 5);
  const double m = 5 * a * b * c / 6;
  EXPECT_NEAR(properties.mass, m, 1e-13);
  EXPECT_LE((properties.com - Vec3(a, b, c) / 4).norm(), 1e-14);
  // about the centre ∫x² = m a² (1/10 − 1/16), ∫xy = m ab (1/20 − 1/16)
  EXPECT_NEAR(properties.inertia(0, 0), m * (b * b + c * c) * (0.1 - 0.0625), 1e-12);
  EXPECT_NEAR(properties.inertia(0, 1), -m * a * b * (0.05 - 0.0625), 1e-12);
}

// Second order in the length of the edges: errors fall by four.
TEST(TriangleMeshTest, SphereInTheLimit) {
  TriangleMesh mesh = Octahedron();
  double last_mass = 0, last_moment = 0;
  for (int level = 0; level < 7; ++level) {
    const MassProperties properties = *MeshMassProperties(mesh, 1);
    const double mass = 4 * std::numbers::pi / 3 - properties.mass,
                 moment = 8 * std::numbers::pi / 15 - properties.inertia(1, 1);
    EXPECT_LE((properties.inertia - properties.inertia(1, 1) * Mat3::Identity()).norm(), 1e-12);
    if (level > 4) {
      EXPECT_NEAR(last_mass / mass, 4, 0.05);
      EXPECT_NEAR(last_moment / moment, 4, 0.05);
    }
    last_mass = mass;
    last_moment = moment;
    mesh = Refined(mesh);
  }
  EXPECT_LT(last_moment, 2e-3);
}

// What is hollow is a surface within a surface that faces inwards: the difference of two boxes. Not convex.
TEST(TriangleMeshTest, HollowBox) {
  TriangleMesh hollow = BoxMesh(Vec3(1, 1, 1), Vec3::Zero());
  TriangleMesh inner = BoxMesh(Vec3(0.5, 0.6, 0.7), Vec3(0.1, 0, 0));
  Reverse(&inner);
  for (const auto& [a, b, c] : inner.triangles) hollow.triangles.push_back({a + 8, b + 8, c + 8});
  hollow.corners.insert(hollow.corners.end(), inner.corners.begin(), inner.corners.end());
  const MassProperties properties = *MeshMassProperties(hollow, 1);
  const PosedMassProperties parts[] = {
      {*UniformMassProperties(Box{Vec3(1, 1, 1)}, 1), {}},
      {*UniformMassProperties(Box{Vec3(0.5, 0.6, 0.7)}, -1), {Quat::Identity(), Vec3(0.1, 0, 0)}}};
  const MassProperties expected = Combine(parts);
  EXPECT_NEAR(properties.mass, expected.mass, 1e-12);
  EXPECT_LE((properties.com - expected.com).norm(), 1e-13);
  EXPECT_LE((properties.inertia - expected.inertia).norm(), 1e-12);
}

std::string FaultOf(const TriangleMesh& mesh) {
  const std::vector<Fault> faults = MeshFaults(mesh, "part");
  EXPECT_FALSE(MeshMassProperties(mesh, 1).has_value());
  return faults.empty() ? "none" : faults[0].Message();
}

TEST(TriangleMeshTest, FaultsSayWhatIsWrong) {
  const TriangleMesh box = BoxMesh(Vec3(1, 1, 1), Vec3::Zero());
  EXPECT_TRUE(MeshFaults(box, "part").empty());
  TriangleMesh mesh = box;
  mesh.triangles.pop_back();
  EXPECT_THAT(FaultOf(mesh), HasSubstr("open at 3 edges"));
  EXPECT_THAT(FaultOf(mesh), HasSubstr("part"));
  mesh = box;
  Reverse(&mesh);
  EXPECT_THAT(FaultOf(mesh), HasSubstr("inside out"));
  mesh = box;
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  EXPECT_THAT(FaultOf(mesh), HasSubstr("twice in the same: 3 edges"));
  mesh = box;
  mesh.triangles.push_back(mesh.triangles[0]);
  EXPECT_THAT(FaultOf(mesh), HasSubstr("twice"));
  mesh = box;
  mesh.triangles[0][0] = 8;
  EXPECT_THAT(FaultOf(mesh), HasSubstr("does not exist"));
  mesh = box;
  mesh.corners[0].x() = std::nan("");
  EXPECT_THAT(FaultOf(mesh), HasSubstr("finite"));
  mesh = box;
  for (Vec3& corner : mesh.corners) corner.z() = 0;
  EXPECT_THAT(FaultOf(mesh), HasSubstr("volume"));
  EXPECT_THAT(FaultOf({}), HasSubstr("triangles"));
}

}  // namespace
}  // namespace slipstick::internal
