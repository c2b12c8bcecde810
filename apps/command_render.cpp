#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "commands.h"
#include "slipstick/base/draft_file.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/headless_browser.h"
#include "slipstick/export/plot_svg.h"
#include "slipstick/export/report_picture.h"

namespace slipstick::internal {
namespace {

enum class Kind { kPlot, kPicture };

struct Size {
  int width = 0, height = 0;
};

constexpr Size kThumbnail{480, 240};

Size ReadSize(const RenderArguments& arguments, Kind kind, std::vector<Fault>* faults) {
  const std::string text = !arguments.size.empty() ? arguments.size : kind == Kind::kPlot ? "720x420" : "960x540";
  Size size;
  char rest = 0;
  const bool is_size = std::sscanf(text.c_str(), "%5dx%5d%c", &size.width, &size.height, &rest) == 2;
  const int most = kind == Kind::kPlot ? 20000 : 8000;  // larger than that no browser draws
  if (!is_size || size.width < 200 || size.height < 150 || size.width > most || size.height > most) {
    faults->push_back(
        {"", 0, "--size", fmt::format("WxH in pixels, from 200x150 to {0}x{0}", most), fmt::format("'{}'", text)});
  }
  return size;
}

Kind ReadKind(const RenderArguments& arguments, std::vector<Fault>* faults) {
  const std::string ending = std::filesystem::path(arguments.output).extension().string();
  if (arguments.thumbnail) {
    if (!arguments.output.empty()) faults->push_back({"", 0, "--output", "nothing beside --thumbnail", "a file"});
    return Kind::kPicture;
  }
  if (ending != ".svg" && ending != ".png") {
    faults->push_back({"", 0, "--output", "a name that ends in .png (the replay) or .svg (a plot)",
                       fmt::format("'{}'", arguments.output)});
  }
  return ending == ".svg" ? Kind::kPlot : Kind::kPicture;
}

void CheckKind(const RenderArguments& arguments, Kind kind, std::vector<Fault>* faults) {
  if (kind == Kind::kPlot) {
    if (arguments.plot.empty()) faults->push_back({"", 0, "--plot", "the title of a plot", "none"});
    return;
  }
  if (!arguments.plot.empty())
    faults->push_back({"", 0, "--plot", "a name that ends in .svg", "a picture of the replay"});
  if (arguments.time && !std::isfinite(*arguments.time)) {
    faults->push_back({"", 0, "--time", "a time in s", fmt::format("{}", *arguments.time)});
  }
  if (std::find(std::begin(kPictureViews), std::end(kPictureViews), arguments.view) == std::end(kPictureViews)) {
    faults->push_back(
        {"", 0, "--view", fmt::format("{}", fmt::join(kPictureViews, ", ")), fmt::format("'{}'", arguments.view)});
  }
}

}  // namespace

int Render(const RenderArguments& arguments) {
  std::vector<Fault> faults;
  const Kind kind = ReadKind(arguments, &faults);
  CheckKind(arguments, kind, &faults);
  const Size size = arguments.thumbnail ? kThumbnail : ReadSize(arguments, kind, &faults);
  if (!faults.empty()) throw InputError(faults);
  const std::filesystem::path report = std::filesystem::is_directory(arguments.folder)
                                           ? std::filesystem::path(arguments.folder) / "report.html"
                                           : std::filesystem::path(arguments.folder);
  const std::filesystem::path output =
      arguments.thumbnail ? report.parent_path() / "thumbnail.png" : std::filesystem::path(arguments.output);
  std::string picture;
  if (kind == Kind::kPlot) {
    const std::vector<ReportPlot> plots = ReadReportPlots(report);
    picture = PlotSvg(FindPlot(plots, arguments.plot), size.width, size.height);
  } else {
    try {
      picture =
          ReportPicture(report, {arguments.time, arguments.view, size.width, size.height, arguments.dark}, Interrupted);
    } catch (const BrowserError& error) {
      fmt::print(stderr, "slipstick: no picture was made: {}\n", error.what());
      return Interrupted() ? kExitInterrupted : kExitNotPassed;
    }
  }
  DraftFile file(output);
  file.Write(picture);
  file.Commit();
  fmt::print("{}\n", output.string());
  return kExitPassed;
}

}  // namespace slipstick::internal
