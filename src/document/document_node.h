#pragma once

#include <string>
#include <vector>

#include "slipstick/base/plain_name.h"

namespace slipstick::internal {

// One value of a scene file as it was written, with the line it stands on: what the YAML reader yields, what --set
// changes, and what the schema and the scene reader look at.
struct DocumentNode {
  enum class Kind { kNull, kFlag, kNumber, kText, kList, kMap };

  Kind kind = Kind::kNull;
  bool flag = false;
  bool overridden = false;          // comes from --set, not from the file
  int line = 0;                     // 1-based; 0 for what does not stand in the file
  double number = 0;                // kNumber; may be infinite or NaN
  std::string text;                 // kText, and for flags and numbers the text as written
  std::vector<std::string> keys;    // kMap, in the order of the file, each once
  std::vector<DocumentNode> items;  // kList; kMap: the value of each key

  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_text() const { return kind == Kind::kText; }
  bool is_number() const { return kind == Kind::kNumber; }
  bool is_flag() const { return kind == Kind::kFlag; }
  bool is_null() const { return kind == Kind::kNull; }

  // The value of a key of a map; null where there is none or this is no map.
  const DocumentNode* Find(const std::string& key) const;
  DocumentNode* Find(const std::string& key);
  // Adds a key to a map, or replaces its value.
  void Set(const std::string& key, DocumentNode value);

  // How a fault names the value: 'rubber', -1, a list of 3, a map, nothing.
  std::string Describe() const;
};

// The word for item `index` of a list in a key path: its name where it has one that can stand there, else the index.
std::string ItemWord(const DocumentNode& list, size_t index);

// "bodies" and "wheel" give "bodies.wheel"; an empty path gives the word alone.
std::string JoinPath(const std::string& path, const std::string& word);

}  // namespace slipstick::internal
