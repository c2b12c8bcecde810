#pragma once

#include <string>
#include <string_view>

namespace slipstick {

// RFC 4648 §4, with padding.
std::string Base64(std::string_view bytes);

}  // namespace slipstick
