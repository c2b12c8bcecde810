#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/fault.h"
#include "slipstick/document/document_node.h"

// Files that are scenes. Another format, such as MJCF or SDF, is one more row of the table in scene_formats.cpp: what
// reads it makes a document of it, each value with its line, and all else goes on from there.

namespace slipstick::internal {

struct SceneDocument {
  DocumentNode root;                 // null with faults where there is none
  std::string text;                  // as YAML
  std::vector<Fault> faults;         // that do not keep the rest from being looked at
  std::vector<std::string> remarks;  // what was left out of a scene that comes from another format
};

// What a robot's file does not say.
struct ImportSettings {
  enum class Base { kByMass, kFixed, kFloating };  // by mass: fixed where the root link has none
  Base base = Base::kByMass;
  Vec3 position = Vec3::Zero();  // of the root link
};

struct SceneFormat {
  const char* ending;  // with its dot, in lower case
  const char* name;
  bool is_own;     // scene files; else what `slipstick import` turns into one
  bool is_listed;  // whether each such file in a folder of scenes is one
  SceneDocument (*read)(const std::filesystem::path& file, const ImportSettings& settings);
  // The title, where it stands on this line; else "".
  std::string (*title_on)(const std::string& line);
};

std::span<const SceneFormat> SceneFormats();

// By the file's ending, in capitals too; that of scene files where no other has it.
const SceneFormat& FormatOf(const std::filesystem::path& file);

// Whether a file in a folder of scenes is one.
bool IsListedScene(const std::filesystem::path& file);

// Endings of what can be imported, as in ".urdf, .xml".
std::string ImportedEndings();

// The document of a text in YAML.
SceneDocument ParseSceneText(const std::string& text, const std::string& file);

}  // namespace slipstick::internal
