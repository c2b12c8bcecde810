// A scene without a file: a box is thrown onto an incline with friction just above the tangent of its angle. It slides,
// comes to rest, and the forces of its contacts are read off.
#include <slipstick/base/fault.h>
#include <slipstick/geometry/mass_properties.h>
#include <slipstick/simulation/simulation.h>

#include <cmath>
#include <cstdio>

using slipstick::Box, slipstick::Plane, slipstick::Scene, slipstick::Simulation, slipstick::Vec3;

int main() {
  try {
    const double angle = 0.3;  // of gravity against the incline's normal
    Scene scene;
    scene.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
    scene.default_material.properties.friction = std::tan(angle) + 0.05;
    scene.world_shapes.push_back({.name = "incline", .geometry = Plane()});
    const Box box{.half_extents = Vec3(0.2, 0.1, 0.05)};
    const slipstick::MassProperties mass = slipstick::UniformMassProperties(box, 500).value();
    scene.bodies.push_back({.name = "box",
                            .mass = mass.mass,
                            .com = mass.com,
                            .inertia = mass.inertia,
                            .pose = {.position = Vec3(0, 0, 0.05)},
                            .linear_velocity = Vec3(1, 0.5, 0),
                            .shapes = {{.name = "box", .geometry = box}}});
    Simulation simulation(scene);
    long failed = 0;
    while (simulation.time() < 5) {
      simulation.Step();
      failed += simulation.certificate().passed ? 0 : 1;
    }
    const int body = simulation.FindBody("box");
    for (const slipstick::ContactReading& contact : simulation.Contacts()) {
      std::printf("contact at (%.3f, %.3f): normal force %.3f N, friction %.3f N\n", contact.position.x(),
                  contact.position.y(), contact.force.dot(contact.normal),
                  (contact.force - contact.force.dot(contact.normal) * contact.normal).norm());
    }
    const Vec3 force = simulation.ContactForce(body, Simulation::kWorldBody);
    std::printf("together (%.4f, %.4f, %.4f) N, weight %.4f N; %ld failed steps\n", force.x(), force.y(), force.z(),
                mass.mass * 9.81, failed);
    return failed == 0 && (force + mass.mass * scene.gravity).norm() < 1e-6 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
