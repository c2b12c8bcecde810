// Another simulator's view of the library: it has bodies, masses and contacts of its own, hands the numbers of one step
// over, and gets the impulses back with a residual that no solver had a hand in.
//
// Here a step of 10 ms of a crate of 2 kg on four feet that is pushed sideways with 15 N; friction 0.5.
#include <cstdio>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/solve/hyperstaticity.h"
#include "slipstick/solve/solve_problem.h"

namespace {

using slipstick::internal::GlobalProblem, slipstick::MatX, slipstick::Vec3, slipstick::VecX;

// M v = H r + f,  u = Hᵀ v + w: six velocities of the crate (linear, then angular), three rows a contact, normal first.
GlobalProblem MakeStep() {
  const double step = 0.01, mass = 2, inertia = 0.1;
  const std::vector<Vec3> feet = {{0.3, 0.2, -0.25}, {0.3, -0.2, -0.25}, {-0.3, 0.2, -0.25}, {-0.3, -0.2, -0.25}};
  GlobalProblem problem;
  problem.contacts.sliding = VecX::Constant(4, 0.5);
  MatX M = MatX::Zero(6, 6), H = MatX::Zero(6, 12);
  M.diagonal() << mass, mass, mass, inertia, inertia, inertia;
  for (int foot = 0; foot < 4; ++foot) {
    const Vec3 directions[3] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
    for (int k = 0; k < 3; ++k) {
      H.block<3, 1>(0, 3 * foot + k) = directions[k];
      H.block<3, 1>(3, 3 * foot + k) = feet[foot].cross(directions[k]);
    }
  }
  problem.M = M.sparseView();
  problem.H = H.sparseView();
  problem.f = VecX::Zero(6);
  problem.f.head<3>() = step * Vec3(15, 0, -mass * 9.81);
  problem.w = VecX::Zero(12);
  return problem;
}

}  // namespace

int main() {
  try {
    const slipstick::internal::SolveSettings settings{.tolerance = 1e-10};
    const slipstick::internal::PreparedProblem problem = slipstick::internal::Prepare(MakeStep());
    const slipstick::internal::ProblemSolution solution = slipstick::internal::Solve(problem, settings);
    std::printf("%s by %s, residual %.1e\n", ToString(solution.status).c_str(), solution.solver.c_str(),
                solution.residual);
    std::printf("velocity after the step: %.6f m/s\n", solution.v[0]);
    const slipstick::internal::Hyperstaticity redundancy =
        slipstick::internal::AnalyzeHyperstaticity(problem, solution, settings);
    std::printf("%d rows of rank %d; least impulses that do the same:\n", redundancy.rows, redundancy.rank);
    for (int foot = 0; foot < 4; ++foot) std::printf("  foot %d: %.6f N s\n", foot, redundancy.least_r[3 * foot]);
    // (15 N − 0.5 · 2 kg · 9.81 m/s²) · 0.01 s / 2 kg
    const bool as_expected = solution.v[0] > 0.025949 && solution.v[0] < 0.025951;
    return solution.status == slipstick::internal::SolveStatus::kSolved && as_expected ? 0 : 1;
  } catch (const slipstick::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
