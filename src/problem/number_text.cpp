#include "slipstick/problem/number_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

// A whole line of a damaged file must not fill the terminal.
constexpr std::size_t kLongestQuote = 40;

std::string_view WithoutPlus(std::string_view word) {
  const bool has_plus = word.size() > 1 && word.front() == '+' && word[1] != '-';
  return has_plus ? word.substr(1) : word;
}

bool ParseInteger(std::string_view word, long long* value) {
  word = WithoutPlus(word);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size();
}

bool ParseNumber(std::string_view word, double* value) {
  word = WithoutPlus(word);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  if (end != word.data() + word.size()) return false;
  // out of range is either too small, which strtod rounds, or too large, which stays infinite and is refused later
  if (error == std::errc::result_out_of_range) *value = std::strtod(std::string(word).c_str(), nullptr);
  return error == std::errc() || error == std::errc::result_out_of_range;
}

}  // namespace

NumberText::NumberText(std::string_view text, std::string file) : file_(std::move(file)) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  int line = 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && kBlanks.find(text[i]) == std::string_view::npos) continue;
    if (i > begin) words_.push_back({text.substr(begin, i - begin), line});
    begin = i + 1;
    if (i < text.size() && text[i] == '\n') ++line;
  }
}

std::string_view NumberText::Peek(std::size_t ahead) const {
  return ahead < remaining() ? words_[position_ + ahead].word : std::string_view();
}

bool NumberText::PeekInteger(std::size_t ahead, long long* value) const { return ParseInteger(Peek(ahead), value); }

bool NumberText::PeekNumber() const {
  double value = 0;
  return ParseNumber(Peek(), &value);
}

std::size_t NumberText::CountNumbers() const {
  std::size_t count = 0;
  double value = 0;
  while (count < remaining() && ParseNumber(Peek(count), &value)) ++count;
  return count;
}

std::size_t NumberText::CountUntil(std::string_view word) const {
  std::size_t count = 0;
  while (count < remaining() && Peek(count) != word) ++count;
  return count;
}

int NumberText::Integer(const std::string& key, int least, int most) {
  long long value = 0;
  if (!PeekInteger(0, &value) || value < least || value > most) {
    Fail(key, least == most ? fmt::format("{}", least) : fmt::format("a whole number from {} to {}", least, most));
  }
  ++position_;
  return static_cast<int>(value);
}

double NumberText::Number(const std::string& key) {
  double value = 0;
  if (!ParseNumber(Peek(), &value) || !std::isfinite(value)) Fail(key, "a finite number");
  ++position_;
  return value;
}

VecX NumberText::Numbers(const std::string& key, Eigen::Index count) {
  RequireRemaining(key, count);
  VecX values(count);
  for (double& value : values) value = Number(key);
  return values;
}

std::string_view NumberText::Word(const std::string& key, const std::string& expected) {
  if (remaining() == 0) Fail(key, expected);
  return words_[position_++].word;
}

void NumberText::Require(const std::string& key, std::string_view word) {
  if (Peek() != word) Fail(key, fmt::format("\"{}\"", word));
  ++position_;
}

void NumberText::RequireRemaining(const std::string& key, long long count) const {
  if (static_cast<long long>(remaining()) >= count) return;
  Fail(key, fmt::format("{} more numbers", count), fmt::format("{} to the end of the file", remaining()));
}

void NumberText::Fail(const std::string& key, const std::string& expected) const {
  if (remaining() == 0) Fail(key, expected, "the end of the file");
  std::string found(Peek().substr(0, kLongestQuote));
  if (Peek().size() > kLongestQuote) found += "…";
  Fail(key, expected, "\"" + found + "\"");
}

void NumberText::Fail(const std::string& key, const std::string& expected, const std::string& found) const {
  int line = words_.empty() ? 1 : words_.back().line;
  if (remaining() > 0) line = words_[position_].line;
  throw InputError({Fault{.file = file_, .line = line, .key = key, .expected = expected, .found = found}});
}

}  // namespace slipstick::internal
