#include "slipstick/scene_file/scene_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "slipstick/document/write_yaml.h"
#include "slipstick/document/yaml_document.h"
#include "slipstick/urdf/urdf_scene.h"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

// --- scene files -----------------------------------------------------------------------------------------------------

std::string LoadText(const fs::path& file) {
  const auto refuse = [&](const std::string& found) {
    throw InputError({{file.string(), 0, "", "a scene file", found}});
  };
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) refuse("no such file");
  if (fs::is_directory(status)) refuse("a directory");
  const auto size = fs::is_regular_file(status) ? fs::file_size(file, error) : 0;
  if (size > kLargestSceneFile)
    refuse(fmt::format("a file of {} MB, above the limit of {} MB", size >> 20, kLargestSceneFile >> 20));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(std::string("a file that cannot be read: ") + std::strerror(errno));
  // no more than the limit from a pipe either; the parser refuses what is longer
  std::string text;
  char block[1 << 16];
  while (text.size() <= kLargestSceneFile && stream.read(block, sizeof(block)).gcount() > 0)
    text.append(block, stream.gcount());
  if (stream.bad()) refuse("a file that cannot be read to its end");
  return text;
}

SceneDocument ReadSceneFile(const fs::path& file, const ImportSettings&) {
  return ParseSceneText(LoadText(file), file.string());
}

// The value of the top-level key title: no YAML parser, so that a list of many large scenes stays quick and one broken
// file does not break it.
std::string SceneTitleOn(const std::string& line) {
  if (line.rfind("title:", 0) != 0) return "";
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

// --- robots in URDF --------------------------------------------------------------------------------------------------

SceneDocument ReadUrdfFile(const fs::path& file, const ImportSettings& settings) {
  using Base = UrdfSceneSettings::Base;
  const UrdfRobot robot = ReadUrdf(file);
  const Base base = settings.base == ImportSettings::Base::kFixed      ? Base::kFixed
                    : settings.base == ImportSettings::Base::kFloating ? Base::kFloating
                                                                       : Base::kByMass;
  SceneDocument document;
  document.root = UrdfToDocument(robot, {base, settings.position});
  document.text = WriteYaml(document.root);
  document.remarks = robot.remarks;
  return document;
}

std::string UrdfTitleOn(const std::string& line) {
  const std::string start = "<robot name=\"";
  if (line.rfind(start, 0) != 0) return "";
  return line.substr(start.size(), line.find('"', start.size()) - start.size());
}

// ---------------------------------------------------------------------------------------------------------------------

constexpr std::array<SceneFormat, 3> kFormats = {{
    {".yaml", "scene", true, true, ReadSceneFile, SceneTitleOn},
    {".urdf", "robot in URDF", false, true, ReadUrdfFile, UrdfTitleOn},
    {".xml", "robot in URDF", false, false, ReadUrdfFile, UrdfTitleOn},
}};

}  // namespace

std::span<const SceneFormat> SceneFormats() { return kFormats; }

const SceneFormat& FormatOf(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const SceneFormat& format) { return format.ending == ending; });
  return found == kFormats.end() ? kFormats.front() : *found;
}

bool IsListedScene(const fs::path& file) {
  const std::string ending = file.extension().string();
  return std::any_of(kFormats.begin(), kFormats.end(),
                     [&](const SceneFormat& format) { return format.is_listed && format.ending == ending; });
}

std::string ImportedEndings() {
  std::string endings;
  for (const SceneFormat& format : kFormats)
    if (!format.is_own) endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  return endings;
}

SceneDocument ParseSceneText(const std::string& text, const std::string& file) {
  SceneDocument document;
  document.text = text;
  document.root = ParseYaml(text, file, &document.faults);
  if (document.root.is_null() && document.faults.empty())
    document.faults.push_back({file, 0, "", "a scene", "an empty file"});
  return document;
}

}  // namespace slipstick::internal
