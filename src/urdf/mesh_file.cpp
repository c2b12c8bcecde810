#include "slipstick/urdf/mesh_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 4;  // levels below a folder of packages

// %20 is a space.
std::string Unescaped(const std::string& text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      plain += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> FoldersOf(const char* variable) {
  std::vector<fs::path> folders;
  if (const char* text = std::getenv(variable); text != nullptr) {
    std::istringstream list(text);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  return folders;
}

// Whether a folder's package.xml has that name.
bool IsPackage(const fs::path& folder, const std::string& name) {
  std::ifstream stream(folder / "package.xml");
  std::ostringstream text;
  text << stream.rdbuf();
  return stream && text.str().find("<name>" + name + "</name>") != std::string::npos;
}

// A folder of that name, or a package of that name, in a folder or some levels below it, that has the file.
std::optional<fs::path> FindBelow(const fs::path& folder, const std::string& package, const fs::path& rest,
                                  int levels) {
  if (IsFile(folder / package / rest)) return folder / package / rest;
  if ((folder.filename() == package || IsPackage(folder, package)) && IsFile(folder / rest)) return folder / rest;
  if (levels == 0) return std::nullopt;
  std::error_code error;
  for (fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (!entry->is_directory(ignored) || entry->is_symlink(ignored)) continue;
    if (const auto found = FindBelow(entry->path(), package, rest, levels - 1)) return found;
  }
  return std::nullopt;
}

MeshFile FindInPackage(const std::string& inside, const fs::path& urdf) {
  const std::size_t slash = inside.find('/');
  const std::string package = inside.substr(0, slash);
  const fs::path rest = slash == std::string::npos ? fs::path() : fs::path(inside.substr(slash + 1));
  std::error_code ignored;
  for (fs::path folder = fs::absolute(urdf, ignored).parent_path();; folder = folder.parent_path()) {
    if (const auto found = FindBelow(folder, package, rest, 0)) return {*found, ""};
    if (folder == folder.parent_path()) break;
  }
  std::vector<std::string> looked = {"the folders around the URDF"};
  for (const char* variable : {"ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH"}) {
    looked.push_back(std::string("$") + variable);
    for (const fs::path& folder : FoldersOf(variable)) {
      if (const auto found = FindBelow(folder, package, rest, kDeepest)) return {*found, ""};
    }
  }
  looked.emplace_back("share/ of $AMENT_PREFIX_PATH");
  for (const fs::path& folder : FoldersOf("AMENT_PREFIX_PATH")) {
    if (IsFile(folder / "share" / package / rest)) return {folder / "share" / package / rest, ""};
  }
  return {{}, fmt::format("there is no such file in package '{}', looked for in {}", package, fmt::join(looked, ", "))};
}

}  // namespace

MeshFile FindMeshFile(const std::string& name, const fs::path& urdf) {
  for (const char* scheme : {"package://", "model://"}) {
    if (name.starts_with(scheme)) return FindInPackage(Unescaped(name.substr(std::string(scheme).size())), urdf);
  }
  const std::string file = "file://";
  const fs::path path = name.starts_with(file) ? Unescaped(name.substr(file.size())) : name;
  const fs::path whole = path.is_absolute() ? path : urdf.parent_path() / path;
  return IsFile(whole) ? MeshFile{whole, ""} : MeshFile{{}, "there is no such file"};
}

}  // namespace slipstick::internal
