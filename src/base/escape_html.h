#pragma once

#include <string>
#include <string_view>

namespace slipstick::internal {

// Text as it may stand in an element and, between quotes, in an attribute of HTML.
std::string EscapeHtml(std::string_view text);

}  // namespace slipstick::internal
