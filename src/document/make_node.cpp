#include "slipstick/document/make_node.h"

#include <fmt/format.h>

#include <cmath>

namespace slipstick::internal {
namespace {

DocumentNode NodeOf(DocumentNode::Kind kind, int line) {
  DocumentNode node;
  node.kind = kind;
  node.line = line;
  return node;
}

std::string NumberText(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  return fmt::format("{}", number);
}

}  // namespace

DocumentNode NumberNode(double number, int line) {
  DocumentNode node = NodeOf(DocumentNode::Kind::kNumber, line);
  node.number = number;
  node.text = NumberText(number);
  return node;
}

DocumentNode TextNode(const std::string& text, int line) {
  DocumentNode node = NodeOf(DocumentNode::Kind::kText, line);
  node.text = text;
  return node;
}

DocumentNode FlagNode(bool flag, int line) {
  DocumentNode node = NodeOf(DocumentNode::Kind::kFlag, line);
  node.flag = flag;
  node.text = flag ? "true" : "false";
  return node;
}

DocumentNode ListNode(std::vector<DocumentNode> items, int line) {
  DocumentNode node = NodeOf(DocumentNode::Kind::kList, line);
  node.items = std::move(items);
  return node;
}

DocumentNode VectorNode(const Vec3& vector, int line) {
  return ListNode({NumberNode(vector.x(), line), NumberNode(vector.y(), line), NumberNode(vector.z(), line)}, line);
}

DocumentNode MapNode(std::vector<std::pair<std::string, DocumentNode>> values, int line) {
  DocumentNode node = NodeOf(DocumentNode::Kind::kMap, line);
  for (std::pair<std::string, DocumentNode>& value : values) node.Set(value.first, std::move(value.second));
  return node;
}

}  // namespace slipstick::internal
