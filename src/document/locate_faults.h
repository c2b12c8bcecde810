#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/document/document_node.h"

namespace slipstick::internal {

// Finds the places in a document of faults that know only their key.
class FaultLocator {
 public:
  FaultLocator(std::string file, const DocumentNode* document) : file_(std::move(file)), document_(document) {}

  // What goes by `key` in faults stands at another path in the document.
  void Alias(const std::string& key, const std::string& path) { aliases_[key] = path; }
  // The path of a key by the aliases.
  std::string PathOf(const std::string& key) const;

  // The fault with file and line, its key as a path of the document, and numbers as they were written there.
  Fault Locate(Fault fault) const;

  // Adds the faults to `known`, located, but for those that follow from one that is known: at the same path or inside
  // or around it.
  void Append(const std::vector<Fault>& faults, std::vector<Fault>* known) const;

 private:
  struct Found {
    const DocumentNode* node;  // as far as the path leads
    bool complete;             // whether that is to its end
  };
  Found Follow(const std::string& path) const;
  const DocumentNode* FindItem(const DocumentNode& list, const std::string& word, bool second) const;

  std::string file_;
  const DocumentNode* document_;
  std::map<std::string, std::string> aliases_;
  using Index = std::unordered_map<std::string, std::vector<std::size_t>>;
  mutable std::unordered_map<const DocumentNode*, Index> indices_;  // of lists, by the words for their items
};

}  // namespace slipstick::internal
