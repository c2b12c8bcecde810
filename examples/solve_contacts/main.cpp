// Another simulator's view of the library: it has bodies, masses and contacts of its own, hands the numbers of one step
// over, and gets the impulses back with a residual that no solver had a hand in.
//
// Here a step of 10 ms of a crate of 2 kg on four feet that is pushed sideways with 15 N; friction 0.5.
#include <slipstick/base/fault.h>
#include <slipstick/solve/solve_contacts.h>

#include <cstdio>

using slipstick::MatX, slipstick::Vec3, slipstick::VecX;

int main() {
  const double step = 0.01, mass = 2, inertia = 0.1;
  const Vec3 feet[] = {{0.3, 0.2, -0.25}, {0.3, -0.2, -0.25}, {-0.3, 0.2, -0.25}, {-0.3, -0.2, -0.25}};
  // six velocities of the crate, linear, then angular
  slipstick::ContactStep problem;
  problem.M = MatX::Zero(6, 6);
  problem.M.diagonal() << mass, mass, mass, inertia, inertia, inertia;
  problem.H = MatX::Zero(6, 12);
  for (int foot = 0; foot < 4; ++foot) {
    const Vec3 directions[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) {
      problem.H.block<3, 1>(0, 3 * foot + k) = directions[k];
      problem.H.block<3, 1>(3, 3 * foot + k) = feet[foot].cross(directions[k]);
    }
  }
  problem.f = VecX::Zero(6);
  problem.f.head<3>() = step * Vec3(15, 0, -mass * 9.81);
  problem.w = VecX::Zero(12);
  problem.friction = VecX::Constant(4, 0.5);
  try {
    const slipstick::ContactStepAnswer answer = slipstick::SolveContacts(problem, 1e-10);
    std::printf("%s by %s, residual %.1e\n", answer.is_solved ? "solved" : "not solved", answer.solver.c_str(),
                answer.residual);
    std::printf("velocity after the step: %.6f m/s\n", answer.v[0]);
    std::printf("%d rows of rank %d; least impulses that do the same:\n", answer.rows, answer.rank);
    for (int foot = 0; foot < 4; ++foot) std::printf("  foot %d: %.6f N s\n", foot, answer.least_impulses[3 * foot]);
    // (15 N − 0.5 · 2 kg · 9.81 m/s²) · 0.01 s / 2 kg
    return answer.is_solved && answer.v[0] > 0.025949 && answer.v[0] < 0.025951 ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
