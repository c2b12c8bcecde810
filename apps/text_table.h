#pragma once

#include <string>
#include <vector>

namespace slipstick {

// Columns aligned by display width (UTF-8 aware), two spaces apart; the header is underlined.
std::string FormatTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

}  // namespace slipstick
