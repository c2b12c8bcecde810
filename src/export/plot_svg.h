#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/output/report.h"

namespace slipstick::internal {

// The plots of a report.html, as they are embedded in it: samples of long runs are thinned out there. Throws InputError
// where the file is missing or no report.
std::vector<ReportPlot> ReadReportPlots(const std::filesystem::path& report);

// The plot of that title, or the only one whose title holds the text; capital letters do not matter. Throws InputError
// that lists the titles where there is none, or more than one.
const ReportPlot& FindPlot(const std::vector<ReportPlot>& plots, const std::string& title);

// A picture of the plot with axes, ticks and legend, in colours and dashes that colour-blind readers can tell apart.
// Sizes in pixels, 200 × 150 at least.
std::string PlotSvg(const ReportPlot& plot, int width, int height);

}  // namespace slipstick::internal
