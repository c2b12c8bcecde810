// What feeding in costs: an arm of six joints whose servos are written by the user, called before every step, against
// the same arm with nobody called. The servos' gains are zero, so that both go the same way and their steps cost the
// same. Public headers alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "slipstick/simulation/simulation.h"

namespace {

using slipstick::JointType, slipstick::Scene, slipstick::Simulation, slipstick::Vec3;

constexpr int kJoints = 6, kSteps = 20000, kRounds = 9;

Scene Arm() {
  Scene scene;
  for (int k = 0; k < kJoints; ++k) {
    const std::string name = "link" + std::to_string(k);
    scene.bodies.push_back({.name = name, .mass = 1, .inertia = 0.01 * slipstick::Mat3::Identity()});
    scene.joints.push_back(
        {.name = "joint" + std::to_string(k),
         .parent = k == 0 ? "world" : "link" + std::to_string(k - 1),
         .child = name,
         .parent_frame = {.position = Vec3(k == 0 ? 0 : 0.15, 0, 0)},
         .child_frame = {.position = Vec3(-0.15, 0, 0)},
         .links = {{.name = "joint" + std::to_string(k), .type = JointType::kRevolute, .axis = Vec3::UnitY()}}});
  }
  scene.stepper_settings = {{"step", 1e-3}};
  return scene;
}

double SecondsOf(Simulation* simulation) {
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < kSteps; ++k) simulation->Step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  Simulation plain(Arm()), fed(Arm());
  const slipstick::State start = plain.state();
  fed.BeforeEachStep([stiffness = 0.0, damping = 0.0](Simulation& s) {
    for (int k = 0; k < kJoints; ++k) s.SetEffort(k, -stiffness * s.state().q[k] - damping * s.state().v[k]);
  });
  std::vector<double> costs, steps;
  for (int round = 0; round < kRounds; ++round) {
    plain.SetState(start);
    fed.SetState(start);
    const double without = SecondsOf(&plain), with = SecondsOf(&fed);
    costs.push_back(1e6 * (with - without) / kSteps);
    steps.push_back(1e6 * without / kSteps);
  }
  std::sort(costs.begin(), costs.end());
  std::sort(steps.begin(), steps.end());
  fmt::print("a step without feedback: {:.3f} µs; what feedback adds: {:.3f} µs (median of {}), {:.3f} to {:.3f} µs\n",
             steps[kRounds / 2], costs[kRounds / 2], kRounds, costs.front(), costs.back());
}
