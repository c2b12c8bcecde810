#include "slipstick/scene_file/apply_overrides.h"

#include <fmt/format.h>

#include "slipstick/base/nearest_name.h"
#include "slipstick/document/yaml_document.h"

namespace slipstick::internal {
namespace {

void MarkOverridden(DocumentNode* node) {
  node->overridden = true;
  node->line = 0;
  for (DocumentNode& item : node->items) MarkOverridden(&item);
}

std::vector<std::string> SplitPath(const std::string& path) {
  std::vector<std::string> words = {""};
  for (const char c : path) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

DocumentNode* FindItem(const std::string& word, DocumentNode* list) {
  for (size_t i = 0; i < list->items.size(); ++i)
    if (ItemWord(*list, i) == word || std::to_string(i) == word) return &list->items[i];
  return nullptr;
}

std::vector<std::string> WordsOf(const DocumentNode& node) {
  if (node.is_map()) return node.keys;
  std::vector<std::string> words;
  for (size_t i = 0; i < node.items.size(); ++i) words.push_back(ItemWord(node, i));
  return words;
}

// Short forms are written out where the path goes on below them: `law: box` is `law: {name: box}`, and gravity that the
// file leaves out has its default.
void WriteOut(const std::string& word, DocumentNode* document) {
  DocumentNode* present = document->Find(word);
  if ((word == "law" || word == "solver" || word == "stepper") && present != nullptr && present->is_text()) {
    DocumentNode map;
    map.kind = DocumentNode::Kind::kMap;
    map.line = present->line;
    map.Set("name", *present);
    *present = map;
  }
  if (word == "gravity" && present == nullptr) {
    std::vector<Fault> none;
    document->Set(word, ParseYaml("[0, 0, -9.81]", "", &none));
    MarkOverridden(document->Find(word));
  }
}

void Apply(const Override& given, DocumentNode* document, std::vector<Fault>* faults) {
  const std::string key = "--set " + given.key;
  std::vector<Fault> value_faults;
  DocumentNode value = ParseYaml(given.value.empty() ? "''" : given.value, "", &value_faults);
  for (const Fault& fault : value_faults) faults->push_back({"", 0, key, "a value in YAML", fault.found});
  if (!value_faults.empty()) return;
  MarkOverridden(&value);

  const std::vector<std::string> words = SplitPath(given.key);
  if (words.size() > 1) WriteOut(words[0], document);
  DocumentNode* node = document;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    DocumentNode* next = node->is_map() ? node->Find(words[i]) : node->is_list() ? FindItem(words[i], node) : nullptr;
    if (next == nullptr && node->is_map() && !words[i].empty()) {
      // the schema says later whether such a key may be here
      DocumentNode added;
      added.kind = DocumentNode::Kind::kMap;
      MarkOverridden(&added);
      node->Set(words[i], added);
      next = node->Find(words[i]);
    }
    if (next == nullptr) {
      const std::string found = fmt::format("'{}'", words[i]);
      const bool branches = node->is_map() || node->is_list();
      faults->push_back(
          {"", 0, key, branches ? OneOf(WordsOf(*node), words[i]) : "the end of the key: what it leads to has no parts",
           found});
      return;
    }
    if (last) *next = value;
    node = next;
  }
}

}  // namespace

void ApplyOverrides(const std::vector<Override>& overrides, DocumentNode* document, std::vector<Fault>* faults) {
  for (const Override& given : overrides) Apply(given, document, faults);
}

}  // namespace slipstick::internal
