#pragma once

#include <map>
#include <optional>

#include "slipstick/state/state.h"

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
  std::optional<Rest> Add(const ContactKey& contact, double time);
  void Forget(const ContactKey& contact) { times_.erase(contact); }

  // As a plain value, and from one.
  std::vector<ImpactTimes> Save() const;
  void Restore(const std::vector<ImpactTimes>& series);

 private:
  std::map<ContactKey, std::vector<double>> times_;  // of each contact the last four
};

}  // namespace slipstick::internal
