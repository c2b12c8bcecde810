#include "slipstick/base/plain_name.h"

#include <algorithm>

namespace slipstick::internal {

bool IsPlainName(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_bad = [](char c) { return c == '.' || c == '=' || static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  return !name.empty() && !std::all_of(name.begin(), name.end(), is_digit) &&
         std::none_of(name.begin(), name.end(), is_bad);
}

}  // namespace slipstick::internal
