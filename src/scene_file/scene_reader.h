#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/scene/scene.h"

namespace slipstick {

// --set key=value: the key path of a value in the scene file, and its new value as YAML.
struct Override {
  std::string key;
  std::string value;
};

// Reads a scene file, docs/scene-format.md, or a robot as the scene that `slipstick import` makes of it (which formats
// there are: scene_file/scene_formats.h), after changing what the overrides say. Throws an InputError with every fault
// of the file and of the overrides.
Scene ReadScene(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

// The same for a text; `file` stands in messages and gives the scene its name.
Scene ReadSceneText(const std::string& text, const std::string& file, const std::vector<Override>& overrides = {});

}  // namespace slipstick
