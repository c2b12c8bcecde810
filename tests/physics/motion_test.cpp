#include "slipstick/base/random_source.h"
#include "slipstick/model/dynamics.h"
#include "tests/physics/scene_runs.h"

// What mechanics keeps, and what must converge: the midpoint step, free rotation, impacts, scales.

namespace slipstick::internal {
namespace {

Simulation FromText(const std::string& text, const Overrides& overrides = {}) {
  return Simulation(ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml", overrides));
}

// Positions and orientations of all bodies.
VecX Poses(const Simulation& simulation) {
  const std::vector<Pose>& poses = simulation.kinematics().X_WB;
  VecX all(12 * static_cast<Eigen::Index>(poses.size()));
  for (std::size_t i = 0; i < poses.size(); ++i) {
    all.segment<3>(12 * static_cast<Eigen::Index>(i)) = poses[i].position;
    const Mat3 turn = poses[i].rotation.toRotationMatrix();
    all.segment<9>(12 * static_cast<Eigen::Index>(i) + 3) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(turn.data());
  }
  return all;
}

struct OrderCase {
  const char* name;
  const char* scene;  // a named one, or text
  double step = 2e-3, time = 0.5;
  Overrides overrides;
};

constexpr const char* kTop = R"(
bodies:
  - {name: top, mass: 1, com: [0, 0, 0.1], inertia: [0.002, 0.002, 0.001], shapes: [{type: sphere, radius: 0.01, collides: false}],
     rotation: {axis: [1, 0, 0], angle: 30*deg}, angular_velocity: [0, -25, 43.3]}
constraints:
  - {name: tip, type: loop, joint: spherical, between: [top, world], frames: [{}, {}]}
)";

constexpr const char* kRollingCoin = R"(
materials: [{name: default, friction: 1}]
world: {shapes: [{name: ground, type: plane}]}
bodies:
  - {name: coin, mass: 1, inertia: [1/16, 1/16, 1/8], position: [0, -2.351863653490492, 0.5*sin(70*deg)],
     rotation: {axis: [1, 0, 0], angle: 70*deg}, velocity: [2.351863653490492, 0, 0],
     angular_velocity: [0, 4.741451645402474, -0.7257472661390098], shapes: [{type: disk, radius: 0.5}]}
)";

constexpr const char* kTurntable = R"(
materials: [{name: default, friction: 1}]
bodies:
  - {name: table, mass: 10, inertia: [1, 1, 1], shapes: [{type: cylinder, radius: 1, length: 0.1}]}
  - {name: block, mass: 1, position: [0.5, 0, 0.07], velocity: [0, 1.5, 0], angular_velocity: [0, 0, 3],
     shapes: [{type: box, size: [0.04, 0.04, 0.04]}]}
joints: [{name: axle, child: table, type: revolute, axis: [0, 0, 1], velocity: 3}]
constraints: [{type: motion, coordinate: axle, rate: 3}]
)";

constexpr const char* kSpringMounted = R"(
materials: [{name: default, friction: 1}]
bodies:
  - {name: cart, mass: 2, inertia: [1, 1, 1], shapes: [{type: box, size: [1, 1, 0.1]}]}
  - {name: block, mass: 1, position: [0, 0, 0.15], velocity: [1, 0, 0], shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}
joints: [{name: rail, type: prismatic, child: cart, axis: [1, 0, 0], velocity: 1}]
drives: [{joint: rail, type: spring, stiffness: 100, damping: 0.5}]
)";

constexpr const char* kRubbingPendulum = R"(
bodies:
  - {name: rod, mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01], shapes: [{type: sphere, radius: 0.01, collides: false}]}
joints: [{name: hinge, child: rod, type: revolute, axis: [0, 1, 0], position: 1.2, velocity: 8, friction: 0.2, viscous_friction: 0.3}]
)";

class OrderTest : public ::testing::TestWithParam<OrderCase> {};

TEST_P(OrderTest, IsTwo) {
  const OrderCase& one = GetParam();
  const auto poses = [&](double step) {
    Overrides overrides = one.overrides;
    overrides.push_back({"stepper.step", Text(step)});
    const bool is_text = std::string(one.scene).find('\n') != std::string::npos;
    Simulation simulation = is_text ? FromText(one.scene, overrides) : Load(one.scene, overrides);
    RunUntil(one.time, &simulation);
    return Poses(simulation);
  };
  const VecX a = poses(one.step), b = poses(one.step / 2), c = poses(one.step / 4), d = poses(one.step / 8);
  // without an exact answer: differences of neighbours fall as the errors do
  ExpectOrderTwo((a - b).norm(), (b - c).norm(), (c - d).norm(), one.name);
}

INSTANTIATE_TEST_SUITE_P(Motions, OrderTest,
                         ::testing::Values(OrderCase{"DoublePendulum", "double-pendulum"},
                                           OrderCase{"Chain", "chain", 2e-3, 0.4, {{"repeat.links.count", "14"}}},
                                           OrderCase{"FourBar", "four-bar", 4e-3, 0.8}, OrderCase{"Bricard", "bricard"},
                                           OrderCase{"SpinningTop", kTop, 5e-4, 0.3},
                                           OrderCase{"RollingConstraint", "coin", 4e-3, 0.8},
                                           OrderCase{"RollingContact", kRollingCoin, 4e-3, 0.8},
                                           OrderCase{"Turntable", kTurntable, 4e-3, 0.8},
                                           OrderCase{"SpringMountedStick", kSpringMounted},
                                           OrderCase{"JointFriction", kRubbingPendulum, 2e-3, 0.3}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TurntableTest, StuckBlockStaysOnItsCircle) {
  Simulation simulation = FromText(kTurntable, {{"stepper.step", "0.001"}});
  RunUntil(3, &simulation);
  const Vec3& block = simulation.kinematics().X_WB[1].position;
  // a first-order step leads it out by 0.5 (exp(ω² h t/2) − 1) = 7 mm
  EXPECT_NEAR(std::hypot(block.x(), block.y()), 0.5, 2e-5);
}

// The slip that is remembered is that of the end of the step: what sticks on a body that turns does not slip, and keeps
// the static coefficient (0.46 is needed).
TEST(TurntableTest, StuckBlockKeepsItsStaticFriction) {
  for (const char* law : {"coulomb", "polygonal", "regularized", "liang", "max-dissipation", "cone"}) {
    SCOPED_TRACE(law);
    Simulation simulation =
        FromText(kTurntable, {{"stepper.step", "0.001"}, {"law", law}, {"materials.default.friction_kinetic", "0.3"}});
    RunUntil(1, &simulation);
    const Vec3& block = simulation.kinematics().X_WB[1].position;
    EXPECT_NEAR(std::hypot(block.x(), block.y()), 0.5, 1e-3);
  }
}

TEST(ChainTest, EnergyStaysWithinAThousandth) {
  Simulation simulation = Load("chain", {{"repeat.links.count", "14"}, {"stepper.step", "0.001"}});
  const double initial = simulation.energy().Total();
  double worst = 0, kinetic = 0;
  RunUntil(10, &simulation, [&](const Simulation& s) {
    worst = std::max(worst, std::abs(s.energy().Total() - initial));
    kinetic = std::max(kinetic, s.energy().kinetic);
  });
  EXPECT_LT(worst, 1e-3 * kinetic);
}

TEST(PendulumTest, EnergyDoesNotDriftInAMillionSteps) {
  Simulation simulation = Load("double-pendulum", {{"stepper.step", "0.002"}});
  const double initial = simulation.energy().Total();
  double early = 0, late = 0;
  for (int k = 0; k < 1000000; ++k) {
    simulation.Step();
    const double error = std::abs(simulation.energy().Total() - initial);
    (k < 100000 ? early : late) = std::max(k < 100000 ? early : late, error);
  }
  // The motion is chaotic, and its energy walks up and down at random: starts that are 1e-9 apart have ratios of 1.4 to
  // 3.3 and means of either sign. What drifts has ten times as much.
  EXPECT_LT(late, 6 * early);
  EXPECT_LT(late, 0.02 * std::abs(initial));
}

// Bodies that tumble without any force, at every step and speed.
TEST(FreeBodyTest, TumblingKeepsMomentumAndEnergy) {
  RandomSource random(7);
  for (int body = 0; body < 10; ++body) {
    const double a = random.Uniform(0.5, 1), b = random.Uniform(0.5, 1), c = random.Uniform(std::abs(a - b), a + b);
    const double speed = std::pow(10, random.Uniform(-1, 3)), step = std::pow(10, random.Uniform(-4, -1.7));
    const Vec3 spin = speed * Vec3(random.Uniform(-1, 1), random.Uniform(-1, 1), random.Uniform(-1, 1)).normalized();
    Simulation simulation = FromText(
        "gravity: [0, 0, 0]\nbodies:\n  - {name: b, mass: 1, com: [0.1, 0, -0.2], inertia: " + Text(Vec3(a, b, c)) +
            ", angular_velocity: " + Text(spin) + "}\n",
        {{"stepper.step", Text(step)}});
    const auto momentum = [&] {
      const Mat3& turn = simulation.kinematics().R_WB[0];
      return Vec3(turn * simulation.model().bodies[0].inertia * turn.transpose() *
                  simulation.kinematics().angular_velocity[0]);
    };
    const auto velocity = [&] {
      return simulation.kinematics().VelocityOfPoint(0, simulation.kinematics().X_WB[0] * Vec3(0.1, 0, -0.2));
    };
    const Vec3 first = momentum(), straight = velocity();
    const double energy = simulation.energy().Total();
    for (int k = 0; k < 20000; ++k) ASSERT_TRUE(simulation.Step().certificate.passed);
    EXPECT_LT((momentum() - first).norm(), 1e-12 * first.norm()) << speed << " " << step;
    EXPECT_LT((velocity() - straight).norm(), 1e-10 * straight.norm());
    EXPECT_NEAR(simulation.energy().Total(), energy, 1e-10 * energy) << speed << " " << step;
  }
}

std::string GasOf(int balls, double restitution) {
  std::string text = "gravity: [0, 0, 0]\nmaterials: [{name: default, friction: 0, restitution: " + Text(restitution) +
                     "}]\nworld:\n  shapes:\n";
  const std::string walls[6] = {"position: [0, 0, 0]",
                                "position: [0, 0, 1], rotation: {axis: [1, 0, 0], angle: 180*deg}",
                                "position: [0, 0, 0], rotation: {axis: [0, 1, 0], angle: 90*deg}",
                                "position: [1, 0, 0], rotation: {axis: [0, 1, 0], angle: -90*deg}",
                                "position: [0, 0, 0], rotation: {axis: [1, 0, 0], angle: -90*deg}",
                                "position: [0, 1, 0], rotation: {axis: [1, 0, 0], angle: 90*deg}"};
  for (const std::string& wall : walls) text += "    - {type: plane, " + wall + "}\n";
  text += "bodies:\n";
  RandomSource random(3);
  for (int i = 0; i < balls; ++i) {
    const Vec3 place(0.2 + 0.3 * (i % 3), 0.2 + 0.3 * (i / 3 % 3), 0.2 + 0.3 * (i / 9));
    const Vec3 velocity(random.Uniform(-5, 5), random.Uniform(-5, 5), random.Uniform(-5, 5));
    text += "  - {name: b" + std::to_string(i) + ", mass: " + Text(random.Uniform(0.5, 2)) +
            ", position: " + Text(place) + ", velocity: " + Text(velocity) +
            ", shapes: [{type: sphere, radius: 0.1}]}\n";
  }
  return text;
}

TEST(GasTest, ElasticBallsKeepTheirEnergy) {
  Simulation simulation = FromText(GasOf(20, 1), {{"stepper.step", "0.001"}});
  const double initial = simulation.energy().Total();
  RunUntil(10, &simulation);
  EXPECT_NEAR(simulation.energy().Total(), initial, 1e-4 * initial);
}

TEST(GasTest, BallsThatLoseNeverGain) {
  Simulation simulation = FromText(GasOf(20, 0.9), {{"stepper.step", "0.001"}});
  double last = simulation.energy().Total();
  RunUntil(2, &simulation, [&](const Simulation& s) {
    EXPECT_LE(s.energy().Total(), last * (1 + 1e-9));
    last = s.energy().Total();
  });
}

// Steady precession of a disk on its rim.
TEST(EulerDiskTest, TiltStays) {
  Simulation simulation = FromText(R"(
materials: [{name: default, friction: 1}]
world: {shapes: [{type: plane}]}
bodies:
  - {name: d, mass: 0.4, inertia: [0.00016, 0.00016, 0.00032], position: [0, 0, 0.013680805733026751],
     rotation: {axis: [0, 1, 0], angle: 0.3490658503988659}, angular_velocity: [-17.21258755762055, 0, 6.264869525674674],
     shapes: [{type: disk, radius: 0.04}]}
)",
                                   {{"stepper.step", "0.0002"}});
  const double initial = simulation.energy().Total();
  RunUntil(2, &simulation, [&](const Simulation& s) {
    const double tilt = std::acos(s.kinematics().R_WB[0](2, 2)) * 180 / M_PI;
    ASSERT_NEAR(tilt, 20, 0.1);
  });
  EXPECT_NEAR(simulation.energy().Total(), initial, 2e-3 * initial);
}

// One scene with lengths times `scale` and times by its root, under the same gravity.
class ScaledScene {
 public:
  explicit ScaledScene(double scale) : scale_(scale) {}

  std::string Length(double x) const { return Text(scale_ * x); }
  std::string Lengths(const Vec3& x) const { return Text(Vec3(scale_ * x)); }
  std::string Velocity(const Vec3& v) const { return Text(Vec3(std::sqrt(scale_) * v)); }
  std::string Spin(const Vec3& w) const { return Text(Vec3(w / std::sqrt(scale_))); }
  void Material(const std::string& text) { materials_ = text; }
  void Body(const std::string& shape, const Vec3& position, const Vec3& velocity, const Vec3& spin, double angle = 0) {
    bodies_ += "  - {name: b" + std::to_string(count_++) + ", density: 1000, position: " + Lengths(position) +
               ", velocity: " + Velocity(velocity) + ", angular_velocity: " + Spin(spin) +
               ", rotation: {axis: [1, 2, -1], angle: " + Text(angle) + "}, shapes: [" + shape + "]}\n";
  }
  std::string Box(const Vec3& size) const { return "{type: box, size: " + Lengths(size) + "}"; }
  std::string Ball(double radius) const { return "{type: sphere, radius: " + Length(radius) + "}"; }
  // Positions at a time in lengths of the scale.
  VecX Run(double step, double time) const {
    Simulation simulation = FromText(
        "materials: [{name: default, " + materials_ + "}]\nworld: {shapes: [{type: plane}]}\nbodies:\n" + bodies_,
        {{"stepper.step", Text(step * std::sqrt(scale_))}});
    const long steps = std::lround(time / step);
    for (long k = 0; k < steps; ++k) {
      if (!simulation.Step().certificate.finite) ADD_FAILURE() << "not finite";
    }
    VecX places(3 * count_);
    for (int i = 0; i < count_; ++i) places.segment<3>(3 * i) = simulation.BodyPose(i).position / scale_;
    return places;
  }

 private:
  double scale_;
  std::string materials_ = "friction: 0.5", bodies_;
  int count_ = 0;
};

using SceneMaker = void (*)(ScaledScene*);
struct ScaleCase {
  const char* name;
  SceneMaker make;
  double time;
};
class ScaleTest : public ::testing::TestWithParam<ScaleCase> {};

TEST_P(ScaleTest, MillimetresMetresAndKilometresMoveAlike) {
  const auto run = [&](double scale) {
    ScaledScene scene(scale);
    GetParam().make(&scene);
    return scene.Run(1e-3, GetParam().time);
  };
  const VecX metres = run(1);
  EXPECT_LT((run(1e-3) - metres).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT((run(1e3) - metres).lpNorm<Eigen::Infinity>(), 1e-6);
}

const ScaleCase kScaleCases[] = {
    {"PlasticThrow",
     [](ScaledScene* s) {
       s->Body(s->Box({1, 0.7, 0.5}), {0, 0, 1.5}, {1, 0.5, 0}, {2, 1, -1}, 0.7);
     },
     0.9},
    {"BouncingThrow",
     [](ScaledScene* s) {
       s->Material("friction: 0.4, restitution: 0.4");
       s->Body(s->Box({1, 1, 1}), {0, 0, 1.5}, {1, 0.5, 0}, {2, 1, -1}, 0.4);
     },
     0.9},
    {"Ball",
     [](ScaledScene* s) {
       s->Material("friction: 0.3, restitution: 0.7");
       s->Body(s->Ball(0.2), {0, 0, 1}, {1, 0, 0}, {0, -5, 3});
     },
     2},
    {"StaticAndKinetic",
     [](ScaledScene* s) {
       s->Material("friction: 0.6, friction_kinetic: 0.3");
       s->Body(s->Box({0.5, 0.5, 0.2}), {0, 0, 0.1}, {2, 1, 0}, {0, 0, 1});
     },
     1.2},
    {"Stack",
     [](ScaledScene* s) {
       for (int i = 0; i < 3; ++i)
         s->Body(s->Box({0.5, 0.5, 0.2}), {0.05 * i, 0, 0.1 + 0.21 * i}, Vec3::Zero(), Vec3::Zero());
     },
     0.5},
    {"Overlap",
     [](ScaledScene* s) {
       s->Body(s->Box({0.5, 0.5, 0.2}), {0, 0, 0.095}, Vec3::Zero(), Vec3::Zero());
       s->Body(s->Ball(0.2), {0.02, 0, 0.385}, Vec3::Zero(), Vec3::Zero());
     },
     0.3},
    {"Collision",
     [](ScaledScene* s) {
       s->Material("friction: 0.2, restitution: 0.8");
       s->Body(s->Ball(0.2), {0, 0, 0.2}, {3, 0, 0}, {0, 15, 0});
       s->Body(s->Ball(0.3), {1, 0.05, 0.3}, Vec3::Zero(), Vec3::Zero());
     },
     0.8},
    {"SpinningPuck",
     [](ScaledScene* s) {
       s->Body("{type: cylinder, radius: " + s->Length(0.3) + ", length: " + s->Length(0.1) + "}", {0, 0, 0.05},
               {1, 0, 0}, {0, 0, 8});
     },
     0.5},
    {"RollingFriction",
     [](ScaledScene* s) {
       s->Material("friction: 0.5, rolling_friction: " + s->Length(0.004));
       s->Body(s->Ball(0.2), {0, 0, 0.2}, {1, 0.5, 0}, {-2.5, 5, 0});
     },
     1},
    {"RollingCapsule",
     [](ScaledScene* s) {
       s->Body("{type: capsule, radius: " + s->Length(0.1) + ", length: " + s->Length(0.4) + "}", {0, 0, 0.6},
               {0.5, 0.2, 0}, {1, 0, 2}, 1);
     },
     0.6}};

INSTANTIATE_TEST_SUITE_P(Scenes, ScaleTest, ::testing::ValuesIn(kScaleCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace slipstick::internal
