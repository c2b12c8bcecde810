#pragma once

#include <optional>
#include <string>

namespace slipstick::internal {

// A byte that is no UTF-8 text, nor are control characters other than tab and line ends.
struct NonText {
  int line = 0;
  std::string found;  // in words
};
// The first one of a file's text.
std::optional<NonText> FindNonText(const std::string& text);

}  // namespace slipstick::internal
