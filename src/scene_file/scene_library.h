#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slipstick::internal {

struct SceneEntry {
  std::string name;   // file name without its ending
  std::string title;  // as the file says, or the name; not checked
  std::filesystem::path file;
};

// The folders that hold named scenes, in the order in which they are searched: those of $SLIPSTICK_SCENES (separated by
// colons), ../share/slipstick/scenes beside the program's folder, those of the source tree where the program is in its
// build folder, ./scenes.
std::vector<std::filesystem::path> SceneFolders();

// All named scenes, sorted by name; of two with the same name the one that FindScene finds.
std::vector<SceneEntry> ListScenes();

// The scene file of that path, or of that name. Throws an InputError that lists the nearest names where there is none.
std::filesystem::path FindScene(const std::string& name_or_path);

}  // namespace slipstick::internal
