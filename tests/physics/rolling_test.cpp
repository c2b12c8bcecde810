#include "tests/physics/scene_runs.h"

// Rolling and spinning friction by closed forms, in the exact law and in the convex one.

namespace slipstick::internal {
namespace {

const char* const kLaws[] = {"coulomb", "cone"};

double VelocityOf(const Simulation& simulation, int i) { return simulation.state().v[i]; }

struct Stop {
  double time = 0, distance = 0;
};

// Until the first coordinate stands still.
Stop RunToRest(Simulation* simulation, double longest) {
  Stop stop;
  RunUntil(longest, simulation, [&](const Simulation& s) {
    if (stop.time == 0 && VelocityOf(s, 0) == 0) stop = {s.state().time, s.state().q[0]};
  });
  return stop;
}

// Tasora & Anitescu §6.1: a = ρMgR/(J + MR²) = 0.14 m/s², 7.142857 s, 3.571429 m.
TEST(RollingFriction, DiskStopsByTheClosedForm) {
  const double deceleration = 0.02 * 10 * 9.8 / (4 + 10), time = 1 / deceleration, distance = 0.5 / deceleration;
  for (const char* law : kLaws) {
    for (const double h : {0.01, 0.005, 0.0025}) {
      SCOPED_TRACE(std::string(law) + " at " + Text(h));
      Simulation simulation = Load("disk", {{"law", law}, {"stepper.step", Text(h)}});
      // constant deceleration from the first step to the last but one
      RunUntil(0.5, &simulation);
      const double v = VelocityOf(simulation, 0);
      RunUntil(6.5, &simulation);
      EXPECT_NEAR((v - VelocityOf(simulation, 0)) / 6, deceleration, 1e-9);
      const Stop stop = RunToRest(&simulation, 8);
      EXPECT_GE(stop.time, time - 1e-9);
      EXPECT_LE(stop.time, time + h + 1e-9);
      // positions move with the new velocity: the sum of h v falls short of the integral by h v₀/2, and the last step,
      // which ends at rest, by a second-order rest
      EXPECT_NEAR(stop.distance, distance - h / 2, h * h);
      EXPECT_EQ(simulation.state().q[0], stop.distance);
    }
  }
}

// Φ/h keeps what the relaxation adds to the gap at hρ|ω|; at the velocity level it adds up to ρx/R.
TEST(RollingFriction, GapOfTheConvexLaw) {
  const double h = 0.01, rho = 0.02;
  Simulation full = Load("disk"), level = Load("disk", {{"law.gaps", "skin"},
                                                        {"stepper.gap_correction", "0"},
                                                        {"stepper.contact_skin", "1"},
                                                        {"stepper.contact_margin", "1"}});
  RunUntil(3, &full, [&](const Simulation& s) {
    const double expected = h * rho * VelocityOf(s, 2);
    EXPECT_NEAR(s.state().q[1] - 1, expected, 1e-9);
    EXPECT_NEAR(s.last_step().certificate.relaxation_gap, expected, 1e-9);
  });
  RunUntil(8, &level);
  EXPECT_NEAR(level.state().q[1] - 1, rho * level.state().q[0], 1e-9);
  EXPECT_GT(level.state().q[1] - 1, 0.07);
  Simulation exact = Load("disk", {{"law", "coulomb"}});
  RunUntil(8, &exact, [](const Simulation& s) { EXPECT_NEAR(s.state().q[1], 1, 1e-9); });
  EXPECT_EQ(exact.last_step().certificate.relaxation_gap, 0);
}

// At rest it stays, to the last bit, for ever: level, and on slopes up to tan α = ρ/R.
TEST(RollingFriction, DiskRestsExactly) {
  for (const char* law : kLaws) {
    for (const double slope : {0.0, 0.3, 0.999}) {
      SCOPED_TRACE(std::string(law) + ", " + Text(slope) + " of the limit");
      const double angle = std::atan(slope * 0.02);
      Simulation simulation = Load("disk", {{"law", law},
                                            {"gravity", Text(Vec3(9.8 * std::sin(angle), 0, -9.8 * std::cos(angle)))},
                                            {"joints.plane.chain.x.velocity", "0"},
                                            {"joints.plane.chain.roll.velocity", "0"},
                                            {"joints.plane.chain.x.position", "1/3"}});
      RunUntil(0.5, &simulation);
      const State rest = simulation.state();
      EXPECT_EQ(rest.v.norm(), 0.0);
      EXPECT_NEAR(rest.q[0], 1.0 / 3, 1e-12);
      RunUntil(200, &simulation);
      EXPECT_EQ((simulation.state().q - rest.q).norm(), 0.0);
      EXPECT_EQ(simulation.state().v.norm(), 0.0);
    }
    // beyond the limit it rolls down: a = g (sin α − (ρ/R) cos α) M R²/(J + M R²)
    const double angle = std::atan(1.5 * 0.02);
    Simulation simulation = Load("disk", {{"law", law},
                                          {"gravity", Text(Vec3(9.8 * std::sin(angle), 0, -9.8 * std::cos(angle)))},
                                          {"joints.plane.chain.x.velocity", "0"},
                                          {"joints.plane.chain.roll.velocity", "0"}});
    RunUntil(1, &simulation);
    EXPECT_NEAR(VelocityOf(simulation, 0), 9.8 * (std::sin(angle) - 0.02 * std::cos(angle)) * 10 / 14, 1e-6);
  }
}

// The disk that has rolled to rest rests exactly too.
TEST(RollingFriction, DiskStaysWhereItStopped) {
  for (const char* law : kLaws) {
    Simulation simulation = Load("disk", {{"law", law}});
    RunUntil(7.3, &simulation);
    const State rest = simulation.state();
    EXPECT_EQ(rest.v.head<1>().norm() + rest.v.tail<1>().norm(), 0.0);
    RunUntil(100, &simulation);
    EXPECT_EQ(simulation.state().q[0], rest.q[0]);
    EXPECT_EQ(simulation.state().q[2], rest.q[2]);
    EXPECT_EQ(simulation.state().v.norm(), 0.0);
  }
}

// Ball: ρmg = (I + mR²)a/R, so a = 5ρg/(7R), whatever the direction; the path is straight.
TEST(RollingFriction, BallRollsToRest) {
  const double rho = 2e-3, radius = 0.05, deceleration = 5 * rho * 9.81 / (7 * radius), h = 0.002;
  for (const char* law : kLaws) {
    SCOPED_TRACE(law);
    Simulation simulation = Load("rolling-ball", {{"law", law}});
    RunUntil(1, &simulation);
    EXPECT_NEAR(simulation.kinematics().linear_velocity[0].norm(), 1 - deceleration, 1e-6);
    RunUntil(1 / deceleration + 0.05, &simulation);
    const Vec3 end = simulation.kinematics().X_WB[0].position;
    EXPECT_NEAR(std::hypot(end.x(), end.y()), 0.5 / deceleration, 3 * h * h);
    EXPECT_NEAR(end.y() / end.x(), 4.0 / 3, 1e-9);
    EXPECT_EQ(simulation.state().v.norm(), 0.0);
    const State rest = simulation.state();
    RunUntil(30, &simulation);
    EXPECT_EQ((simulation.state().q - rest.q).norm(), 0.0);
  }
}

// Spinning: ω̇ = −σmg/I with I = 2/5 mR². A top, with an inertia of its own about the vertical, likewise.
TEST(SpinningFriction, BallAndTopSpinDown) {
  const double sigma = 1e-3, radius = 0.05, mass = 0.5, h = 0.002;
  for (const char* law : kLaws) {
    for (const bool top : {false, true}) {
      SCOPED_TRACE(std::string(law) + (top ? ", top" : ", ball"));
      const double inertia = top ? 1.3e-3 : 0.4 * mass * radius * radius, rate = sigma * mass * 9.81 / inertia;
      Overrides overrides = {{"law", law}};
      if (top) overrides.push_back({"bodies.ball.inertia", "[1e-3, 1e-3, 1.3e-3]"});
      if (top) overrides.push_back({"bodies.ball.angular_velocity", "[0, 0, 5]"});
      const double speed = top ? 5 : 20, time = speed / rate;
      Simulation simulation = Load("spinning-ball", overrides);
      RunUntil(std::round(time / 2 / h) * h, &simulation);
      // in the convex law the gap hσω closes at hσω̇ meanwhile, and that much normal impulse is missing
      const double missing = std::string(law) == "cone" ? sigma * mass * h * sigma * rate / inertia : 0.0;
      EXPECT_NEAR(simulation.kinematics().angular_velocity[0].z(), speed - rate * simulation.state().time + missing,
                  1e-8);
      RunUntil(std::ceil(time / h) * h - h, &simulation);
      EXPECT_GT(simulation.kinematics().angular_velocity[0].z(), 0.0);
      RunUntil(std::ceil(time / h) * h + h, &simulation);
      EXPECT_EQ(simulation.kinematics().angular_velocity[0].z(), 0.0);
      EXPECT_LE(simulation.kinematics().X_WB[0].position.head<2>().norm(), 1e-12);
    }
  }
}

// Rolling friction alone does not touch spinning, and the other way round.
TEST(SpinningFriction, PartsAreIndependent) {
  Simulation rolls = Load(
      "spinning-ball",
      {{"materials.felt.spinning_friction", "0"}, {"materials.felt.rolling_friction", "1e-3"}, {"law", "coulomb"}});
  RunUntil(1, &rolls);
  EXPECT_NEAR(rolls.kinematics().angular_velocity[0].z(), 20, 1e-9);
  Simulation spins = Load(
      "rolling-ball",
      {{"materials.felt.spinning_friction", "1e-3"}, {"materials.felt.rolling_friction", "0"}, {"law", "coulomb"}});
  RunUntil(1, &spins);
  EXPECT_NEAR(spins.kinematics().linear_velocity[0].norm(), 1, 1e-9);
}

// Launched without spin a ball ends rolling at 5/7 of its speed: angular momentum about the path is kept, whatever the
// normal force does. The convex law makes it hop at first; what it loses in height it cannot lose in speed.
TEST(RollingFriction, SlidingBallReachesFiveSevenths) {
  Simulation simulation = Load("ball-slide", {{"law", "cone"}, {"stepper.duration", "6"}});
  RunUntil(6, &simulation);
  EXPECT_NEAR(simulation.kinematics().linear_velocity[0].x(), 5, 1e-6);
  EXPECT_NEAR(simulation.kinematics().angular_velocity[0].y(), 50, 1e-5);
  // with rolling friction it comes to rest after that
  for (const char* law : kLaws) {
    Simulation slows = Load("ball-slide", {{"law", law}, {"materials.cloth.rolling_friction", "0.01"}});
    RunUntil(30, &slows);
    EXPECT_EQ(slows.state().v.norm(), 0.0) << law;
  }
}

// A body at rest on a spring of given stiffness sinks by mg/k; on Hertz's law by (mg/κ)^(2/3).
TEST(ContactStiffness, BallSinksByItsWeight) {
  const double weight = 0.5 * 9.81, radius = 0.05;
  for (const char* law : kLaws) {
    SCOPED_TRACE(law);
    Simulation spring = Load("rolling-ball", {{"law", law},
                                              {"materials.felt.normal_stiffness", "2e4"},
                                              {"bodies.ball.velocity", "[0, 0, 0]"},
                                              {"bodies.ball.angular_velocity", "[0, 0, 0]"}});
    RunUntil(2, &spring);
    // two surfaces of 2e4 N/m in series
    EXPECT_NEAR(radius - spring.kinematics().X_WB[0].position.z(), weight / 1e4, 1e-9);
    Simulation hertz = Load("rolling-ball", {{"law", law},
                                             {"materials.felt.young_modulus", "1e7"},
                                             {"materials.felt.poisson_ratio", "0.5"},
                                             {"bodies.ball.velocity", "[0, 0, 0]"},
                                             {"bodies.ball.angular_velocity", "[0, 0, 0]"}});
    RunUntil(2, &hertz);
    const double modulus = 1e7 / (2 * 0.75), stiffness = 4.0 / 3 * modulus * std::sqrt(radius);
    EXPECT_NEAR(radius - hertz.kinematics().X_WB[0].position.z(), std::pow(weight / stiffness, 2.0 / 3), 1e-9);
  }
}

// Newton's method on Hertz's law: a few programs from nothing, about two once forces are steady. Balls without load
// between their raceways are the hard part, as what little they carry changes by powers of ten from step to step.
TEST(ContactStiffness, HertzTakesFewPrograms) {
  for (const char* load : {"[0, 0, -245]", "[0, 0, -490]"}) {
    SCOPED_TRACE(load);
    Simulation simulation = Load("guideway", {{"forces.load.force", load},
                                              {"materials.steel.rolling_friction", "0"},
                                              {"constraints.drive.rate", "0.1*smooth(t/0.02)"},
                                              {"stepper.step", "0.002"}});
    RunUntil(0.03, &simulation, [](const Simulation& s) {
      EXPECT_LE(s.last_step().programs, s.state().time < 0.003 ? 10 : 5) << s.state().time;
    });
  }
}

// Laws without these say so, and name those that have them.
TEST(RollingFriction, LawsWithoutItAreRefused) {
  for (const char* law : {"regularized", "bristle", "liang", "box", "polygonal"}) {
    try {
      Load("disk", {{"law", law}});
      ADD_FAILURE() << law;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("coulomb, cone"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("rolling"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace slipstick::internal
