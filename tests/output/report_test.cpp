#include "slipstick/output/report.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "slipstick/base/check.h"
#include "slipstick/base/fault.h"

namespace slipstick::internal {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What stands between the tags of the data element, as a browser would cut it: at the first "</script".
std::string DataText(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"report-data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

json DataOf(const Report& report) { return json::parse(DataText(RenderReport(report))); }

std::vector<unsigned char> FromBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<unsigned char>(bits >> count & 255));
    }
  }
  return bytes;
}

template <typename Float>
std::vector<double> Unpack(const std::string& text) {
  const std::vector<unsigned char> bytes = FromBase64(text);
  std::vector<double> values;
  for (std::size_t i = 0; i + sizeof(Float) <= bytes.size(); i += sizeof(Float)) {
    Float value;
    std::memcpy(&value, &bytes[i], sizeof(Float));
    values.push_back(value);
  }
  return values;
}

std::vector<double> ArrayOf(const json& data, std::size_t index) {
  const std::string text = data["arrays"].at(index);
  return text.starts_with("f4:") ? Unpack<float>(text.substr(3)) : Unpack<double>(text.substr(3));
}

Report WithPlot(ReportPlot plot) {
  Report report;
  report.title = "Title";
  report.sections = {{.title = "Section", .text = "", .plots = {std::move(plot)}, .tables = {}}};
  return report;
}

ReportPlot RandomPlot(std::size_t samples, std::size_t series, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  ReportPlot plot;
  for (std::size_t i = 0; i < samples; ++i) plot.x.push_back(1e-3 * static_cast<double>(i));
  for (std::size_t s = 0; s < series; ++s) {
    ReportSeries one{.name = std::to_string(s), .y = {}};
    for (std::size_t i = 0; i < samples; ++i) one.y.push_back(random() % 50 == 0 ? kNan : normal(random));
    plot.series.push_back(std::move(one));
  }
  return plot;
}

TEST(ReportTest, ArraysComeBack) {
  ReportPlot plot;
  plot.x = {0, 0.5, 1.25, 2};
  plot.series = {{"a", {1, -2.5, kNan, 4}}, {"b", {kInfinity, 0, 1e-3, -kInfinity}}};
  const json data = DataOf(WithPlot(plot));
  const json& drawn = data["sections"][0]["plots"][0];
  EXPECT_EQ(ArrayOf(data, drawn["x"]), plot.x);
  const std::vector<double> a = ArrayOf(data, drawn["series"][0]["y"]);
  EXPECT_EQ(a[1], -2.5);
  EXPECT_TRUE(std::isnan(a[2]));
  const std::vector<double> b = ArrayOf(data, drawn["series"][1]["y"]);
  EXPECT_TRUE(std::isnan(b[0]) && std::isnan(b[3]));
  EXPECT_EQ(b[2], static_cast<double>(1e-3f));
}

TEST(ReportTest, EveryLengthOfBase64Decodes) {
  for (std::size_t count = 0; count < 10; ++count) {
    ReportPlot plot;
    for (std::size_t i = 0; i < count; ++i) plot.x.push_back(static_cast<double>(i * i));
    const json data = DataOf(WithPlot(plot));
    EXPECT_EQ(ArrayOf(data, data["sections"][0]["plots"][0]["x"]), plot.x);
  }
}

TEST(ReportTest, RippleOnLargeOffsetKeepsDoublePrecision) {
  ReportPlot plot;
  plot.x = {0, 1, 2};
  plot.series = {{"energy", {1e6, 1e6 + 1e-4, 1e6 - 1e-4}}, {"residual", {1e-60, 1e-50, 1e-55}}};
  for (const bool logarithmic : {false, true}) {
    plot.log_y = logarithmic;
    const json data = DataOf(WithPlot(plot));
    const json& series = data["sections"][0]["plots"][0]["series"];
    if (!logarithmic) {
      EXPECT_EQ(ArrayOf(data, series[0]["y"]), plot.series[0].y);
    }
    EXPECT_EQ(ArrayOf(data, series[1]["y"]), plot.series[1].y);
  }
}

TEST(ReportTest, SharedArraysAreEmbeddedOnce) {
  Report report = WithPlot(RandomPlot(100, 2, 1));
  report.sections[0].plots.push_back(report.sections[0].plots[0]);
  EXPECT_EQ(DataOf(report)["arrays"].size(), 3u);
}

TEST(ReportTest, HostileTextStaysText) {
  const std::string hostile = "</script><script>alert(1)</script><!-- & \" ' %%DATA%% \xE2\x9C\x93";
  Report report;
  report.title = report.subtitle = report.verdict = hostile;
  report.facts = {{hostile, hostile}};
  ReportPlot plot;
  plot.title = plot.caption = plot.x_label = plot.y_label = hostile;
  plot.x = {0};
  plot.series = {{hostile, {1}}};
  report.sections = {{.title = hostile,
                      .text = hostile,
                      .plots = {plot},
                      .tables = {{.title = hostile, .caption = "", .columns = {hostile}, .rows = {{hostile}}}}}};
  const std::string page = RenderReport(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
  const json data = json::parse(DataText(page));
  EXPECT_EQ(data["title"], hostile);
  EXPECT_EQ(data["facts"][0][1], hostile);
  EXPECT_EQ(data["sections"][0]["tables"][0]["rows"][0][0], hostile);
  EXPECT_EQ(data["sections"][0]["plots"][0]["series"][0]["name"], hostile);
}

TEST(ReportTest, BrokenUtf8IsReplacedNotThrown) {
  Report report;
  report.title = "caf\xE9";
  EXPECT_EQ(DataOf(report)["title"], "caf\xEF\xBF\xBD");
}

TEST(ReportTest, NothingIsFetched) {
  const std::string page = RenderReport(WithPlot(RandomPlot(10, 1, 1)));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<script src")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
}

TEST(ReportTest, ReplaysAreEmbeddedLineByLine) {
  Report report = WithPlot(RandomPlot(10, 1, 1));
  const std::string without = RenderReport(report);
  EncodedReplay replay;
  replay.header = "{\"title\": \"</script>\"}";
  replay.times = {0, 0.5, 1};
  replay.frames = {2, 1};
  replay.blocks = {"first", "second"};
  replay.stride = 4;
  report.replays = {{"empty", {}}, {"coulomb", replay}};
  const std::string page = RenderReport(report);
  const json data = json::parse(DataText(page));
  ASSERT_EQ(data["replays"].size(), 1u);  // without frames there is nothing to see
  EXPECT_EQ(data["replays"][0]["label"], "coulomb");
  EXPECT_EQ(data["replays"][0]["frames"], json::parse("[2, 1]"));
  EXPECT_EQ(data["replays"][0]["stride"], 4);
  EXPECT_EQ(ArrayOf(data, data["replays"][0]["times"]), replay.times);
  const std::string opening = "<script type=\"text/plain\" class=\"replay-data\">";
  const std::size_t begin = page.find(opening) + opening.size();
  const std::string text = page.substr(begin, page.find("</script", begin) - begin);
  EXPECT_THAT(text, ::testing::EndsWith("\nZmlyc3Q=\nc2Vjb25k"));  // of "first" and "second"
  EXPECT_THAT(text, Not(HasSubstr("<")));
  // the program for 3D comes along where it is needed
  EXPECT_THAT(without, Not(HasSubstr(opening)));
  EXPECT_LT(without.size() + 400'000, page.size());
}

TEST(ReportTest, ShortPlotsKeepEverySample) {
  const ReportPlot plot = RandomPlot(1000, 3, 2);
  EXPECT_EQ(ThinSamples(plot, 1000).size(), 1000u);
}

TEST(ReportTest, ThinningKeepsEndsExtremesAndGaps) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::size_t series_count = 1 + seed % 4, limit = 300;
    ReportPlot plot = RandomPlot(5000 + 37 * seed, series_count, seed);
    // one spike that a plain "every n-th" would lose
    plot.series[0].y[1234 + seed] = 100;
    const std::vector<std::size_t> samples = ThinSamples(plot, limit);
    EXPECT_LE(samples.size(), limit + 1);
    EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end()));
    EXPECT_EQ(std::set<std::size_t>(samples.begin(), samples.end()).size(), samples.size());
    EXPECT_EQ(samples.front(), 0u);
    EXPECT_EQ(samples.back(), plot.x.size() - 1);
    for (const ReportSeries& series : plot.series) {
      const auto extremes = [&](const auto& indices) {
        double least = kInfinity, most = -kInfinity;
        int gaps = 0;
        for (const std::size_t i : indices) {
          if (std::isnan(series.y[i])) {
            ++gaps;
            continue;
          }
          least = std::min(least, series.y[i]);
          most = std::max(most, series.y[i]);
        }
        EXPECT_GT(gaps, 0);
        return std::pair(least, most);
      };
      std::vector<std::size_t> all(plot.x.size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
      EXPECT_EQ(extremes(samples), extremes(all));
    }
  }
}

TEST(ReportTest, LongPlotsAreThinnedAndSaySo) {
  const json data = DataOf(WithPlot(RandomPlot(100'000, 2, 3)));
  const json& plot = data["sections"][0]["plots"][0];
  EXPECT_EQ(plot["samples"], 100'000);
  const std::size_t drawn = ArrayOf(data, plot["x"]).size();
  EXPECT_LE(drawn, kReportSampleLimit + 1);
  EXPECT_GT(drawn, kReportSampleLimit / 2);
}

TEST(ReportTest, BrokenDataAreRefused) {
  ReportPlot plot;
  plot.x = {0, 1, 2};
  plot.series = {{"short", {1, 2}}};
  EXPECT_THROW(RenderReport(WithPlot(plot)), BrokenInvariant);
  plot.series = {};
  plot.x = {0, 2, 1};
  EXPECT_THROW(RenderReport(WithPlot(plot)), BrokenInvariant);
  plot.x = {0, kNan, 1};
  EXPECT_THROW(RenderReport(WithPlot(plot)), BrokenInvariant);
  Report report;
  report.sections = {{.title = "", .text = "", .plots = {}, .tables = {{"", "", {"a", "b"}, {{"1"}}}}}};
  EXPECT_THROW(RenderReport(report), BrokenInvariant);
}

class ReportFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("report_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ReportFileTest, ReplacesTheFileAndLeavesNothingElse) {
  const std::filesystem::path file = folder_ / "new" / "report.html";
  Report report;
  report.title = "first";
  WriteReport(report, file);
  report.title = "second";
  WriteReport(report, file);
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(text.str(), RenderReport(report));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
}

TEST_F(ReportFileTest, NamesTheFileThatCannotBeWritten) {
  std::ofstream(folder_ / "plain") << "a file where a folder should be";
  std::filesystem::create_directories(folder_ / "taken" / "inside");
  for (const std::filesystem::path& file : {folder_ / "plain" / "report.html", folder_ / "taken"}) {
    try {
      WriteReport(Report{}, file);
      FAIL() << file << " was written";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(file.string()));
    }
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

}  // namespace
}  // namespace slipstick::internal
