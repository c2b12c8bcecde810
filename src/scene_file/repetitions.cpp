#include "slipstick/scene_file/repetitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace slipstick::internal {
namespace {

constexpr double kMostRepetitions = 10000;
constexpr std::array<const char*, 6> kLists = {"bodies", "joints", "constraints", "forces", "drives", "measures"};

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// `formula` with the word i replaced by a number, evaluated; what is wrong with it in `problem`.
std::string ValueOf(const std::string& formula, int i, std::string* problem) {
  std::string filled;
  for (std::size_t k = 0; k < formula.size(); ++k) {
    const bool alone = (k == 0 || !IsWord(formula[k - 1])) && (k + 1 == formula.size() || !IsWord(formula[k + 1]));
    filled += formula[k] == 'i' && alone ? fmt::format("({})", i) : std::string(1, formula[k]);
  }
  const auto function = TimeFunction::Parse(filled, problem);
  if (!function) return "";
  const double value = (*function)(0);
  if (!function->is_constant() || !std::isfinite(value)) *problem = "not one finite number";
  return fmt::format("{}", value);
}

// The text of repetition i.
std::string Filled(const std::string& text, int i, std::string* problem) {
  std::string filled;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '$' || k + 1 == text.size()) {
      filled += text[k];
    } else if (text[k + 1] == 'i' && (k + 2 == text.size() || !IsWord(text[k + 2]))) {
      filled += std::to_string(i);
      ++k;
    } else if (text[k + 1] == '(') {
      std::size_t end = k + 2;
      for (int depth = 1; end < text.size(); ++end) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        if (depth == 0) break;
      }
      if (end == text.size()) {
        *problem = "no ')' after '$('";
        return "";
      }
      filled += ValueOf(text.substr(k + 2, end - k - 2), i, problem);
      k = end;
    } else {
      filled += text[k];
    }
  }
  return filled;
}

void Fill(const Place& place, int i, DocumentReader* reader, DocumentNode* node) {
  if (node->is_text() && node->text.find('$') != std::string::npos) {
    std::string problem;
    node->text = Filled(node->text, i, &problem);
    char* end = nullptr;
    node->number = std::strtod(node->text.c_str(), &end);
    if (!node->text.empty() && *end == '\0') node->kind = DocumentNode::Kind::kNumber;
    if (!problem.empty()) reader->Fail(place, "$i, or $(…) with a formula in i, such as $(i+1): " + problem);
  }
  for (std::size_t k = 0; k < node->items.size(); ++k) {
    const std::string word = node->is_map() ? node->keys[k] : ItemWord(*place.node, k);
    Fill({&place.node->items[k], JoinPath(place.path, word)}, i, reader, &node->items[k]);
  }
}

// A whole number from `least` to `most`.
int Whole(const Place& item, const char* key, int otherwise, double least, double most, DocumentReader* reader) {
  const auto place = item.Child(key);
  if (!place) return otherwise;
  NumberRule rule;
  rule.least = least;
  rule.most = most;
  const std::size_t before = reader->fault_count();
  const double number = reader->Number(*place, rule);
  if (reader->fault_count() > before) return otherwise;
  if (number != std::floor(number)) reader->Fail(*place, "a whole number");
  return static_cast<int>(number);
}

void WriteOut(const Place& item, DocumentReader* reader, DocumentNode* document) {
  if (!item.Child("count")) reader->FailMissing(item, "count", "how often, a whole number above 0");
  const int count = Whole(item, "count", 1, 1, kMostRepetitions, reader);
  const int first = Whole(item, "first", 0, -kMostRepetitions, kMostRepetitions, reader);
  bool has_list = false;
  for (const std::string& key : item.node->keys) {
    if (key == "count" || key == "first" || key == "name") continue;
    const Place list = *item.Child(key);
    if (std::find(kLists.begin(), kLists.end(), key) == kLists.end()) {
      reader->Fail(list, "one of name, count, first, bodies, joints, constraints, forces, drives, measures",
                   fmt::format("the key '{}'", key));
      continue;
    }
    if (!list.node->is_list()) {
      reader->Fail(list, fmt::format("a list of {}", key));
      continue;
    }
    has_list = true;
    if (document->Find(key) == nullptr) {
      DocumentNode empty;
      empty.kind = DocumentNode::Kind::kList;
      empty.line = list.node->line;
      document->Set(key, empty);
    }
    DocumentNode* target = document->Find(key);
    if (!target->is_list()) continue;  // a fault of its own
    for (int i = first; i < first + count; ++i) {
      for (const Place& one : list.Items()) {
        target->items.push_back(*one.node);
        const std::size_t before = reader->fault_count();
        Fill(one, i, reader, &target->items.back());
        if (reader->fault_count() > before) {  // once is enough
          target->items.pop_back();
          return;
        }
      }
    }
  }
  if (!has_list) reader->FailMissing(item, "bodies", "at least one list: bodies, joints, constraints …");
}

}  // namespace

void WriteOutRepetitions(DocumentNode* document, DocumentReader* reader) {
  const auto place = std::find(document->keys.begin(), document->keys.end(), "repeat");
  if (place == document->keys.end()) return;
  const auto index = place - document->keys.begin();
  const DocumentNode repeat = document->items[index];
  document->keys.erase(place);
  document->items.erase(document->items.begin() + index);
  const Place list{&repeat, "repeat"};
  if (!repeat.is_list()) reader->Fail(list, "a list of maps with count and lists to repeat");
  for (const Place& item : list.Items()) {
    if (item.node->is_map()) {
      WriteOut(item, reader, document);
    } else {
      reader->Fail(item, "a map with count and lists to repeat");
    }
  }
}

}  // namespace slipstick::internal
