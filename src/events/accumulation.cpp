#include "slipstick/events/accumulation.h"

#include <cmath>

namespace slipstick::internal {
namespace {

constexpr std::size_t kTimes = 4;         // two ratios of three intervals
constexpr double kRatioTolerance = 0.05;  // between the two
constexpr double kLargestRatio = 0.9999;  // a larger one is a lasting motion to the eye of this test

}  // namespace

std::optional<ImpactSeries::Rest> ImpactSeries::Add(std::uint64_t contact, double time) {
  std::deque<double>& times = times_[contact];
  times.push_back(time);
  if (times.size() > kTimes) times.pop_front();
  if (times.size() < kTimes) return std::nullopt;
  const double first = times[1] - times[0], second = times[2] - times[1], third = times[3] - times[2];
  if (!(first > 0 && second > 0)) return std::nullopt;
  const double ratio = third / second, before = second / first;
  if (!(ratio < kLargestRatio) || std::abs(ratio - before) > kRatioTolerance * before) return std::nullopt;
  return Rest{third * ratio, ratio};
}

}  // namespace slipstick::internal
