#pragma once

#include <string>
#include <utility>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/document/document_node.h"

// Documents that are made and not read: by readers of other formats, each value with the line it comes from there.

namespace slipstick::internal {

// Finite or infinite; its text is the shortest that is read as the same number.
DocumentNode NumberNode(double number, int line);
DocumentNode TextNode(const std::string& text, int line);
DocumentNode FlagNode(bool flag, int line);
DocumentNode ListNode(std::vector<DocumentNode> items, int line);
DocumentNode VectorNode(const Vec3& vector, int line);
DocumentNode MapNode(std::vector<std::pair<std::string, DocumentNode>> values, int line);

}  // namespace slipstick::internal
