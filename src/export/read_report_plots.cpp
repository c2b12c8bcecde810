#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "slipstick/base/fault.h"
#include "slipstick/export/plot_svg.h"
#include "slipstick/output/base64.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers are read as they are in memory");

[[noreturn]] void Fail(const std::string& file, const std::string& key, const std::string& expected,
                       const std::string& found) {
  throw InputError({Fault{.file = file, .line = 0, .key = key, .expected = expected, .found = found}});
}

template <typename Float>
std::vector<double> Floats(const std::string& bytes) {
  std::vector<Float> numbers(bytes.size() / sizeof(Float));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Float));
  return {numbers.begin(), numbers.end()};
}

// "f4:" or "f8:" and floats of that many bytes in base64.
std::vector<double> ArrayOf(const std::string& text) {
  const std::string bytes = FromBase64(std::string_view(text).substr(std::min<std::size_t>(3, text.size())));
  return text.starts_with("f4:") ? Floats<float>(bytes) : Floats<double>(bytes);
}

ReportPlot PlotOf(const Json& json, const Json& arrays) {
  const auto array = [&](const char* key, const Json& place) {
    return ArrayOf(arrays.at(place.at(key).get<std::size_t>()).get<std::string>());
  };
  ReportPlot plot;
  plot.title = json.at("title");
  plot.x_label = json.at("x_label");
  plot.y_label = json.at("y_label");
  plot.x = array("x", json);
  for (const Json& one : json.at("series")) plot.series.push_back({one.at("name"), array("y", one)});
  plot.log_x = json.at("log_x");
  plot.log_y = json.at("log_y");
  plot.steps = json.at("steps");
  if (json.at("y_min").is_number()) plot.y_min = json.at("y_min").get<double>();
  if (json.at("y_max").is_number()) plot.y_max = json.at("y_max").get<double>();
  for (ReportSeries& one : plot.series) one.y.resize(plot.x.size(), std::numeric_limits<double>::quiet_NaN());
  return plot;
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::vector<ReportPlot> ReadReportPlots(const std::filesystem::path& report) {
  std::ifstream stream(report, std::ios::binary);
  if (!stream) Fail(report.string(), "", "a report", "no such file");
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string page = content.str();
  const std::string_view mark = "id=\"report-data\">";
  const std::size_t begin = page.find(mark), end = page.find("</script>", begin);
  if (begin == std::string::npos || end == std::string::npos)
    Fail(report.string(), "", "a report of slipstick", "another page");
  try {
    const Json json = Json::parse(page.begin() + static_cast<std::ptrdiff_t>(begin + mark.size()),
                                  page.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<ReportPlot> plots;
    for (const Json& section : json.at("sections")) {
      for (const Json& plot : section.at("plots")) plots.push_back(PlotOf(plot, json.at("arrays")));
    }
    return plots;
  } catch (const Json::exception& cause) {
    Fail(report.string(), "", "a report of slipstick", cause.what());
  }
}

const ReportPlot& FindPlot(const std::vector<ReportPlot>& plots, const std::string& title) {
  std::vector<const ReportPlot*> found;
  std::string titles;
  for (const ReportPlot& plot : plots) {
    if (Lower(plot.title) == Lower(title)) return plot;
    if (Lower(plot.title).find(Lower(title)) != std::string::npos) found.push_back(&plot);
    titles += (titles.empty() ? "" : ", ") + fmt::format("'{}'", plot.title);
  }
  if (found.size() != 1) {
    Fail("", "--plot", "the title of one of the report's plots: " + titles,
         fmt::format("'{}'{}", title, found.empty() ? "" : ", which fits several"));
  }
  return *found.front();
}

}  // namespace slipstick::internal
