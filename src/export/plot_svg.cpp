#include "slipstick/export/plot_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick::internal {
namespace {

// Okabe & Ito 2008, and dashes for grey print; the same as in the report.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr const char* kDashes[] = {"", "9 4", "2 3", "10 3 2 3", "5 3", "14 4", "10 3 2 3 2 3", "1 4"};
constexpr double kFont = 12, kLetter = 6.6;  // pixels: height of letters, and how wide one is, about

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      escaped += c;
  }
  return escaped;
}

double WidthOf(const std::string& text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLetter * static_cast<double>(letters);
}

// One direction of the plot: numbers to pixels, and the ticks.
struct Axis {
  bool is_log = false;
  double least = 0, most = 1;  // of log₁₀ where it is logarithmic
  double from = 0, to = 1;     // pixels

  double Scaled(double value) const { return is_log ? std::log10(value) : value; }
  bool Shows(double value) const { return std::isfinite(value) && (!is_log || value > 0); }
  double Pixel(double value) const { return from + (Scaled(value) - least) / (most - least) * (to - from); }

  // At 1, 2 or 5 times a power of ten; of a logarithmic axis at powers of ten, or every so-manieth.
  std::vector<double> Ticks(int wanted) const {
    const double rough = (most - least) / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) step = factor * power;
    }
    if (is_log) step = std::max(1.0, std::ceil(rough));
    std::vector<double> ticks;
    const auto first = static_cast<long>(std::ceil(least / step - 1e-9)),
               last = static_cast<long>(std::floor(most / step + 1e-9));
    for (long i = first; i <= last; ++i) {
      const double at = static_cast<double>(i) * step;
      ticks.push_back(is_log ? std::pow(10.0, at) : at);
    }
    return ticks;
  }
};

void Widen(double value, Axis* axis, bool* any) {
  if (!axis->Shows(value)) return;
  const double scaled = axis->Scaled(value);
  axis->least = *any ? std::min(axis->least, scaled) : scaled;
  axis->most = *any ? std::max(axis->most, scaled) : scaled;
  *any = true;
}

// An axis has a length, whatever the data are.
void GiveRoom(double share, Axis* axis) {
  const double size = axis->most - axis->least;
  const double room = size > 0 ? share * size : axis->is_log ? 0.5 : std::max(0.5 * std::abs(axis->most), 1e-12);
  axis->least -= room;
  axis->most += room;
}

std::string Curve(const ReportPlot& plot, const ReportSeries& series, const Axis& x, const Axis& y) {
  std::string path;
  bool drawing = false;
  double height = 0;
  for (std::size_t i = 0; i < plot.x.size(); ++i) {
    if (!x.Shows(plot.x[i]) || !y.Shows(series.y[i])) {
      drawing = false;
      continue;
    }
    const double to_x = x.Pixel(plot.x[i]), to_y = y.Pixel(series.y[i]);
    if (drawing && plot.steps) path += fmt::format("L{:.2f} {:.2f}", to_x, height);
    path += fmt::format("{}{:.2f} {:.2f}", drawing ? "L" : "M", to_x, to_y);
    drawing = true;
    height = to_y;
  }
  return path;
}

std::string Text(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, more,
                     Escaped(text));
}

// Names of the curves in rows above the plot; how far down they reach.
double Legend(const ReportPlot& plot, double left, double right, double top, std::string* svg) {
  double x = left, y = top;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const double wide = 34 + WidthOf(plot.series[i].name) + 14;
    if (x > left && x + wide > right) {
      x = left;
      y += 18;
    }
    *svg += fmt::format("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n", x,
                        y - 4, kColours[i % std::size(kColours)], kDashes[i % std::size(kDashes)]);
    *svg += Text(x + 32, y, "start", plot.series[i].name);
    x += wide;
  }
  return y;
}

std::string Ticked(const Axis& x, const Axis& y) {
  std::string svg;
  const int across = std::max(2, static_cast<int>(std::abs(x.to - x.from) / 90));
  const int up = std::max(2, static_cast<int>(std::abs(y.to - y.from) / 50));
  const auto label = [](double value) { return fmt::format("{:.6g}", std::abs(value) < 1e-300 ? 0.0 : value); };
  for (const double value : x.Ticks(across)) {
    const double at = x.Pixel(value);
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e3e6ea\"/>\n", at, y.from, y.to);
    svg += Text(at, y.from + 16, "middle", label(value));
  }
  for (const double value : y.Ticks(up)) {
    const double at = y.Pixel(value);
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#e3e6ea\"/>\n", x.from, at, x.to);
    svg += Text(x.from - 6, at + 4, "end", label(value));
  }
  return svg;
}

}  // namespace

std::string PlotSvg(const ReportPlot& plot, int width, int height) {
  SLIPSTICK_CHECK(width >= 200 && height >= 150, "room for axes");
  Axis x{.is_log = plot.log_x}, y{.is_log = plot.log_y};
  bool any_x = false, any_y = false;
  for (const double value : plot.x) Widen(value, &x, &any_x);
  for (const ReportSeries& series : plot.series) {
    for (const double value : series.y) Widen(value, &y, &any_y);
  }
  GiveRoom(0, &x);
  GiveRoom(0.04, &y);
  if (plot.y_min && y.Shows(*plot.y_min)) y.least = y.Scaled(*plot.y_min);
  if (plot.y_max && y.Shows(*plot.y_max)) y.most = y.Scaled(*plot.y_max);
  if (!(y.most > y.least)) y.most = y.least + 1;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"{2}\" fill=\"#3d4650\">\n<title>{3}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height, kFont, Escaped(plot.title));
  svg += Text(78, 22, "start", plot.title, "font-size=\"15\" font-weight=\"600\"");
  x.from = 78;
  x.to = width - 16;
  y.to = Legend(plot, x.from, x.to, 42, &svg) + 12;
  y.from = height - 42;
  svg += Ticked(x, y);
  svg += Text(0.5 * (x.from + x.to), height - 8, "middle", plot.x_label);
  svg += Text(0, 0, "middle", plot.y_label,
              fmt::format("transform=\"translate(16 {:.1f}) rotate(-90)\"", 0.5 * (y.from + y.to)).c_str());
  svg += fmt::format(
      "<clipPath id=\"inside\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n",
      x.from, y.to, x.to - x.from, y.from - y.to);
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#66717d\"/>\n", x.from, y.to,
                     y.from, x.to);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    svg += fmt::format(
        "<path class=\"curve\" d=\"{}\" clip-path=\"url(#inside)\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
        "stroke-linejoin=\"round\" stroke-dasharray=\"{}\"/>\n",
        Curve(plot, plot.series[i], x, y), kColours[i % std::size(kColours)], kDashes[i % std::size(kDashes)]);
  }
  return svg + "</svg>\n";
}

}  // namespace slipstick::internal
