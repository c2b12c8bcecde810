#include "slipstick/serve/served_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace slipstick::internal {

std::optional<std::filesystem::path> FileInside(const std::filesystem::path& folder, const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos || path.find('\\') != std::string::npos) return std::nullopt;
  const std::filesystem::path relative(path);
  if (relative.is_absolute()) return std::nullopt;
  for (const std::filesystem::path& part : relative) {
    if (part.empty() || part.string().front() == '.') return std::nullopt;
  }
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(folder, error);
  if (error) return std::nullopt;
  const std::filesystem::path file = std::filesystem::canonical(root / relative, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return end == root.end() ? std::optional(file) : std::nullopt;
}

std::string MediaTypeOf(const std::filesystem::path& file) {
  static const std::map<std::string, std::string> types = {{".html", "text/html; charset=utf-8"},
                                                           {".json", "application/json"},
                                                           {".png", "image/png"},
                                                           {".svg", "image/svg+xml"},
                                                           {".csv", "text/csv; charset=utf-8"},
                                                           {".yaml", "text/plain; charset=utf-8"},
                                                           {".glb", "model/gltf-binary"},
                                                           {".txt", "text/plain; charset=utf-8"}};
  const auto type = types.find(file.extension().string());
  return type == types.end() ? "application/octet-stream" : type->second;
}

std::string EncodePath(const std::string& path) {
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return encoded;
}

}  // namespace slipstick::internal
