#include "slipstick/scene_file/scene_library.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/base/nearest_name.h"
#include "slipstick/scene_file/scene_formats.h"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

// As the file says it on one line near its top.
std::string ReadTitle(const fs::path& file) {
  const SceneFormat& format = FormatOf(file);
  std::ifstream stream(file);
  std::string line, title;
  for (int count = 0; count < 100 && title.empty() && std::getline(stream, line); ++count)
    title = format.title_on(line);
  return title;
}

// Scenes of one folder by name. A folder that is missing or may not be read has none.
std::map<std::string, fs::path> ScenesIn(const fs::path& folder) {
  std::map<std::string, fs::path> scenes;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& file = entry->path();
    if (IsListedScene(file) && entry->is_regular_file(error)) scenes.emplace(file.stem().string(), file);
  }
  return scenes;
}

std::map<std::string, fs::path> NamedScenes() {
  std::map<std::string, fs::path> scenes;
  for (const fs::path& folder : SceneFolders()) scenes.merge(ScenesIn(folder));
  return scenes;
}

// The source folder of a build folder; "" where it is none. Found at run time, so that a program knows no path of the
// machine that it was built on.
fs::path SourceOfBuild(const fs::path& build) {
  const std::string key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream cache(build / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.rfind(key, 0) == 0) return line.substr(key.size());
  return {};
}

}  // namespace

std::vector<fs::path> SceneFolders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("SLIPSTICK_SCENES")) {
    std::istringstream list(given);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) folders.emplace_back(folder);
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path above = program.parent_path().parent_path();
    folders.push_back(above / "share/slipstick/scenes");
    if (const fs::path source = SourceOfBuild(above); !source.empty()) folders.push_back(source / "scenes");
  }
  folders.emplace_back("scenes");
  return folders;
}

std::vector<SceneEntry> ListScenes() {
  std::vector<SceneEntry> entries;
  for (const auto& [name, file] : NamedScenes()) {
    const std::string title = ReadTitle(file);
    entries.push_back({name, title.empty() ? name : title, file});
  }
  return entries;
}

fs::path FindScene(const std::string& name_or_path) {
  // a folder that happens to have a scene's name does not hide the scene
  std::error_code error;
  if (fs::exists(name_or_path, error) && !fs::is_directory(name_or_path, error)) return name_or_path;
  const std::map<std::string, fs::path> scenes = NamedScenes();
  const auto found = scenes.find(name_or_path);
  if (found != scenes.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(scenes.size());
  for (const auto& [name, file] : scenes) names.push_back(name);
  if (IsListedScene(name_or_path) || name_or_path.find('/') != std::string::npos) {
    throw InputError(
        {{name_or_path, 0, "", "a scene file", fs::exists(name_or_path, error) ? "a directory" : "no such file"}});
  }
  const std::string wanted = fs::path(name_or_path).stem().string();
  throw InputError({{"", 0, "scene", "a scene file, or " + OneOf(names, wanted), "'" + name_or_path + "'"}});
}

}  // namespace slipstick::internal
