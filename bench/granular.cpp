#include "bench/granular.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

using slipstick::internal::GranularFigures;
using slipstick::internal::GranularTask;

namespace {

void Print(const GranularTask& task, const GranularFigures& f, const GranularFigures& yardstick) {
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {} |\n", task.name,
             f.engine, f.milliseconds_per_step, f.seconds_per_second,
             f.seconds_per_second / yardstick.seconds_per_second, f.contacts, f.mean_penetration, f.largest_penetration,
             f.residual, f.root_mean_square, f.lost);
  std::fflush(stdout);
}

void Compare(const GranularTask& task, const std::string& law, double speed_tolerance, int max_iterations) {
  const GranularFigures bullet = RunBullet(task, 50);
  Print(task, bullet, bullet);
  Print(task, RunSlipstick(task, law, "contact-sweep", speed_tolerance, max_iterations), bullet);
}

}  // namespace

// slipstick_bench_granular [stones of the gravel, 3200] [its duration, 6]
int main(int count, char** arguments) {
  const int stones = count > 1 ? std::atoi(arguments[1]) : 3200;
  const double duration = count > 2 ? std::atof(arguments[2]) : 6;
  fmt::print(
      "| task | engine | ms per step at the end | CPU s per s | of Bullet's | contacts | mean penetration (r) | "
      "largest "
      "| residual (m/s) | root mean square | lost |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  Compare(slipstick::internal::GrainsTask(), "coulomb", 0.005, 20);
  for (double rolling : {0.0005, 0.01}) {
    if (stones > 0) Compare(slipstick::internal::GravelTask(stones, rolling, duration), "coulomb", 0.01, 12);
  }
}
