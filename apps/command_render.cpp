#include <fmt/format.h>

#include <cstdio>

#include "commands.h"
#include "slipstick/base/fault.h"
#include "slipstick/export/draft.h"
#include "slipstick/export/plot_svg.h"

namespace slipstick {

int Render(const RenderArguments& arguments) {
  std::vector<Fault> faults;
  int width = 0, height = 0;
  char rest = 0;
  const bool is_size = std::sscanf(arguments.size.c_str(), "%5dx%5d%c", &width, &height, &rest) == 2;
  if (!is_size || width < 200 || height < 150 || width > 20000 || height > 20000) {
    faults.push_back(
        {"", 0, "--size", "WxH in pixels, from 200x150 to 20000x20000", fmt::format("'{}'", arguments.size)});
  }
  const std::filesystem::path output = arguments.output;
  if (output.extension() != ".svg") {
    faults.push_back({"", 0, "--output", "a name that ends in .svg", fmt::format("'{}'", arguments.output)});
  }
  if (!faults.empty()) throw InputError(faults);
  const std::filesystem::path report = std::filesystem::is_directory(arguments.folder)
                                           ? std::filesystem::path(arguments.folder) / "report.html"
                                           : std::filesystem::path(arguments.folder);
  const std::vector<ReportPlot> plots = ReadReportPlots(report);
  const ReportPlot& plot = FindPlot(plots, arguments.plot);
  DraftFile file(output);
  file.Write(PlotSvg(plot, width, height));
  file.Commit();
  fmt::print("{}\n", output.string());
  return kExitPassed;
}

}  // namespace slipstick
