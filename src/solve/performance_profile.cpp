#include "slipstick/solve/performance_profile.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick::internal {

PerformanceProfile MakePerformanceProfile(const std::vector<std::vector<double>>& seconds, int solvers) {
  std::vector<std::vector<double>> ratios(solvers);  // of each solver, where it solved
  PerformanceProfile profile;
  profile.tau = {1.0};
  for (const std::vector<double>& times : seconds) {
    SLIPSTICK_CHECK(static_cast<int>(times.size()) == solvers, "a time of each solver");
    double fastest = std::numeric_limits<double>::infinity();
    for (const double time : times) fastest = std::min(fastest, std::max(time, kLeastSeconds));
    for (int s = 0; s < solvers; ++s) {
      if (!std::isfinite(times[s])) continue;
      const double ratio = std::max(times[s], kLeastSeconds) / fastest;
      ratios[s].push_back(ratio);
      profile.tau.push_back(ratio);
    }
  }
  std::sort(profile.tau.begin(), profile.tau.end());
  profile.tau.erase(std::unique(profile.tau.begin(), profile.tau.end()), profile.tau.end());
  // all curves are flat from here on: they shall be seen to be
  profile.tau.push_back(std::max(10.0, 2 * profile.tau.back()));
  const double problems = std::max<double>(1.0, static_cast<double>(seconds.size()));
  for (std::vector<double>& own : ratios) {
    std::sort(own.begin(), own.end());
    std::vector<double>& share = profile.share.emplace_back();
    for (const double tau : profile.tau) {
      share.push_back(static_cast<double>(std::upper_bound(own.begin(), own.end(), tau) - own.begin()) / problems);
    }
  }
  return profile;
}

}  // namespace slipstick::internal
