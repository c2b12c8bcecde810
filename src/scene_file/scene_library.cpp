#include "slipstick/scene_file/scene_library.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/base/nearest_name.h"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

bool IsScene(const fs::path& file) { return file.extension() == ".yaml" || file.extension() == ".urdf"; }

// The name of a robot, or the value of the top-level key title, if it stands on one line near the top: no YAML parser,
// so that a list of many large scenes stays quick and one broken file does not break it.
std::string ReadTitle(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  for (int count = 0; count < 100 && std::getline(stream, line); ++count) {
    if (const std::string start = "<robot name=\""; line.rfind(start, 0) == 0) {
      return line.substr(start.size(), line.find('"', start.size()) - start.size());
    }
    if (line.rfind("title:", 0) != 0) continue;
    const size_t begin = line.find_first_not_of(" \t", 6);
    if (begin == std::string::npos) return "";
    const char quote = line[begin];
    if (quote == '"' || quote == '\'') {
      const size_t end = line.rfind(quote);
      return end > begin ? line.substr(begin + 1, end - begin - 1) : "";
    }
    size_t end = line.find(" #", begin);
    end = line.find_last_not_of(" \t\r", end == std::string::npos ? end : end - 1);
    return line.substr(begin, end - begin + 1);
  }
  return "";
}

// Scenes of one folder by name. A folder that is missing or may not be read has none.
std::map<std::string, fs::path> ScenesIn(const fs::path& folder) {
  std::map<std::string, fs::path> scenes;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& file = entry->path();
    if (IsScene(file) && entry->is_regular_file(error)) scenes.emplace(file.stem().string(), file);
  }
  return scenes;
}

std::map<std::string, fs::path> NamedScenes() {
  std::map<std::string, fs::path> scenes;
  for (const fs::path& folder : SceneFolders()) scenes.merge(ScenesIn(folder));
  return scenes;
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
  if (!error) folders.push_back(program.parent_path().parent_path() / "share/slipstick/scenes");
  folders.emplace_back(SLIPSTICK_SOURCE_SCENES);
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
  if (IsScene(name_or_path) || name_or_path.find('/') != std::string::npos) {
    throw InputError(
        {{name_or_path, 0, "", "a scene file", fs::exists(name_or_path, error) ? "a directory" : "no such file"}});
  }
  const std::string wanted = fs::path(name_or_path).stem().string();
  throw InputError({{"", 0, "scene", "a scene file, or " + OneOf(names, wanted), "'" + name_or_path + "'"}});
}

}  // namespace slipstick::internal
