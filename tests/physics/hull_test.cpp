// Bodies with hulls: as boxes where they are boxes, resting on faces, hitting each other.

#include "slipstick/measure/measures.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {
namespace {

Simulation FromText(const std::string& text, const Overrides& overrides = {}) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\n" + text, "case.yaml", overrides));
}

const char* const kCube =
    "type: hull, points: [[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], "
    "[1, 1, 1]]";

// A cube of 2 m, thrown, that slides to rest on one face: as a box and as a hull.
TEST(Hulls, ACubeOfPointsMovesAsTheBox) {
  const auto run = [](const std::string& shape) {
    Simulation simulation = FromText(R"(
materials: [{name: rough, friction: 0.3}]
world: {shapes: [{type: plane, material: rough}, {type: box, size: [1, 1, 0.4], position: [4, 0.3, 0.2], material: rough}]}
bodies:
  - {name: cube, density: 500, position: [0, 0, 1], velocity: [3, 0, 0], angular_velocity: [0, 0, 0.5],
     shapes: [{material: rough, )" + shape +
                                     R"(}]}
stepper: {step: 0.002}
)");
    RunUntil(1.2, &simulation);
    return simulation.state();
  };
  const State box = run("type: box, size: [2, 2, 2]");
  const State hull = run(kCube);
  EXPECT_GT(box.q[4], 1.5);
  EXPECT_LT((box.q - hull.q).norm(), 1e-6);
  EXPECT_LT((box.v - hull.v).norm(), 1e-5);
}

// A regular tetrahedron of edge 1 on one of its faces: its centre is 1/√24 above the floor, each corner carries a third
// of its weight.
TEST(Hulls, ATetrahedronRestsOnAFace) {
  const double r = 1 / std::sqrt(3.0), height = std::sqrt(2.0 / 3.0);
  const std::string points = "[[" + Text(r) + ", 0, 0], [" + Text(-r / 2) + ", 0.5, 0], [" + Text(-r / 2) +
                             ", -0.5, 0], [0, 0, " + Text(height) + "]]";
  Simulation simulation = FromText(R"(
world: {shapes: [{type: plane}]}
bodies: [{name: stone, density: 2000, position: [0, 0, 1e-4], shapes: [{type: hull, points: )" +
                                   points + R"(}]}]
law: coulomb
stepper: {step: 0.002}
)");
  const ModelBody& body = simulation.model().bodies[0];
  EXPECT_NEAR(body.mass, 2000 / (6 * std::sqrt(2.0)), 1e-9);
  EXPECT_NEAR(body.com.z(), 1 / std::sqrt(24.0), 1e-12);
  RunUntil(1, &simulation);
  EXPECT_LT(simulation.state().v.norm(), 1e-9);
  EXPECT_NEAR(simulation.state().q[6], 0, 1e-6);
  const StepRecord& record = simulation.last_step();
  ASSERT_EQ(record.problem.contacts.size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(record.solution.Normal(i) / record.problem.step, body.mass * 9.81 / 3, 1e-6 * body.mass);
  }
}

// Two stones meet in free space, off their centres: momentum stays, energy does not grow, and angular momentum changes
// by the first order of the step alone, as an impact is shifted in time (T4g) and not its lever arms.
TEST(Hulls, StonesThatCollideKeepTheirMomentum) {
  double turned[2] = {0, 0};  // relative changes of angular momentum, over all seeds
  for (int run = 0; run < 16; ++run) {
    const int seed = run / 2;
    Simulation simulation = FromText(R"(
gravity: [0, 0, 0]
materials: [{name: stone, friction: 0.4, restitution: 0.5}]
bodies:
  - {name: a, density: 2000, position: [-0.3, 0.02, 0], velocity: [1, 0, 0], angular_velocity: [0, 1, 2],
     shapes: [{type: stone, material: stone, radius: 0.1, points: 16, seed: )" +
                                         std::to_string(2 * seed) + R"(}]}
  - {name: b, density: 2000, position: [0.1, -0.03, 0.02], velocity: [-0.5, 0, 0], angular_velocity: [3, 0, 0],
     shapes: [{type: stone, material: stone, size: [0.3, 0.2, 0.16], seed: )" +
                                         std::to_string(2 * seed + 1) + R"(}]}
law: coulomb
)",
                                     {{"stepper.step", run % 2 == 0 ? "0.0005" : "0.000125"}});
    struct Momentum {
      Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
      double energy = 0;
    };
    const auto momentum = [&] {
      Momentum total;
      const Kinematics& k = simulation.kinematics();
      for (int i = 0; i < 2; ++i) {
        const ModelBody& body = simulation.model().bodies[i];
        const Vec3 com = k.X_WB[i] * body.com;
        const Vec3 v = k.VelocityOfPoint(i, com), w = k.angular_velocity[i];
        const Vec3 spin = k.R_WB[i] * body.inertia * k.R_WB[i].transpose() * w;
        total.linear += body.mass * v;
        total.angular += com.cross(body.mass * v) + spin;
        total.energy += 0.5 * body.mass * v.squaredNorm() + 0.5 * w.dot(spin);
      }
      return total;
    };
    const Momentum before = momentum();
    bool met = false;
    RunUntil(0.5, &simulation, [&](const Simulation&) { met |= ContactForce(simulation).norm() > 0; });
    const Momentum after = momentum();
    EXPECT_TRUE(met) << seed;
    EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm()) << seed;
    turned[run % 2] += (after.angular - before.angular).norm() / before.angular.norm();
    EXPECT_LT(after.energy, before.energy) << seed;
  }
  EXPECT_LT(turned[0], 8 * 5e-3);
  EXPECT_LT(turned[1], 0.5 * turned[0]);
}

// Eighty stones of the scene, and balls of their volume in their place, neither with rolling friction: stones lie where
// they fall, on their faces, and make a pile; balls roll away.
TEST(Hulls, FacesHoldAPileUp) {
  const auto pour = [](const Overrides& shapes) {
    Overrides overrides = {{"groups.stone.pour.count", "80"}, {"stepper.duration", "1"}};
    overrides.insert(overrides.end(), shapes.begin(), shapes.end());
    const Scene scene = ReadScene(FindScene("stones"), overrides);
    Simulation simulation = Simulation(scene);
    RunUntil(simulation.duration(), &simulation);
    EXPECT_LT(simulation.energy().work.friction, 0);
    for (const MeasureResult& result : TakeMeasures(scene, simulation)) {
      for (const auto& [name, value] : result.values) {
        if (name == "angle_degrees") return value;
      }
    }
    return -1.0;
  };
  EXPECT_GT(pour({}), 10);
  const double of_balls = pour({{"groups.stone.template.shapes", "[{type: sphere, radius: 0.0225, material: stone}]"}});
  // a single layer, whose edge has some slope
  EXPECT_TRUE(std::isnan(of_balls) || of_balls < 5) << of_balls;
}

}  // namespace
}  // namespace slipstick::internal
