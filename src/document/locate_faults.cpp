#include "slipstick/document/locate_faults.h"

#include <cstdlib>
#include <set>
#include <sstream>

#include "slipstick/document/document_reader.h"

namespace slipstick::internal {
namespace {

const std::string kOption = "--set ";

bool IsNumber(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

std::string WithoutLast(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

bool HasAround(const std::set<std::string>& keys, std::string key) {
  for (; !key.empty(); key = WithoutLast(key))
    if (keys.count(key) > 0) return true;
  return false;
}

bool HasInside(const std::set<std::string>& keys, const std::string& key) {
  const auto next = keys.lower_bound(key + ".");
  return next != keys.end() && next->rfind(key + ".", 0) == 0;
}

}  // namespace

std::string FaultLocator::PathOf(const std::string& key) const {
  for (std::string outer = key; !outer.empty(); outer = WithoutLast(outer)) {
    const auto alias = aliases_.find(outer);
    if (alias != aliases_.end()) return alias->second + key.substr(outer.size());
  }
  return key;
}

const DocumentNode* FaultLocator::FindItem(const DocumentNode& list, const std::string& word, bool second) const {
  auto known = indices_.find(&list);
  if (known == indices_.end()) {
    Index index;
    for (std::size_t i = 0; i < list.items.size(); ++i) index[ItemWord(list, i)].push_back(i);
    known = indices_.emplace(&list, std::move(index)).first;
  }
  const auto found = known->second.find(word);
  if (found == known->second.end()) return nullptr;
  return &list.items[found->second[second && found->second.size() > 1 ? 1 : 0]];
}

FaultLocator::Found FaultLocator::Follow(const std::string& path) const {
  // a name that stands twice: it is the second that should have another
  const std::string last = path.substr(path.rfind('.') + 1);
  const std::string named = last == "name" ? WithoutLast(path) : "";
  Found found{document_, true};
  std::string way;
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, '.');) {
    way = JoinPath(way, word);
    const DocumentNode* next =
        found.node->is_list() ? FindItem(*found.node, word, way == named) : found.node->Find(word);
    if (next == nullptr) return {found.node, false};
    found.node = next;
  }
  return found;
}

Fault FaultLocator::Locate(Fault fault) const {
  fault.key = PathOf(fault.key);
  const Found found = Follow(fault.key);
  if (found.complete && IsNumber(fault.found)) fault.found = DescribeValue(*found.node, fault.found);
  if (found.node->overridden) {
    fault.key = kOption + fault.key;
  } else {
    fault.file = file_;
    fault.line = found.node->line;
  }
  return fault;
}

void FaultLocator::Append(const std::vector<Fault>& faults, std::vector<Fault>* known) const {
  std::set<std::string> keys;
  for (const Fault& fault : *known)
    keys.insert(fault.key.rfind(kOption, 0) == 0 ? fault.key.substr(kOption.size()) : fault.key);
  for (const Fault& fault : faults) {
    const std::string path = PathOf(fault.key);
    if (HasAround(keys, path)) continue;
    // faults inside of a map leave the rest of it to be judged
    if (!Follow(path).node->is_map() && HasInside(keys, path)) continue;
    known->push_back(Locate(fault));
  }
}

}  // namespace slipstick::internal
