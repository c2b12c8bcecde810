#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <cstdio>

#include "bench/granular.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

// How time and memory of a step grow with the number of stones: a block of spheres on a lattice that just touch, at
// rest under gravity in a box, with rolling and spinning friction, equal numbers of sweeps in every step. The same
// spheres as columns that do not touch each other have a third of the contacts: so what a contact takes is told from
// what a body takes.

namespace slipstick::internal {
namespace {

constexpr int kSweeps = 20, kWarmSteps = 3, kSteps = 5;

std::string Block(int side, bool as_columns) {
  constexpr double kRadius = 0.02;
  const double pitch = (as_columns ? 2.5 : 2) * kRadius, half = 0.5 * side * pitch;
  return fmt::format(
      "format: slipstick-scene 1\n"
      "materials: [{{name: default, friction: 0.6, rolling_friction: 0.001, spinning_friction: 0.001}}]\n"
      "world:\n  shapes:\n"
      "    - {{type: plane, name: floor}}\n"
      "    - {{type: plane, name: west, position: [{0}, 0, 0], rotation: {{axis: [0, 1, 0], angle: 90*deg}}}}\n"
      "    - {{type: plane, name: east, position: [{1}, 0, 0], rotation: {{axis: [0, 1, 0], angle: -90*deg}}}}\n"
      "    - {{type: plane, name: south, position: [0, {0}, 0], rotation: {{axis: [1, 0, 0], angle: -90*deg}}}}\n"
      "    - {{type: plane, name: north, position: [0, {1}, 0], rotation: {{axis: [1, 0, 0], angle: 90*deg}}}}\n"
      "groups:\n"
      "  - name: stone\n"
      "    template: {{density: 2000, shapes: [{{type: sphere, radius: {2}}}]}}\n"
      "    lattice: {{counts: [{3}, {3}, {3}], spacing: [{4}, {4}, {7}], origin: [{5}, {5}, {2}]}}\n"
      "law: cone\nsolver: {{name: contact-sweep, tolerance: 1e-15, max_iterations: {6}}}\nstepper: {{step: 0.002}}\n",
      -half, half, kRadius, side, pitch, 0.5 * pitch - half, kSweeps, 2 * kRadius);
}

double HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

struct Growth {
  double bodies = 0, contacts = 0, milliseconds = 0, bytes_at_rest = 0, bytes_in_step = 0;
};

Growth Measure(int side, bool as_columns) {
  const double before = HeapBytes();
  Simulation simulation = Simulation(ReadSceneText(Block(side, as_columns), "block.yaml", {}));
  Growth growth;
  growth.bodies = std::pow(side, 3);
  growth.bytes_at_rest = HeapBytes() - before;
  for (int k = 0; k < kWarmSteps; ++k) simulation.Step();
  const double begin = ThreadSeconds();
  for (int k = 0; k < kSteps; ++k) simulation.Step();
  growth.milliseconds = 1e3 * (ThreadSeconds() - begin) / kSteps;
  growth.contacts = simulation.last_step().problem.contacts.size();
  growth.bytes_in_step = HeapBytes() - before - growth.bytes_at_rest;
  return growth;
}

}  // namespace
}  // namespace slipstick::internal

int main() {
  using slipstick::internal::Growth;
  fmt::print(
      "| stones | contacts | ms a step | µs a contact | exponent | bytes a stone before | in steps, bytes a stone | "
      "a contact | both, over contacts |\n|---|---|---|---|---|---|---|---|---|\n");
  Growth last;
  for (const int side : {10, 22, 46}) {
    const Growth now = slipstick::internal::Measure(side, false), columns = slipstick::internal::Measure(side, true);
    const double a_contact = (now.bytes_in_step - columns.bytes_in_step) / (now.contacts - columns.contacts);
    const double a_body = (now.bytes_in_step - a_contact * now.contacts) / now.bodies;
    const double exponent =
        last.bodies > 0 ? std::log(now.milliseconds / last.milliseconds) / std::log(now.bodies / last.bodies) : NAN;
    fmt::print("| {:.0f} | {:.0f} | {:.2f} | {:.3f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", now.bodies,
               now.contacts, now.milliseconds, 1e3 * now.milliseconds / now.contacts, exponent,
               now.bytes_at_rest / now.bodies, a_body, a_contact, now.bytes_in_step / now.contacts);
    std::fflush(stdout);
    last = now;
  }
}
