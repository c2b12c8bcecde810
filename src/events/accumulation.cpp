#include "slipstick/events/accumulation.h"

#include <cmath>

namespace slipstick::internal {
namespace {

constexpr std::size_t kTimes = 4;         // two ratios of three intervals
constexpr double kRatioTolerance = 0.05;  // between the two
constexpr double kLargestRatio = 0.9999;  // a larger one is a lasting motion to the eye of this test

}  // namespace

std::optional<ImpactSeries::Rest> ImpactSeries::Add(const ContactKey& contact, double time) {
  std::vector<double>& times = times_[contact];
  times.push_back(time);
  if (times.size() > kTimes) times.erase(times.begin());
  if (times.size() < kTimes) return std::nullopt;
  const double first = times[1] - times[0], second = times[2] - times[1], third = times[3] - times[2];
  if (!(first > 0 && second > 0)) return std::nullopt;
  const double ratio = third / second, before = second / first;
  if (!(ratio < kLargestRatio) || std::abs(ratio - before) > kRatioTolerance * before) return std::nullopt;
  return Rest{third * ratio, ratio};
}

std::vector<ImpactTimes> ImpactSeries::Save() const {
  std::vector<ImpactTimes> series;
  for (const auto& [contact, times] : times_) series.push_back({contact, times});
  return series;
}

void ImpactSeries::Restore(const std::vector<ImpactTimes>& series) {
  times_.clear();
  for (const ImpactTimes& impacts : series) times_[impacts.key] = impacts.times;
}

}  // namespace slipstick::internal
