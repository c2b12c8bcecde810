#include "slipstick/solve/solver_tally.h"

#include <algorithm>
#include <limits>

namespace slipstick::internal {
namespace {

std::vector<std::string> FilesOf(const std::vector<SolveRecord>& records) {
  std::vector<std::string> files;
  for (const SolveRecord& record : records) {
    if (std::find(files.begin(), files.end(), record.file) == files.end()) files.push_back(record.file);
  }
  return files;
}

}  // namespace

std::vector<SolverTally> TallySolvers(const std::vector<SolveRecord>& records) {
  std::vector<SolverTally> tallies;
  for (const SolveRecord& record : records) {
    auto own = std::find_if(tallies.begin(), tallies.end(),
                            [&](const SolverTally& tally) { return tally.solver == record.solver; });
    if (own == tallies.end()) own = tallies.insert(tallies.end(), {.solver = record.solver});
    ++own->problems;
    own->seconds += record.solution.seconds;
    if (!record.solved()) continue;
    ++own->solved;
    const double seconds = std::max(record.solution.seconds, kLeastSeconds);
    const bool is_fastest = std::none_of(records.begin(), records.end(), [&](const SolveRecord& other) {
      return other.file == record.file && other.solved() && other.solution.seconds < seconds && seconds > kLeastSeconds;
    });
    if (is_fastest) ++own->fastest;
  }
  return tallies;
}

PerformanceProfile ProfileOf(const std::vector<SolveRecord>& records, const std::vector<SolverTally>& solvers) {
  std::vector<std::vector<double>> seconds;
  for (const std::string& file : FilesOf(records)) {
    std::vector<double>& times = seconds.emplace_back(solvers.size(), std::numeric_limits<double>::infinity());
    for (const SolveRecord& record : records) {
      if (record.file != file || !record.solved()) continue;
      for (std::size_t s = 0; s < solvers.size(); ++s) {
        if (solvers[s].solver == record.solver) times[s] = record.solution.seconds;
      }
    }
  }
  return MakePerformanceProfile(seconds, static_cast<int>(solvers.size()));
}

}  // namespace slipstick::internal
