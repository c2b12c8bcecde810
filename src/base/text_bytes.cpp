#include "slipstick/base/text_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipstick::internal {
namespace {

// npos where there is none.
std::size_t FirstNonText(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char byte = text[i];
    if (byte < 0x80) {
      if ((byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F) return i;
      ++i;
      continue;
    }
    const int more = byte >= 0xF8 ? -1 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : -1;
    if (more < 0 || i + more >= text.size()) return i;
    for (int k = 1; k <= more; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    }
    i += more + 1;
  }
  return std::string::npos;
}

}  // namespace

std::optional<NonText> FindNonText(const std::string& text) {
  const std::size_t bad = FirstNonText(text);
  if (bad == std::string::npos) return std::nullopt;
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(bad);
  return NonText{1 + static_cast<int>(std::count(text.begin(), end, '\n')),
                 fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(text[bad]))};
}

}  // namespace slipstick::internal
