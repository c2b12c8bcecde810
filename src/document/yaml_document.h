#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/document/document_node.h"

namespace slipstick::internal {

// Longer files are refused: a scene of 100,000 bodies has about 30 MB.
constexpr std::size_t kLargestSceneFile = std::size_t{64} << 20;

// Reads one YAML document. Text that is no YAML at all, or too large, gives one fault and an empty document; a key that
// stands twice gives a fault and keeps its first value.
//
// Plain values are read as YAML 1.2 does: true and false are the flags, so that `name: y` and `name: no` stay texts.
// Numbers are decimal or .inf; what looks like neither is text.
DocumentNode ParseYaml(const std::string& text, const std::string& file, std::vector<Fault>* faults);

}  // namespace slipstick::internal
