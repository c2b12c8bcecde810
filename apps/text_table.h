#pragma once

#include <string>
#include <vector>

namespace slipstick::internal {

// What every line of the program fits into.
constexpr std::size_t kLineWidth = 80;

// Columns that a text takes on a terminal; UTF-8, two for characters of East Asia.
std::size_t DisplayWidth(const std::string& text);
// The text, or as much of it as fits with an … at its end.
std::string CutAtEnd(const std::string& text, std::size_t most);

// Columns aligned by display width, two spaces apart; the header is underlined. Where a line would be wider than a
// terminal's usual 80, the cells of one column are cut and end in …, those of the last column, or begin with it where
// another one is given: of names of files the end tells more.
std::string FormatTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                        int cut_column = -1);

// The width of the widest line of a text.
std::size_t WidestLine(const std::string& text);

}  // namespace slipstick::internal
