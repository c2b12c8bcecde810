#include "slipstick/base/number_rule.h"

#include <fmt/format.h>

#include <cmath>

namespace slipstick::internal {

bool NumberRule::Allows(double value) const {
  if (std::isnan(value) || (std::isinf(value) && !may_be_infinite)) return false;
  const bool too_small = least_excluded ? value <= least : value < least;
  return !(std::isfinite(least) && too_small) && !(value > most);
}

std::string NumberRule::Expected() const {
  std::string text = "a number";
  if (std::isfinite(least)) text += fmt::format(" {} {}", least_excluded ? "above" : "of at least", least);
  if (std::isfinite(most)) text += fmt::format("{} at most {}", std::isfinite(least) ? " and" : " of", most);
  if (!unit.empty()) text += " in " + unit;
  return text + (may_be_infinite ? ", or .inf" : "");
}

}  // namespace slipstick::internal
