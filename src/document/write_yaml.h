#pragma once

#include <string>

#include "slipstick/document/document_node.h"

namespace slipstick::internal {

// A document as YAML that ParseYaml reads as the same document, but for its lines. What is short stands on one line.
std::string WriteYaml(const DocumentNode& document);

}  // namespace slipstick::internal
