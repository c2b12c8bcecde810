#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace slipstick::internal {

// The file that a path below a folder names, where it is a plain file inside that folder: no way up, no hidden files,
// no link that leads outside. `path` is decoded and has no slash in front.
std::optional<std::filesystem::path> FileInside(const std::filesystem::path& folder, const std::string& path);

// What a file is, by the end of its name.
std::string MediaTypeOf(const std::filesystem::path& file);

// A path for an address: everything but letters, digits and -._~/ as %XX.
std::string EncodePath(const std::string& path);

}  // namespace slipstick::internal
