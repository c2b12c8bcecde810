#include "slipstick/solver/compact/contact_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace slipstick::internal {

namespace {

double Seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Free spheres on a jittered cubic lattice that fall on each other and on the ground: three contacts a sphere.
CompactProgram Heap(int side, bool moments) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  const double radius = 0.02;
  CompactProgram program;
  std::vector<Vec3> centre;
  for (int k = 0; k < side * side * side; ++k) {
    CompactBody body;
    const double mass = 0.07 * (1 + 0.2 * uniform(random));
    body.inverse_mass = 1 / mass;
    body.inverse_inertia = Mat3::Identity() / (0.4 * mass * radius * radius);
    body.velocity = 0.01 * vector() - Vec3(0, 0, 0.05);
    program.bodies.push_back(body);
    centre.push_back(2 * radius * Vec3(k / (side * side), k / side % side, k % side) + 0.1 * radius * vector());
  }
  for (int a = 0; a < side * side * side; ++a) {
    for (int step : {1, side, side * side}) {
      CompactContact contact;
      contact.body_a = a;
      contact.friction = 0.6;
      contact.rolling = contact.spinning = moments ? 0.001 : 0;
      if (a / step % side > 0) {
        const Vec3 between = centre[a] - centre[a - step];
        contact.body_b = a - step;
        contact.normal = between.normalized();
        contact.arm_a = -0.5 * between;
        contact.arm_b = 0.5 * between;
      } else if (step == 1) {
        contact.arm_a = {0, 0, -radius};
      } else {
        continue;
      }
      program.contacts.push_back(contact);
    }
  }
  return program;
}

// The iterations alone: the time of many less the time of few.
double NanosecondsPerContact(const CompactProgram& program, int threads) {
  constexpr int kFew = 16, kMany = 116;
  const auto team = std::make_shared<ThreadTeam>(threads);
  const auto best = [&](int iterations) {
    ContactSweep solver({.max_iterations = iterations}, team);
    double least = 1e9;
    for (int run = 0; run < 7; ++run) {
      CompactImpulses impulses;
      const double begin = Seconds();
      solver.Solve(program, 0, &impulses);
      if (run > 0) least = std::min(least, Seconds() - begin);
    }
    return least;
  };
  return 1e9 * (best(kMany) - best(kFew)) / (kMany - kFew) / program.size();
}

}  // namespace
}  // namespace slipstick::internal

int main() {
  using namespace slipstick::internal;
  fmt::print(
      "| spheres | contacts | rows | ns per contact and sweep, 1 thread | 2 threads | ratio "
      "|\n|---|---|---|---|---|---|\n");
  for (int side : {10, 22, 46}) {
    for (bool moments : {false, true}) {
      const CompactProgram program = Heap(side, moments);
      const double one = NanosecondsPerContact(program, 1), two = NanosecondsPerContact(program, 2);
      fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} |\n", program.bodies.size(), program.size(),
                 moments ? 6 : 3, one, two, one / two);
    }
  }
}
