#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/output/replay.h"

namespace slipstick::internal {

// What a report shows, as plain data. All text is plain text, never markup; blank lines separate paragraphs.

struct ReportSeries {
  std::string name;
  std::vector<double> y;  // one value for each x of the plot; NaN (or an infinity) leaves a gap
};

struct ReportPlot {
  std::string title, caption;
  std::string x_label, y_label;  // plots with the same x_label share their cursor
  std::vector<double> x;         // finite, never falling
  std::vector<ReportSeries> series;
  bool log_y = false;                  // values ≤ 0 leave a gap then
  bool log_x = false;                  // all x above 0
  bool steps = false;                  // a value holds until the next x
  bool small = false;                  // one of many of a kind, which are compared
  std::optional<double> y_min, y_max;  // where absent, the data decide
};

struct ReportTable {
  std::string title, caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as wide as columns; cells that start with ✓ or ✗ are coloured
};

// Tables stand beside the plots on wide screens, below them elsewhere.
struct ReportSection {
  std::string title, text;
  std::vector<ReportPlot> plots;
  std::vector<ReportTable> tables;
};

// A replay in 3D, and what it is called where there are several to choose from. It moves with the plots over time.
struct ReportReplay {
  std::string label;
  EncodedReplay replay;
};

// A run that goes on while the page is open: the page fetches frames and rows for its plots from its own server
// (docs/file-formats.md, "Live").
struct ReportLive {
  std::string replay_header;      // as EncodeReplayHeader makes it
  double step = 0, duration = 0;  // s
  struct Parameter {
    std::string name, unit;
    double least = 0, most = 0, value = 0;
  };
  std::vector<Parameter> parameters;
};

struct Report {
  std::string title, subtitle;
  std::string verdict;  // one sentence; empty where nothing is judged
  bool passed = false;  // colours the verdict
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<ReportSection> sections;
  std::vector<ReportReplay> replays;    // without frames there is nothing to see, and they are left out
  std::string time_label = "time [s]";  // x_label of the plots that the replays move with
  std::optional<ReportLive> live;       // in place of replays
};

// A plot keeps at most about this many of its samples.
inline constexpr std::size_t kReportSampleLimit = 20'000;

// Which samples of a plot to draw: all, or where there are more than limit, a rising choice that holds the first and
// the last one and, in each of equal stretches, every series' smallest and largest value and a gap where it has one.
std::vector<std::size_t> ThinSamples(const ReportPlot& plot, std::size_t limit);

// The whole page: one HTML file with its style, program and data inside, which needs no network.
std::string RenderReport(const Report& report);

// Writes the page under another name and renames it, so that the file is never seen half written. Makes the folder
// where it is missing. Throws InputError where the file cannot be written.
void WriteReport(const Report& report, const std::filesystem::path& file);

}  // namespace slipstick::internal
