#include "text_table.h"

#include <algorithm>

namespace slipstick {
namespace {

// Code points, which is the width for all that is printed here.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string FormatTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : header) widths.push_back(Width(cell));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size()) out += std::string(widths[i] - Width(row[i]) + 2, ' ');
    }
    text += out + "\n";
  };
  line(header);
  std::vector<std::string> rule;
  for (std::size_t width : widths) {
    std::string dashes;
    for (std::size_t i = 0; i < width; ++i) dashes += "─";
    rule.push_back(dashes);
  }
  line(rule);
  for (const auto& row : rows) line(row);
  return text;
}

}  // namespace slipstick
