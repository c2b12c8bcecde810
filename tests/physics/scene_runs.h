#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// Named scenes, run with overrides, whose certificate must pass in every step.

namespace slipstick::internal {

using Overrides = std::vector<Override>;

// With all its digits, as the value of an override.
inline std::string Text(double number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", number);
  return buffer;
}
inline std::string Text(const Vec3& v) { return "[" + Text(v[0]) + ", " + Text(v[1]) + ", " + Text(v[2]) + "]"; }

inline Simulation Load(const std::string& scene, const Overrides& overrides = {}) {
  return Simulation(ReadScene(FindScene(scene), overrides));
}

// Steps until `time`, calling `after(simulation)` after each step; the first failed certificate is a failure of the
// test.
template <typename After>
void RunUntil(double time, Simulation* simulation, After&& after) {
  bool told = false;
  const long steps = std::lround((time - simulation->state().time) / simulation->step());
  for (long k = 0; k < steps; ++k) {
    const StepRecord& record = simulation->Step();
    if (!record.certificate.passed && !told) {
      told = true;
      ADD_FAILURE() << "at " << record.time << " s: " << record.certificate.reason;
    }
    ASSERT_TRUE(record.certificate.finite);
    after(*simulation);
  }
}
inline void RunUntil(double time, Simulation* simulation) {
  RunUntil(time, simulation, [](const Simulation&) {});
}

// Total force of all contacts on their first shapes' bodies in the last step [N].
inline Vec3 ContactForce(const Simulation& simulation) {
  const StepRecord& record = simulation.last_step();
  const ContactSet& contacts = record.problem.contacts;
  Vec3 impulse = Vec3::Zero();
  for (int i = 0; i < contacts.size(); ++i) {
    impulse += record.solution.Normal(i) * contacts.normal(i) + contacts.World(i, record.solution.Tangential(i));
  }
  return impulse / record.problem.step;
}

// The first-order scheme, whose discrete closed forms some tests know.
inline Override SemiImplicit() { return {"stepper.scheme", "semi-implicit"}; }

// Halving the step must halve the error: order 1.
inline void ExpectOrderOne(double coarse, double middle, double fine, const char* what) {
  EXPECT_GT(coarse / middle, 1.7) << what << ": " << coarse << " " << middle << " " << fine;
  EXPECT_LT(coarse / middle, 2.3) << what << ": " << coarse << " " << middle << " " << fine;
  EXPECT_GT(middle / fine, 1.7) << what << ": " << coarse << " " << middle << " " << fine;
  EXPECT_LT(middle / fine, 2.3) << what << ": " << coarse << " " << middle << " " << fine;
}

// Halving the step must quarter the error: order 2.0 ± 0.1.
inline void ExpectOrderTwo(double coarse, double middle, double fine, const char* what) {
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.1) << what << ": " << coarse << " " << middle << " " << fine;
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.1) << what << ": " << coarse << " " << middle << " " << fine;
}

// y(time) of ẏ = f(y) by the classical Runge–Kutta method.
template <typename Vector, typename F>
Vector RungeKutta(F&& f, Vector y, double time, int steps) {
  const double h = time / steps;
  for (int k = 0; k < steps; ++k) {
    const Vector a = f(y);
    const Vector b = f(y + 0.5 * h * a);
    const Vector c = f(y + 0.5 * h * b);
    const Vector d = f(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

}  // namespace slipstick::internal
