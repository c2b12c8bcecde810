#pragma once

#include <string>
#include <vector>

namespace slipstick {

// Columns aligned by display width (UTF-8 aware), two spaces apart; the header is underlined. Where a line would be
// wider than `most`, its last cell is cut and ends in …; 0: no limit.
std::string FormatTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                        std::size_t most = 0);

}  // namespace slipstick
