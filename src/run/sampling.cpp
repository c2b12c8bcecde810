#include "slipstick/run/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

constexpr double kTimeTolerance = 1e-9;

}  // namespace

std::optional<long> SampleStride(double every, double step) {
  if (every <= step * (1 + kTimeTolerance)) return 1;
  const double steps = every / step, whole = std::round(steps);
  if (std::abs(steps - whole) > kTimeTolerance * steps) return std::nullopt;
  return static_cast<long>(whole);
}

RecordingDetail DetailOfRecording(const Scene& scene) {
  return scene.output.record.value_or(scene.has_many_bodies() ? RecordingDetail::kReplay : RecordingDetail::kFull);
}

std::size_t MostRecordedContacts(const Scene& scene) {
  constexpr std::size_t kForReplay = 500;  // 10,000 stones for 15 s: some 20 MB of the recording, and of the report
  const bool is_full = DetailOfRecording(scene) == RecordingDetail::kFull;
  return scene.output.contacts.value_or(is_full ? SceneOutput::kAllContacts : kForReplay);
}

void CheckSampling(const Scene& scene, const Simulation& simulation) {
  const double step = simulation.step(), every = SampleInterval(scene, step);
  if (SampleStride(every, step)) return;
  const double below = std::floor(every / step);
  throw InputError(scene.Locate({{"", 0, "output.every",
                                  fmt::format("0 or a whole multiple of the step of {:g} s, such as {:.9g} or {:.9g} s",
                                              step, below * step, (below + 1) * step),
                                  fmt::format("{:g} s", every)}}));
}

std::vector<std::pair<int, int>> MatchTimes(const std::vector<double>& times, const std::vector<double>& others) {
  std::vector<std::pair<int, int>> pairs;
  std::size_t j = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double tolerance = kTimeTolerance * (1 + times[i]);
    while (j < others.size() && others[j] < times[i] - tolerance) ++j;
    if (j == others.size()) break;
    if (others[j] > times[i] + tolerance) continue;
    pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
    ++j;
  }
  return pairs;
}

std::vector<double> ValuesAt(const std::vector<double>& axis, const std::vector<double>& times,
                             const std::vector<double>& values) {
  SLIPSTICK_CHECK(times.size() == values.size(), "a value for each time");
  std::vector<double> placed(axis.size(), std::numeric_limits<double>::quiet_NaN());
  for (const auto& [i, j] : MatchTimes(axis, times)) placed[i] = values[j];
  return placed;
}

}  // namespace slipstick::internal
