#pragma once

#include "slipstick/scene_file/scene_formats.h"
#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// ReadScene for a document, whose lines are those of `file`.
Scene ReadSceneDocument(SceneDocument document, const std::string& file, const std::vector<Override>& overrides = {});

}  // namespace slipstick::internal
