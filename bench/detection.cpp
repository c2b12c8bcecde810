// Time of a whole contact detection on packings of growing size, as a table in markdown: docs/methods.md.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

#include "bench/granular_packing.h"

namespace slipstick::internal {
namespace {

struct Case {
  std::string name;
  int count;
  double ratio;  // of the largest radius to the smallest
  int boxes;
};

void PrintRow(const Case& test) {
  constexpr double kRadius = 0.04;
  const GranularPacking packing = MakePacking(test.count, kRadius, test.ratio, test.boxes);
  ContactDetector detector(packing.model);
  const double margin = 1e-3;  // what spheres at a few cm/s get at h = 5 ms
  std::size_t contacts = 0;
  double least = 1e300;
  const int runs = std::clamp(400'000 / test.count, 5, 200);
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    contacts = detector.Detect(packing.model, packing.kinematics, margin).size();
    least = std::min(least, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  fmt::print("| {} | {} | {} | {:.3f} | {:.0f} |\n", test.name, test.count, contacts, least,
             1e6 * least / static_cast<double>(test.count));
  std::fflush(stdout);
}

}  // namespace
}  // namespace slipstick::internal

int main() {
  fmt::print("| packing | shapes | contacts | ms | ns a shape |\n|---|---|---|---|---|\n");
  for (const int count : {1001, 3162, 10'000, 31'623, 100'000})
    slipstick::internal::PrintRow({"equal spheres", count, 1, 0});
  for (const int count : {1001, 10'000, 100'000}) slipstick::internal::PrintRow({"radii 1:10", count, 10, 0});
  for (const int count : {1001, 10'000, 100'000})
    slipstick::internal::PrintRow({"radii 1:10, 5 % boxes", count, 10, count / 20});
}
