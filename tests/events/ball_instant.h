#pragma once

#include <string>

#include "slipstick/events/smooth_forces.h"
#include "tests/physics/scene_runs.h"

namespace slipstick::internal {

// A ball of 1 kg and radius 0.1 m that touches the ground of μ = 0.5, with a force on its centre: one instant of it,
// with all that the functions of an event ask for.
struct BallInstant {
  static constexpr double kMass = 1, kRadius = 0.1, kMu = 0.5, kG = 9.81;
  static constexpr double kInertia = 0.4 * kMass * kRadius * kRadius;

  BallInstant(const Vec3& force, const Vec3& velocity, const Vec3& angular_velocity)
      : simulation(Simulation(ReadSceneText(YamlOf(force, velocity, angular_velocity), "ball.yaml"))),
        evaluator(simulation.model()) {
    evaluator.SetMargins(std::vector<double>(simulation.model().shapes.size(), 1e-4));
    evaluator.Evaluate(simulation.model().initial_state, &instant);
  }

  static std::string YamlOf(const Vec3& force, const Vec3& velocity, const Vec3& angular_velocity) {
    return R"(
format: slipstick-scene 1
materials: [{name: wood, friction: 0.5}]
world: {shapes: [{type: plane, material: wood}]}
bodies:
  - name: ball
    mass: 1
    inertia: [0.004, 0.004, 0.004]
    position: [0, 0, 0.1]
    velocity: )" +
           Text(velocity) + "\n    angular_velocity: " + Text(angular_velocity) + R"(
    shapes: [{type: sphere, radius: 0.1, material: wood}]
forces: [{body: ball, force: )" +
           Text(force) + R"(}]
law: coulomb
stepper: {name: event-driven, step: 0.01, duration: 1}
)";
  }

  // Its one contact, closed.
  Modes Closed(ClosedMode mode) const {
    ClosedContact contact;
    contact.point = instant.points.at(0);
    contact.key = contact.point.key;
    contact.mode = mode;
    Modes modes;
    modes.contacts = {contact};
    return modes;
  }

  Simulation simulation;
  InstantEvaluator evaluator;
  Instant instant;
};

}  // namespace slipstick::internal
