#include "slipstick/document/write_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace slipstick::internal {
namespace {

constexpr std::size_t kLongestLine = 160;

// Words that some reader of YAML takes for something else than a text.
constexpr std::array<const char*, 9> kWords = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};

bool IsPlain(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_safe = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ';
  };
  if (text.empty() || !is_letter(text.front()) || text.back() == ' ') return false;
  if (!std::all_of(text.begin(), text.end(), is_safe)) return false;
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), lower) == kWords.end();
}

std::string TextOf(const std::string& text) {
  if (IsPlain(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ScalarOf(const DocumentNode& node) {
  if (node.is_null()) return "null";
  return node.is_text() ? TextOf(node.text) : node.text;
}

// On one line.
std::string Flow(const DocumentNode& node) {
  if (!node.is_list() && !node.is_map()) return ScalarOf(node);
  std::string text;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) text += ", ";
    if (node.is_map()) text += TextOf(node.keys[i]) + ": ";
    text += Flow(node.items[i]);
  }
  return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

// Lists of numbers, and of such lists, are no easier to read when they are broken up.
bool HasMaps(const DocumentNode& node) {
  return node.is_map() || std::any_of(node.items.begin(), node.items.end(), HasMaps);
}

class Writer {
 public:
  std::string Take() { return std::move(text_); }

  // The parts of a map or list, one or more lines each. The first line's indent is there already.
  void Parts(const DocumentNode& node, int indent) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const DocumentNode& item = node.items[i];
      if (i > 0) text_ += std::string(indent, ' ');
      text_ += node.is_map() ? TextOf(node.keys[i]) + ":" : "-";
      Value(item, node.is_map(), indent);
      if (indent == 0 && i + 1 < node.items.size() && HasMaps(node.items[i + 1])) text_ += "\n";
    }
  }

 private:
  void Value(const DocumentNode& item, bool after_key, int indent) {
    const bool has_parts = (item.is_map() || item.is_list()) && !item.items.empty() && HasMaps(item);
    // each item of a list of maps has a line of its own
    const bool may_be_one_line = !has_parts || item.is_map();
    const std::string flow = may_be_one_line ? Flow(item) : "";
    if (!has_parts || (may_be_one_line && indent + flow.size() <= kLongestLine)) {
      text_ += " " + flow + "\n";
    } else if (after_key) {
      text_ += "\n" + std::string(indent + 2, ' ');
      Parts(item, indent + 2);
    } else {
      text_ += " ";
      Parts(item, indent + 2);
    }
  }

  std::string text_;
};

}  // namespace

std::string WriteYaml(const DocumentNode& document) {
  if ((!document.is_map() && !document.is_list()) || document.items.empty()) return Flow(document) + "\n";
  Writer writer;
  writer.Parts(document, 0);
  return writer.Take();
}

}  // namespace slipstick::internal
