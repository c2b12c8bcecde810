#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "slipstick/scene_file/scene_parts.h"

namespace slipstick::internal {
namespace {

const DocumentNode* FindItem(const DocumentNode& list, const std::string& word) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (ItemWord(list, i) == word || std::to_string(i) == word) return &list.items[i];
  }
  return nullptr;
}

// What a path leads to; null where it leads nowhere.
const DocumentNode* Follow(const DocumentNode& document, const std::string& path) {
  const DocumentNode* node = &document;
  std::istringstream words(path);
  for (std::string word; node != nullptr && std::getline(words, word, '.');) {
    node = node->is_list() ? FindItem(*node, word) : node->Find(word);
  }
  return node;
}

std::optional<double> ConstantOf(const DocumentNode& node) {
  if (node.is_number()) return node.number;
  if (!node.is_text()) return std::nullopt;
  std::string problem;
  const std::optional<TimeFunction> formula = TimeFunction::Parse(node.text, &problem);
  return formula && formula->is_constant() ? std::optional((*formula)(0)) : std::nullopt;
}

// Every key must lead to a number: only then is it known what the slider starts from, and that it can be moved.
// False where one does not.
bool ReadKeys(const Place& document, const Place& key, bool has_overrides, DocumentReader* reader,
              SceneParameter* parameter) {
  std::istringstream paths(key.node->text);
  for (std::string path; std::getline(paths, path, ',');) {
    const DocumentNode* node = Follow(*document.node, path);
    const std::optional<double> value = node == nullptr ? std::nullopt : ConstantOf(*node);
    if (!value) {
      // with --set the scene may have another shape than its author thought of: such a parameter is gone then
      if (has_overrides) return false;
      reader->Fail(key, "a path that leads to a number of this scene, such as materials.rubber.friction",
                   node == nullptr ? fmt::format("'{}', which leads nowhere", path)
                                   : fmt::format("'{}', which leads to {}", path, node->Describe()));
      return false;
    }
    if (parameter->keys.empty()) parameter->value = *value;
    parameter->keys.push_back(path);
  }
  return !parameter->keys.empty();
}

}  // namespace

void ReadParameters(const Place& document, bool has_overrides, DocumentReader* reader, Scene* scene) {
  const auto list = document.Child("parameters");
  if (!list) return;
  for (const Place& item : list->Items()) {
    SceneParameter parameter;
    const std::size_t faults = reader->fault_count();
    parameter.name = ReadName(item);
    const auto key = item.Child("key"), least = item.Child("least"), most = item.Child("most");
    if (!key || !key->node->is_text() || !least || !most) continue;  // the schema's fault
    parameter.unit = reader->Text(item, "unit");
    parameter.least = reader->Value(*least);
    parameter.most = reader->Value(*most);
    if (!ReadKeys(document, *key, has_overrides, reader, &parameter) || reader->fault_count() > faults) continue;
    if (parameter.least < parameter.most) {
      // what the scene has is within reach, whatever --set made of it
      parameter.least = std::min(parameter.least, parameter.value);
      parameter.most = std::max(parameter.most, parameter.value);
    }
    KeyOf("parameters", parameter.name, scene->parameters.size(), item, reader);
    scene->parameters.push_back(std::move(parameter));
  }
}

}  // namespace slipstick::internal
