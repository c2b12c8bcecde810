#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace slipstick::internal {

// Impacts of one contact that follow each other ever faster, as those of a ball that comes to rest: infinitely many
// within a finite time (Zeno). Recognised where the times between the last impacts are a geometric series.
class ImpactSeries {
 public:
  // What is left of a series after its last impact: the next interval, each next one in this ratio.
  struct Rest {
    double interval = 0, ratio = 0;
    double Duration() const { return interval / (1 - ratio); }
  };
  // An impact of a contact. Where it goes on a geometric series, what is left of that.
  std::optional<Rest> Add(std::uint64_t contact, double time);
  void Forget(std::uint64_t contact) { times_.erase(contact); }

 private:
  std::map<std::uint64_t, std::deque<double>> times_;  // of each contact the last four
};

}  // namespace slipstick::internal
