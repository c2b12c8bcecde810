// A feedback controller of one's own: a cart on a rail balances a pole, from a scene that is built in code. The
// controller is called at the start of every millisecond, reads the state and sets the force on the cart.
#include <slipstick/base/fault.h>
#include <slipstick/scene/build_scene.h>
#include <slipstick/simulation/simulation.h>

#include <cmath>
#include <cstdio>

using slipstick::JointType, slipstick::Scene, slipstick::Simulation, slipstick::Vec3;

Scene CartAndPole() {
  Scene scene;
  scene.bodies = {slipstick::BodyOfMass("cart", 1, {slipstick::BoxShape(Vec3(0.4, 0.2, 0.1))}),
                  slipstick::BodyOfMass("pole", 0.1, {slipstick::CapsuleShape(0.01, 1)})};
  scene.joints = {slipstick::JointOf("rail", JointType::kPrismatic, "world", "cart", Vec3::UnitX()),
                  slipstick::JointOf("hinge", JointType::kRevolute, "cart", "pole", Vec3::UnitY())};
  scene.joints[1].child_frame.position = Vec3(0, 0, -0.5);  // the pole's lower end
  scene.joints[1].links[0].position = {0.1};                // leans by 0.1 rad
  scene.stepper_settings = {{"step", 1e-3}};
  return scene;
}

int main() {
  try {
    Simulation simulation(CartAndPole());
    const int x = simulation.FindCoordinate("rail"), angle = simulation.FindCoordinate("hinge");
    const int rail = simulation.FindVelocity("rail"), hinge = simulation.FindVelocity("hinge");
    simulation.BeforeEachStep([=](Simulation& s) {
      const auto& [q, v] = std::tie(s.state().q, s.state().v);
      s.SetEffort(rail, 3 * q[x] + 5 * v[rail] + 60 * q[angle] + 15 * v[hinge]);
    });
    for (int k = 0; k < 10000; ++k) {
      simulation.Step();
      if (!simulation.certificate().passed) std::printf("%s\n", simulation.certificate().reason.c_str());
      if (k % 1000 == 0) {
        std::printf("%5.1f s: cart at %7.4f m, pole at %7.4f rad\n", simulation.time(), simulation.state().q[x],
                    simulation.state().q[angle]);
      }
    }
    return std::abs(simulation.state().q[angle]) < 1e-3 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
