#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/scene/sample_interval.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// How many steps of length `step` [s] go from one sample to the next. `every` is the time between samples [s]: up to a
// step, 0 included, each step is a sample; beyond that it must be a whole number of steps to within 1e-9 of itself, and
// where it is not there is no answer, because the samples would stand at other times than asked for.
std::optional<long> SampleStride(double every, double step);

// What the recording of such a run holds: what the scene says, or else all, or with many bodies a replay's poses.
RecordingDetail DetailOfRecording(const Scene& scene);
std::size_t MostRecordedContacts(const Scene& scene);

// Throws InputError, key output.every, where the scene's samples fall between steps.
void CheckSampling(const Scene& scene, const Simulation& simulation);

// Where the samples of two runs stand at equal times: pairs of an index into `times` and one into `others`, rising.
// Both must rise. Times that differ by 1e-9 of themselves are equal, as sums of steps of different length are not
// equal to the bit.
std::vector<std::pair<int, int>> MatchTimes(const std::vector<double>& times, const std::vector<double>& others);

// The values, which belong to `times`, in the places of `axis`; NaN, which a report draws as a gap, where there is
// none.
std::vector<double> ValuesAt(const std::vector<double>& axis, const std::vector<double>& times,
                             const std::vector<double>& values);

}  // namespace slipstick::internal
