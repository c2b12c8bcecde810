#pragma once

#include <string>
#include <string_view>

namespace slipstick::internal {

// RFC 4648 §4, with padding.
std::string Base64(std::string_view bytes);
// The bytes again; what is no digit ends them.
std::string FromBase64(std::string_view text);

}  // namespace slipstick::internal
