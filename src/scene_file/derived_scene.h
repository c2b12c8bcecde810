#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "slipstick/document/document_reader.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// What a scene file with the key `base` stands for: another file, with changes.
struct DerivedScene {
  std::filesystem::path base;
  std::vector<Override> changes;
};

// Nothing where the document has no key `base`.
std::optional<DerivedScene> ReadDerivation(const DocumentNode& document, const std::filesystem::path& file,
                                           DocumentReader* reader);

}  // namespace slipstick::internal
