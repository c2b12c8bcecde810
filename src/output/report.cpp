#include "slipstick/output/report.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "slipstick/base/check.h"
#include "slipstick/base/draft_file.h"
#include "slipstick/base/escape_html.h"
#include "slipstick/output/base64.h"

namespace slipstick::internal {

// The page with %%CONNECT%%, %%TITLE%%, %%DATA%%, %%REPLAYS%% and %%SCRIPT%% to be filled in, and its program without
// and with replays; made from viewer/src when the project is built.
extern const std::string_view kReportPage, kReportScript, kReplayScript;

namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the page reads little-endian floats");

void CheckPlot(const ReportPlot& plot) {
  double last = -std::numeric_limits<double>::infinity();
  for (const double x : plot.x) {
    SLIPSTICK_CHECK(std::isfinite(x) && x >= last,
                    "x of the plot \"" + plot.title + "\" must be finite and never fall");
    SLIPSTICK_CHECK(!plot.log_x || x > 0, "x of the plot \"" + plot.title + "\" must be above 0");
    last = x;
  }
  for (const ReportSeries& series : plot.series) {
    SLIPSTICK_CHECK(series.y.size() == plot.x.size(),
                    "series \"" + series.name + "\" of the plot \"" + plot.title + "\" must have a value for each x");
  }
}

void CheckTable(const ReportTable& table) {
  for (const std::vector<std::string>& row : table.rows) {
    SLIPSTICK_CHECK(row.size() == table.columns.size(),
                    "each row of the table \"" + table.title + "\" must be as wide as its head");
  }
}

template <typename Float>
std::string Pack(std::string_view tag, const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(Float), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = std::isfinite(values[i]) ? values[i] : std::numeric_limits<double>::quiet_NaN();
    const Float packed = static_cast<Float>(value);
    std::memcpy(bytes.data() + i * sizeof(Float), &packed, sizeof(Float));
  }
  return std::string(tag) + Base64(bytes);
}

// Whether single precision draws the same curve: nothing leaves its range, and rounding stays below a pixel even after
// zooming in a hundredfold. A large offset under a small ripple, or a tiny residual on a logarithmic axis, needs
// doubles.
bool FitsSinglePrecision(const std::vector<double>& values, bool logarithmic) {
  using Single = std::numeric_limits<float>;
  double least = std::numeric_limits<double>::infinity(), most = -least, largest = 0, smallest = least;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
    largest = std::max(largest, std::abs(value));
    if (value != 0) smallest = std::min(smallest, std::abs(value));
  }
  if (largest > Single::max() || smallest < Single::min()) return false;
  constexpr double kPixelsTimesZoom = 1000.0 * 100.0;
  return logarithmic || least >= most || largest * Single::epsilon() <= (most - least) / kPixelsTimesZoom;
}

// Arrays that several plots share, such as the time, are embedded once.
class ArrayTable {
 public:
  std::size_t Add(const std::vector<double>& values, bool logarithmic) {
    std::string text =
        FitsSinglePrecision(values, logarithmic) ? Pack<float>("f4:", values) : Pack<double>("f8:", values);
    const auto [entry, is_new] = index_of_.try_emplace(text, arrays_.size());
    if (is_new) arrays_.push_back(std::move(text));
    return entry->second;
  }
  json TakeArrays() { return std::move(arrays_); }

 private:
  std::map<std::string, std::size_t> index_of_;
  std::vector<std::string> arrays_;
};

std::vector<double> Pick(const std::vector<double>& values, const std::vector<std::size_t>& samples) {
  std::vector<double> picked;
  picked.reserve(samples.size());
  for (const std::size_t sample : samples) picked.push_back(values[sample]);
  return picked;
}

json NumberOrNull(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? json(*value) : json(nullptr);
}

json PlotJson(const ReportPlot& plot, ArrayTable* arrays) {
  CheckPlot(plot);
  const std::vector<std::size_t> samples = ThinSamples(plot, kReportSampleLimit);
  json series = json::array();
  for (const ReportSeries& one : plot.series) {
    series.push_back({{"name", one.name}, {"y", arrays->Add(Pick(one.y, samples), plot.log_y)}});
  }
  return {{"title", plot.title},
          {"caption", plot.caption},
          {"x_label", plot.x_label},
          {"y_label", plot.y_label},
          {"x", arrays->Add(Pick(plot.x, samples), plot.log_x)},
          {"series", std::move(series)},
          {"log_y", plot.log_y},
          {"log_x", plot.log_x},
          {"steps", plot.steps},
          {"small", plot.small},
          {"y_min", NumberOrNull(plot.y_min)},
          {"y_max", NumberOrNull(plot.y_max)},
          {"samples", plot.x.size()}};
}

json TableJson(const ReportTable& table) {
  CheckTable(table);
  return {{"title", table.title}, {"caption", table.caption}, {"columns", table.columns}, {"rows", table.rows}};
}

std::vector<const ReportReplay*> ReplaysOf(const Report& report) {
  std::vector<const ReportReplay*> replays;
  for (const ReportReplay& replay : report.replays) {
    if (!replay.replay.times.empty()) replays.push_back(&replay);
  }
  return replays;
}

json LiveJson(const ReportLive& live) {
  json parameters = json::array();
  for (const ReportLive::Parameter& one : live.parameters) {
    parameters.push_back(
        {{"name", one.name}, {"unit", one.unit}, {"least", one.least}, {"most", one.most}, {"value", one.value}});
  }
  return {{"step", live.step}, {"duration", live.duration}, {"parameters", std::move(parameters)}};
}

// An element of its own for each replay: its header and its blocks, each packed and a line of base64, which holds
// nothing that could end the element.
std::string ReplayElements(const Report& report) {
  const std::string begin = "<script type=\"text/plain\" class=\"replay-data\">", end = "</script>\n";
  if (report.live) return begin + Base64(Deflate(report.live->replay_header)) + end;
  std::string text;
  for (const ReportReplay* replay : ReplaysOf(report)) {
    text += begin;
    text += Base64(Deflate(replay->replay.header));
    for (const std::string& block : replay->replay.blocks) {
      text += '\n';
      text += Base64(block);
    }
    text += end;
  }
  return text;
}

json ReportJson(const Report& report) {
  ArrayTable arrays;
  json sections = json::array();
  for (const ReportSection& section : report.sections) {
    json plots = json::array(), tables = json::array();
    for (const ReportPlot& plot : section.plots) plots.push_back(PlotJson(plot, &arrays));
    for (const ReportTable& table : section.tables) tables.push_back(TableJson(table));
    sections.push_back(
        {{"title", section.title}, {"text", section.text}, {"plots", std::move(plots)}, {"tables", std::move(tables)}});
  }
  json replays = json::array();
  for (const ReportReplay* replay : ReplaysOf(report)) {
    replays.push_back({{"label", replay->label},
                       {"times", arrays.Add(replay->replay.times, false)},
                       {"frames", replay->replay.frames},
                       {"stride", replay->replay.stride},
                       {"has_contacts", replay->replay.has_contacts},
                       {"lacks_contacts", replay->replay.lacks_contacts}});
  }
  json facts = json::array();
  for (const auto& [name, value] : report.facts) facts.push_back(json::array({name, value}));
  return {{"title", report.title},           {"subtitle", report.subtitle},
          {"verdict", report.verdict},       {"passed", report.passed},
          {"facts", std::move(facts)},       {"arrays", arrays.TakeArrays()},
          {"sections", std::move(sections)}, {"replays", std::move(replays)},
          {"time_label", report.time_label}, {"live", report.live ? LiveJson(*report.live) : json(nullptr)}};
}

// JSON inside a script element: "<" must not appear, or </script> and <!-- would end or confuse the element. Bytes
// that are not UTF-8 become U+FFFD rather than an exception at the end of a long run.
std::string EmbeddedJson(const json& data) {
  const std::string plain = data.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::vector<std::size_t> ThinSamples(const ReportPlot& plot, std::size_t limit) {
  const std::size_t count = plot.x.size();
  std::vector<std::size_t> samples;
  if (count <= limit) {
    samples.resize(count);
    for (std::size_t i = 0; i < count; ++i) samples[i] = i;
    return samples;
  }
  // each stretch may keep three samples of each series, and its own first one so that x stays evenly covered
  const std::size_t stretches = std::max<std::size_t>(1, limit / (3 * plot.series.size() + 1));
  for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
    const std::size_t begin = count * stretch / stretches, end = count * (stretch + 1) / stretches;
    std::vector<std::size_t> kept = {begin};
    for (const ReportSeries& series : plot.series) {
      std::optional<std::size_t> least, most, gap;
      for (std::size_t i = begin; i < end; ++i) {
        if (!std::isfinite(series.y[i])) {
          gap = gap.value_or(i);
          continue;
        }
        if (!least || series.y[i] < series.y[*least]) least = i;
        if (!most || series.y[i] > series.y[*most]) most = i;
      }
      for (const std::optional<std::size_t>& one : {least, most, gap}) {
        if (one) kept.push_back(*one);
      }
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    samples.insert(samples.end(), kept.begin(), kept.end());
  }
  if (samples.back() != count - 1) samples.push_back(count - 1);
  return samples;
}

std::string RenderReport(const Report& report) {
  const std::string replays = ReplayElements(report);
  const std::pair<std::string_view, std::string> parts[] = {
      {"%%CONNECT%%", report.live ? "; connect-src 'self'" : ""},
      {"%%TITLE%%", EscapeHtml(report.title)},
      {"%%DATA%%", EmbeddedJson(ReportJson(report))},
      {"%%REPLAYS%%", replays},
      {"%%SCRIPT%%", std::string(replays.empty() ? kReportScript : kReplayScript)}};
  // all places are looked up in the page as it was made, so that a title which says %%DATA%% is only a title
  std::string page;
  std::size_t done = 0;
  for (const auto& [mark, text] : parts) {
    const std::size_t at = kReportPage.find(mark, done);
    SLIPSTICK_CHECK(at != std::string_view::npos, "the page lacks its placeholders");
    page += kReportPage.substr(done, at - done);
    page += text;
    done = at + mark.size();
  }
  page += kReportPage.substr(done);
  return page;
}

void WriteReport(const Report& report, const std::filesystem::path& file) { WriteFile(file, RenderReport(report)); }

}  // namespace slipstick::internal
