#pragma once

#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/document/document_node.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// Changes the document, one override after the other. Items of lists are found by their name or index. A map that the
// schema knows may gain new keys, a list gains no items. What cannot be followed becomes a fault with the key "--set
// …".
void ApplyOverrides(const std::vector<Override>& overrides, DocumentNode* document, std::vector<Fault>* faults);

}  // namespace slipstick::internal
