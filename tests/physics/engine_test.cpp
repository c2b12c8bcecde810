// Engines whose joints are contacts alone (Drumwright & Shell 2010, figures 3 and 4). Ten turns of all four cylinders:
// `slipstick reproduce engine`.

#include "slipstick/geometry/mass_properties.h"
#include "slipstick/geometry/surface_mesh.h"
#include "slipstick/geometry/triangle_mesh.h"
#include "slipstick/measure/motion_watch.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

constexpr double kClearance = 1e-4;  // of all bearings and guides [m]

// A part weighs 1 kg, with the inertia of its triangle mesh by the divergence theorem. Its pieces do not overlap, so
// that their surfaces together bound it; round ones have 512 sides.
TEST(Engine, PartsHaveTheInertiaOfTheirMeshes) {
  const Scene scene = ReadScene(FindScene("engine"));
  ASSERT_EQ(scene.bodies.size(), 9u);
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.8));
  EXPECT_TRUE(scene.joints.empty() && scene.constraints.empty());
  for (const SceneBody& body : scene.bodies) {
    SCOPED_TRACE(body.name);
    TriangleMesh mesh;
    for (const SceneShape& shape : body.shapes) {
      const SurfaceMesh surface = MeshOf(shape.geometry, {.sides = 512});
      const int first = static_cast<int>(mesh.corners.size());
      for (const Vec3& point : surface.points) mesh.corners.push_back(shape.pose * point);
      for (const auto& triangle : surface.triangles) {
        mesh.triangles.push_back({first + triangle[0], first + triangle[1], first + triangle[2]});
      }
    }
    const auto unit = MeshMassProperties(mesh, 1);
    ASSERT_TRUE(unit.has_value());
    EXPECT_EQ(body.mass, 1);
    EXPECT_LE((body.com - unit->com).norm(), 1e-4 * 0.1);
    EXPECT_LE((body.inertia - unit->inertia / unit->mass).norm(), 1e-4 * body.inertia.norm());
  }
}

struct Ride {
  double turns = 0, furthest = 0;
  std::string which;
  double contacts_least = 1e9, contacts_most = 0;
};

Ride Drive(const std::string& name, double time, const Overrides& overrides) {
  const Scene scene = ReadScene(FindScene(name), overrides);
  Simulation simulation = Simulation(scene);
  MotionWatch watch(scene, simulation);
  Ride ride;
  RunUntil(time, &simulation, [&](const Simulation& s) {
    watch.See(s);
    const double contacts = s.last_step().problem.contacts.size();
    ride.contacts_least = std::min(ride.contacts_least, contacts);
    ride.contacts_most = std::max(ride.contacts_most, contacts);
  });
  for (const MotionWatch::Result& result : watch.Results()) {
    if (result.values[0].first == "turns") {
      ride.turns = result.values[0].second;
    } else if (result.values[0].second > ride.furthest) {
      ride.furthest = result.values[0].second;
      ride.which = result.name;
    }
  }
  // contacts take energy or leave it, they never give any but what lifts overlaps apart
  const EnergyAccount& energy = simulation.energy();
  EXPECT_LE(energy.work.normal + energy.work.friction, 1e-3 * energy.work.applied);
  return ride;
}

TEST(Engine, OneCylinderTurnsWithinItsGuides) {
  const Ride ride = Drive("engine-one-cylinder", 0.15, {});
  EXPECT_GT(ride.turns, 0.1);
  EXPECT_LT(ride.furthest, 2 * kClearance) << ride.which;
  EXPECT_GE(ride.contacts_least, 100);
  EXPECT_LE(ride.contacts_most, 200);
}

TEST(Engine, OneCylinderWithFriction) {
  const Ride ride = Drive("engine-one-cylinder", 0.05, {{"materials.default.friction", "0.05"}});
  EXPECT_LT(ride.furthest, 2 * kClearance) << ride.which;
}

// Pins at 180° to each other, pistons that go up while others come down.
TEST(Engine, FourCylinders) {
  const Ride ride = Drive("engine", 0.05, {});
  EXPECT_GT(ride.turns, 0.005);
  EXPECT_LT(ride.furthest, 2 * kClearance) << ride.which;
}

}  // namespace
}  // namespace slipstick::internal
