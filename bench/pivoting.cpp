// Block principal pivoting against Lemke's method on contact problems, as a table in markdown: docs/methods.md.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bench/pivoting_problems.h"
#include "slipstick/solver/mlcp/block_pivoting.h"
#include "slipstick/solver/mlcp/lemke.h"

namespace slipstick::internal {
namespace {

struct Measured {
  double milliseconds = 0;
  double error = 0;
  std::string status;
};

// ‖z − mid(l, z − w, u)‖ / ‖q‖ on the dense problem, whatever form was solved: with velocities kept, the unknowns of
// the contacts come last.
double Error(const BoundedMlcp& problem, const VecX& answer) {
  const VecX z = answer.tail(problem.size());
  const VecX w = problem.A * z + problem.b;
  return (z - (z - w).cwiseMax(problem.lower).cwiseMin(problem.upper)).norm() / problem.b.norm();
}

// Time of the processor, not of the clock on the wall: each solver is one thread, and what else the machine does must
// not count. The fastest of some runs, as many for each method.
Measured Measure(const BoundedMlcp& problem, int runs, const std::function<MlcpAnswer()>& solve) {
  Measured measured{.milliseconds = 1e300, .error = 0, .status = ""};
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    const MlcpAnswer answer = solve();
    const double elapsed = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    measured.milliseconds = std::min(measured.milliseconds, elapsed);
    measured.error = Error(problem, answer.z);
    measured.status = ToString(answer.report.status);
  }
  return measured;
}

std::string Cell(const Measured& measured) {
  const std::string status = measured.status == "solved" ? "" : ", " + measured.status;
  return fmt::format("{:.1f} ({:.0e}{})", measured.milliseconds, measured.error, status);
}

void PrintRow(const std::string& name, const BoundedMlcp& problem, const SparseBoundedMlcp& sparse) {
  constexpr int kRuns = 3;
  BlockPivotingSettings updates, fresh;
  updates.find_sparsity = fresh.find_sparsity = false;
  fresh.update_factors = false;
  const Measured with_velocities = Measure(problem, kRuns, [&] { return SolveByBlockPivoting(sparse, {}); });
  const Measured as_given = Measure(problem, kRuns, [&] { return SolveByBlockPivoting(problem, {}); });
  const Measured dense = Measure(problem, kRuns, [&] { return SolveByBlockPivoting(problem, updates); });
  const Measured dense_fresh = Measure(problem, kRuns, [&] { return SolveByBlockPivoting(problem, fresh); });
  LemkeSettings some_pivots;  // where it needs more than these it has lost its way
  some_pivots.max_iterations = 5 * problem.size();
  const Measured lemke = Measure(problem, kRuns, [&] { return SolveByLemke(problem, some_pivots); });
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.0f} | {:.0f} |\n", name, problem.size(), Cell(as_given),
             Cell(with_velocities), Cell(dense), Cell(dense_fresh), Cell(lemke),
             lemke.milliseconds / as_given.milliseconds, lemke.milliseconds / with_velocities.milliseconds);
  std::fflush(stdout);
}

}  // namespace
}  // namespace slipstick::internal

int main() {
  using namespace slipstick::internal;
  fmt::print(
      "| problem | order | block pivoting | velocities kept | dense, updates | dense, fresh | Lemke | Lemke / block "
      "pivoting | Lemke / velocities kept |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const int contacts : {100, 150, 200}) {
    for (const ContactSample& sample : {PistonSample(contacts), BallsSample(contacts), BricksSample(contacts)}) {
      PrintRow(fmt::format("{}, Anitescu–Potra", sample.name), AnitescuPotra(sample), SparseAnitescuPotra(sample));
      PrintRow(fmt::format("{}, regularized", sample.name), RegularizedMlcp(sample), SparseRegularizedMlcp(sample));
    }
  }
  return 0;
}
