#include "text_table.h"

#include <algorithm>
#include <sstream>

namespace slipstick::internal {
namespace {

// Bytes of the character at `at`, from the first byte of its UTF-8.
std::size_t Length(const std::string& text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return std::min(length, text.size() - at);
}

// Columns of a character: two for those of East Asia and for emoji, which lie in these ranges.
std::size_t CharacterWidth(const std::string& text, std::size_t at, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[at + i])); };
  unsigned code = 0;
  if (length == 3) code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  if (length == 4) code = (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  const bool wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                    (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                    (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
                    (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
  return wide ? 2 : 1;
}

}  // namespace

std::size_t DisplayWidth(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0, length = 0; i < text.size(); i += length) {
    length = Length(text, i);
    width += CharacterWidth(text, i, length);
  }
  return width;
}

std::string CutAtEnd(const std::string& text, std::size_t most) {
  if (DisplayWidth(text) <= most) return text;
  std::size_t end = 0, width = 0;
  while (true) {
    const std::size_t length = Length(text, end);
    width += CharacterWidth(text, end, length);
    if (width + 1 > most) break;
    end += length;
  }
  return text.substr(0, text.find_last_not_of(' ', end > 0 ? end - 1 : 0) + 1) + "…";
}

namespace {

// The end of the text with an … before it, or all of it.
std::string CutAtStart(const std::string& text, std::size_t most) {
  std::size_t begin = 0, width = DisplayWidth(text);
  if (width <= most) return text;
  while (begin < text.size() && width + 1 > most) {
    const std::size_t length = Length(text, begin);
    width -= CharacterWidth(text, begin, length);
    begin += length;
  }
  return "…" + text.substr(begin);
}

// The cells of one column cut so that no line is too wide, if there is room for anything at all.
std::vector<std::vector<std::string>> Fitted(std::vector<std::vector<std::string>> rows, int cut_column) {
  if (rows.empty()) return rows;
  const std::size_t columns = rows.front().size();
  const std::size_t cut = cut_column < 0 ? columns - 1 : static_cast<std::size_t>(cut_column);
  std::size_t others = 2 * (columns - 1);
  for (std::size_t i = 0; i < columns; ++i) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, DisplayWidth(row[i]));
    if (i != cut) others += widest;
  }
  const std::size_t room = others < kLineWidth ? kLineWidth - others : 1;
  for (auto& row : rows) row[cut] = cut_column < 0 ? CutAtEnd(row[cut], room) : CutAtStart(row[cut], room);
  return rows;
}

}  // namespace

std::string FormatTable(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& given,
                        int cut_column) {
  std::vector<std::vector<std::string>> rows = given;
  rows.insert(rows.begin(), header);  // its width counts too
  rows = Fitted(rows, cut_column);
  rows.erase(rows.begin());
  std::vector<std::size_t> widths;
  widths.reserve(header.size());
  for (const std::string& cell : header) widths.push_back(DisplayWidth(cell));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    std::string out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size()) out += std::string(widths[i] - DisplayWidth(row[i]) + 2, ' ');
    }
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
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

std::size_t WidestLine(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, DisplayWidth(line));
  return widest;
}

}  // namespace slipstick::internal
