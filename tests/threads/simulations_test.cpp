#include <gtest/gtest.h>

#include <thread>

#include "slipstick/model/compile_model.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/time_stepper.h"

// Simulations share nothing that they write: several at once, each in a thread, give the bits that they give one after
// the other; also where they were made from copies of one method.

namespace slipstick::internal {
namespace {

Scene Balls(const std::string& law, const std::string& solver) {
  Scene scene;
  scene.law = law;
  scene.solver = solver;
  if (solver == "contact-sweep") scene.solver_settings = {{"threads", 2.0}};
  scene.default_material.properties.friction = 0.5;
  scene.world_shapes.push_back({.name = "ground", .geometry = Plane()});
  for (int k = 0; k < 8; ++k) {
    scene.bodies.push_back({.name = "ball" + std::to_string(k),
                            .mass = 1,
                            .inertia = 0.004 * Mat3::Identity(),
                            .pose = {.position = Vec3(0.03 * (k % 3), 0.02 * (k % 2), 0.1 + 0.19 * k)},
                            .shapes = {{.name = "ball", .geometry = Sphere{.radius = 0.1}}}});
  }
  scene.stepper_settings = {{"step", 5e-3}};
  return scene;
}

std::uint64_t Run(Simulation* simulation) {
  for (int k = 0; k < 60; ++k) simulation->Step();
  return simulation->StateHash();
}

template <typename Make>
void ExpectSameBitsInThreads(const Make& make) {
  Simulation alone = make();
  const std::uint64_t expected = Run(&alone);
  std::vector<Simulation> simulations;
  for (int k = 0; k < 3; ++k) simulations.push_back(make());
  std::vector<std::uint64_t> hashes(simulations.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < simulations.size(); ++k) {
    threads.emplace_back([&, k] { hashes[k] = Run(&simulations[k]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, expected);
}

TEST(SimulationsInThreads, OfOneScene) {
  for (const auto& [law, solver] : {std::pair("cone", "contact-sweep"), std::pair("coulomb", "auto"),
                                    std::pair("regularized", "auto"), std::pair("max-dissipation", "auto")}) {
    SCOPED_TRACE(law);
    const Scene scene = Balls(law, solver);
    ExpectSameBitsInThreads([&] { return Simulation(scene); });
  }
}

TEST(SimulationsInThreads, OfCopiesOfOneMethod) {
  const Scene scene = Balls("cone", "contact-sweep");
  std::vector<Fault> faults;
  const Method method = MakeMethod(scene.law, {}, scene.solver, scene.solver_settings, &faults);
  ASSERT_TRUE(faults.empty());
  ExpectSameBitsInThreads([&] {
    auto parts = std::make_unique<SimulationParts>();
    parts->model = std::make_shared<Model>(CompileModel(scene));
    parts->method = method;
    parts->stepper =
        std::make_unique<TimeStepper>(parts->model, method, TimeSteppingSettings{.step = 5e-3}, parts->tolerances);
    return Simulation(std::move(parts));
  });
}

}  // namespace
}  // namespace slipstick::internal
