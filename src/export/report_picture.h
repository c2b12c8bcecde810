#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace slipstick::internal {

struct PictureSettings {
  std::optional<double> time;  // s; none: the end
  std::string view = "isometric";
  int width = 960, height = 540;  // pixels
  bool dark = false;
};

// Names of the views, for messages.
inline constexpr const char* kPictureViews[] = {"isometric", "front", "side", "top"};

// The replay of a report.html at one moment, as PNG: the page itself draws it, in a browser without a window. Throws
// InputError where there is no browser, the report is none or has no replay; BrowserError where the browser fails.
std::string ReportPicture(const std::filesystem::path& report, const PictureSettings& settings,
                          const std::function<bool()>& is_over);

}  // namespace slipstick::internal
