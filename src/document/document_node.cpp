#include "slipstick/document/document_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slipstick::internal {

const DocumentNode* DocumentNode::Find(const std::string& key) const {
  if (!is_map()) return nullptr;
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[found - keys.begin()];
}

DocumentNode* DocumentNode::Find(const std::string& key) {
  return const_cast<DocumentNode*>(std::as_const(*this).Find(key));
}

void DocumentNode::Set(const std::string& key, DocumentNode value) {
  if (DocumentNode* present = Find(key)) {
    *present = std::move(value);
    return;
  }
  keys.push_back(key);
  items.push_back(std::move(value));
}

std::string DocumentNode::Describe() const {
  constexpr size_t kLongest = 60;  // a fault quotes enough to recognise the value
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kFlag:
    case Kind::kNumber:
      return text;
    case Kind::kText: {
      if (text.size() <= kLongest) return fmt::format("'{}'", text);
      size_t end = kLongest;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
      return fmt::format("'{}…'", text.substr(0, end));
    }
    case Kind::kList:
      return items.empty() ? "an empty list" : fmt::format("a list of {}", items.size());
    case Kind::kMap:
      return items.empty() ? "an empty map" : "a map";
  }
  return "";
}

std::string ItemWord(const DocumentNode& list, size_t index) {
  const DocumentNode* name = list.items[index].Find("name");
  return name != nullptr && name->is_text() && IsPlainName(name->text) ? name->text : std::to_string(index);
}

std::string JoinPath(const std::string& path, const std::string& word) {
  return path.empty() ? word : path + "." + word;
}

}  // namespace slipstick::internal
