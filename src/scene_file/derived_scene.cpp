#include "slipstick/scene_file/derived_scene.h"

#include <fmt/format.h>

#include "slipstick/scene_file/scene_formats.h"

namespace slipstick::internal {
namespace {

// As a YAML text in quotes.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

// The file with that name that is a scene, of whatever format; a scene file that is not there where there is none.
std::filesystem::path FindBase(const std::filesystem::path& folder, const std::string& name) {
  for (const SceneFormat& format : SceneFormats()) {
    std::filesystem::path file = folder / (name + format.ending);
    if (format.is_listed && std::filesystem::exists(file)) return file;
  }
  return folder / (name + SceneFormats().front().ending);
}

}  // namespace

std::optional<DerivedScene> ReadDerivation(const DocumentNode& document, const std::filesystem::path& file,
                                           DocumentReader* reader) {
  const Place root{&document, ""};
  const auto base = root.Child("base");
  if (!base) return std::nullopt;
  DerivedScene derived;
  derived.base = FindBase(file.parent_path(), reader->Text(*base));
  for (const std::string& key : document.keys) {
    const Place place = *root.Child(key);
    if (key == "title" || key == "description" || key == "source") {
      derived.changes.push_back({key, Quoted(reader->Text(place))});
    } else if (key != "format" && key != "base" && key != "set") {
      reader->Fail(place, "one of format, base, title, description, source, set in a scene with a base",
                   fmt::format("the key '{}'", key));
    }
  }
  const auto format = root.Child("format");
  if (!format) {
    reader->FailMissing(root, "format", "'slipstick-scene 1'");
  } else if (reader->Text(*format) != "slipstick-scene 1") {
    reader->Fail(*format, "'slipstick-scene 1'");
  }
  if (const auto set = root.Child("set")) {
    if (!set->node->is_list()) reader->Fail(*set, "a list of KEY=VALUE, such as bodies.wheel.mass=2");
    for (const Place& item : set->Items()) {
      const std::string text = item.node->is_text() ? item.node->text : "";
      const std::size_t equal = text.find('=');
      if (equal == std::string::npos || equal == 0) {
        reader->Fail(item, "KEY=VALUE, such as bodies.wheel.mass=2");
      } else {
        derived.changes.push_back({text.substr(0, equal), text.substr(equal + 1)});
      }
    }
  }
  return derived;
}

}  // namespace slipstick::internal
