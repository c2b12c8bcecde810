#include <cmath>

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
    const EnergyAccount& energy = simulation.energy();
    EXPECT_NEAR(energy.Total(), energy.initial + energy.released + energy.work.Sum() + energy.remainder, 1e-9);
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
