// A scene without a file: a box is thrown onto an incline with friction just above the tangent of its angle. It slides,
// comes to rest, and the forces of its contacts are read off.
#include <slipstick/base/fault.h>
#include <slipstick/scene/build_scene.h>
#include <slipstick/simulation/simulation.h>

#include <cmath>
#include <cstdio>

using slipstick::Scene, slipstick::Simulation, slipstick::Vec3;

int main() {
  try {
    const double angle = 0.3;  // of gravity against the incline's normal
    Scene scene;
    scene.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
    scene.default_material.properties.friction = std::tan(angle) + 0.05;
    scene.world_shapes = {slipstick::PlaneShape()};
    scene.bodies = {slipstick::BodyOfDensity("box", 500, {slipstick::BoxShape(Vec3(0.4, 0.2, 0.1))})};
    scene.bodies[0].pose.position = Vec3(0, 0, 0.05);
    scene.bodies[0].linear_velocity = Vec3(1, 0.5, 0);

    Simulation simulation(scene);
    long failed = 0;
    while (simulation.time() < 5) {
      simulation.Step();
      failed += simulation.certificate().passed ? 0 : 1;
    }
    for (const slipstick::ContactReading& contact : simulation.Contacts()) {
      const double normal = contact.force.dot(contact.normal);
      std::printf("contact at (%.3f, %.3f): normal force %.3f N, friction %.3f N\n", contact.position.x(),
                  contact.position.y(), normal, (contact.force - normal * contact.normal).norm());
    }
    const Vec3 force = simulation.ContactForce(simulation.FindBody("box"), Simulation::kWorldBody);
    const Vec3 weight = scene.bodies[0].mass * scene.gravity;
    std::printf("together (%.4f, %.4f, %.4f) N against a weight of (%.4f, %.4f, %.4f) N; %ld failed steps\n", force.x(),
                force.y(), force.z(), weight.x(), weight.y(), weight.z(), failed);
    return failed == 0 && (force + weight).norm() < 1e-6 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
