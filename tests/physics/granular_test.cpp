#include <cmath>
#include <numbers>

#include "slipstick/measure/measures.h"
#include "tests/physics/scene_runs.h"

// Poured stones: none is lost, the account stays closed, and rolling friction is what holds a pile up.

namespace slipstick::internal {
namespace {

struct Pile {
  double angle = 0, lost = 0, radius = 0;  // [°], bodies, [m]
};

// Runs to the end; every step must pass its certificate.
Pile Pour(Simulation* simulation, const Scene& scene) {
  RunUntil(simulation->duration(), simulation);
  Pile pile;
  for (const MeasureResult& result : TakeMeasures(scene, *simulation))
    for (const auto& [name, value] : result.values) {
      if (name == "angle_degrees") pile.angle = value;
      if (name == "radius_metres") pile.radius = value;
      if (name == "outside") pile.lost = value;
    }
  return pile;
}

// The account against energies from the formulas for spheres: what the stones brought, what they have now, and that the
// works explain the difference but for what the integrator takes.
void ExpectAccountOfSpheres(const Simulation& simulation) {
  constexpr double kRadius = 0.0225, kDensity = 2028, kSpeed = 2, kHeight = 0.5, kG = 9.81;
  const double mass = kDensity * 4 / 3 * std::numbers::pi * std::pow(kRadius, 3);
  const Kinematics& kinematics = simulation.kinematics();
  const std::size_t count = simulation.model().bodies.size();
  double kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < count; ++i) {
    kinetic += 0.5 * mass * kinematics.linear_velocity[i].squaredNorm() +
               0.2 * mass * kRadius * kRadius * kinematics.angular_velocity[i].squaredNorm();
    potential += mass * kG * kinematics.X_WB[i].position.z();
  }
  const double brought = static_cast<double>(count) * mass * (0.5 * kSpeed * kSpeed + kG * kHeight);
  const EnergyAccount& energy = simulation.energy();
  EXPECT_NEAR(energy.initial + energy.released, brought, 1e-9 * brought);
  EXPECT_NEAR(energy.kinetic, kinetic, 1e-9 * brought);
  EXPECT_NEAR(energy.potential, potential, 1e-9 * brought);
  // most of it is gone, and works say where
  EXPECT_LT(energy.Total(), 0.2 * brought);
  EXPECT_LT(std::abs(energy.remainder), 0.01 * brought);
}

TEST(Granular, RollingFrictionHoldsAPileUp) {
  const auto pour = [](double rolling) {
    const std::string value = Text(rolling);
    const Overrides overrides = {{"materials.stone.rolling_friction", value},
                                 {"materials.stone.spinning_friction", value}};
    const Scene scene = ReadScene(FindScene("gravel-small"), overrides);
    Simulation simulation = Simulation(scene);
    const Pile pile = Pour(&simulation, scene);
    EXPECT_EQ(simulation.state().released, 299);  // the first is there from the start
    EXPECT_EQ(pile.lost, 0);
    ExpectAccountOfSpheres(simulation);
    const EnergyAccount& energy = simulation.energy();
    // friction and impacts only take
    EXPECT_LT(energy.work.friction, 0);
    EXPECT_LE(energy.work.rolling, 0);
    return pile;
  };
  const Pile smooth = pour(0), rough = pour(0.01);
  // without it spheres roll away over the floor until walls hold them
  EXPECT_GT(rough.angle, 15);
  EXPECT_LT(rough.radius, 0.6);
  EXPECT_TRUE(std::isnan(smooth.angle) || smooth.angle < 3) << smooth.angle;
}

}  // namespace
}  // namespace slipstick::internal
