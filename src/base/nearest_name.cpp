#include "slipstick/base/nearest_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace slipstick::internal {
namespace {

// Number of single letters to add, drop, change or swap with their neighbour (optimal string alignment).
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string NearestName(const std::string& name, const std::vector<std::string>& names) {
  // a third of the letters may be wrong, one in any case, but never all of them
  size_t best = std::min(std::max<size_t>(1, name.size() / 3) + 1, name.size());
  std::string nearest;
  if (name.size() > 100) return nearest;  // no name; the distance costs the product of the lengths
  for (const std::string& candidate : names) {
    if (candidate.size() > 100) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string OneOf(const std::vector<std::string>& names, const std::string& found) {
  constexpr size_t kMost = 24;
  if (names.empty()) return "nothing (there is none)";
  if (names.size() == 1) return fmt::format("'{}'", names[0]);
  std::vector<std::string> shown(names.begin(), names.begin() + std::min(kMost, names.size()));
  if (names.size() > kMost) shown.push_back("…");
  const std::string nearest = NearestName(found, names);
  const std::string all = fmt::format("one of {}", fmt::join(shown, ", "));
  return nearest.empty() ? all : fmt::format("{} (did you mean '{}'?)", all, nearest);
}

}  // namespace slipstick::internal
