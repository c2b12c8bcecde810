// Writes the report that the browser test opens: sample_report <file>. The numbers are those of a block on a slope that
// is struck, slides, and comes to rest, with enough variety to try every feature of the page.

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <random>

#include "slipstick/output/report.h"

namespace slipstick::internal {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Times(double end, std::size_t count) {
  std::vector<double> times(count);
  for (std::size_t i = 0; i < count; ++i) times[i] = end * static_cast<double>(i) / static_cast<double>(count - 1);
  return times;
}

template <typename Function>
ReportSeries Series(std::string name, const std::vector<double>& x, Function function) {
  ReportSeries series{.name = std::move(name), .y = {}};
  for (const double value : x) series.y.push_back(function(value));
  return series;
}

ReportPlot Plot(std::string title, std::string y_label, std::vector<double> x) {
  ReportPlot plot;
  plot.title = std::move(title);
  plot.x_label = "Time t [s]";
  plot.y_label = std::move(y_label);
  plot.x = std::move(x);
  return plot;
}

ReportSection Motion() {
  ReportSection section;
  section.title = "Motion";
  section.text =
      "The block starts at 6 m/s up the slope, is slowed by gravity and friction, and stays where it stops, because "
      "the "
      "slope is less steep than the friction cone.\n\nAll laws use the same step of 1 ms.";
  ReportPlot speed = Plot("Speed along the slope", "Speed v [m/s]", Times(2, 2001));
  const auto slowed = [](double rate) { return [rate](double t) { return std::max(0.0, 6 - rate * t); }; };
  speed.series = {Series("exact Coulomb", speed.x, slowed(6.2)), Series("regularized", speed.x, slowed(6.23)),
                  Series("polygonal, 4 sides", speed.x, slowed(6.9)), Series("box", speed.x, slowed(7.6))};
  speed.caption =
      "The block stops when its speed reaches zero; box friction depends on the axes and stops it too early.";
  ReportPlot force = Plot("Friction used", "|λT| / (μ λN) [–]", Times(2, 2001));
  force.series = {Series("exact Coulomb", force.x, [](double t) { return t < 0.968 ? 1.0 : 0.58; }),
                  Series("regularized", force.x, [](double t) {
                    return t < 0.963 ? 1.0 : 0.58 + 0.3 * std::exp(-20 * (t - 0.963)) * std::cos(90 * (t - 0.963));
                  })};
  force.y_min = 0;
  force.y_max = 1.2;
  force.caption = "One while sliding; tan α / μ at rest.";
  section.plots = {speed, force};
  section.tables = {{.title = "Against the closed form",
                     .caption = "Stopping time and distance, v₀ = 6 m/s.",
                     .columns = {"Quantity", "Closed form", "Here", "Within"},
                     .rows = {{"stopping time [s]", "0.96774", "0.96800", "✓ 0.03 %"},
                              {"distance [m]", "2.90323", "2.90027", "✓ 0.10 %"},
                              {"box: distance [m]", "2.90323", "2.36842", "✗ 18.4 %"},
                              {"creep at rest [m/s]", "0", "3.1e-17", "✓ < 1e-12"}}}};
  return section;
}

ReportSection Accuracy() {
  ReportSection section;
  section.title = "Accuracy";
  section.text =
      "Residuals of the certificate at every step, on a logarithmic axis. Where a residual is exactly 0 there is a "
      "gap.";
  ReportPlot residual = Plot("Residuals", "Residual [–]", Times(2, 60'001));
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto noise = [&](double level) {
    return [&random, &normal, level](double t) {
      return t > 1.2 && t < 1.4 ? 0.0 : std::pow(10, level + 0.3 * normal(random));
    };
  };
  residual.series = {Series("momentum", residual.x, noise(-15)), Series("natural map", residual.x, noise(-11)),
                     Series("cone violation", residual.x, noise(-13))};
  residual.log_y = true;
  ReportPlot energy = Plot("Energy", "Energy minus its start value [J]", Times(2, 2001));
  energy.series = {Series("kinetic + potential", energy.x, [](double t) { return -17 * std::min(t, 0.968); }),
                   Series("friction work", energy.x, [](double t) { return 17 * std::min(t, 0.968); }),
                   Series("remainder", energy.x, [](double t) { return 1e-3 * std::sin(40 * t); }),
                   Series("impacts", energy.x, [](double t) { return t < 0.5 || t > 0.7 ? kNan : 3.0; })};
  energy.caption = "The sum of all is zero for an exact method.";
  ReportPlot drift = Plot("Joint drift", "Drift [m]", Times(2, 501));
  drift.series = {Series("hinge", drift.x, [](double t) { return 2e-9 * t * t; })};
  ReportPlot convergence = Plot("Error against the step", "Error [m]", {1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3});
  convergence.x_label = "Step h [s]";
  convergence.series = {Series("regularized", convergence.x, [](double h) { return 3 * h; }),
                        Series("box", convergence.x, [](double h) { return 0.53 + h; })};
  convergence.log_y = true;
  convergence.caption = "Regularized friction converges with the step, box friction does not.";
  section.plots = {residual, energy, drift, convergence};
  return section;
}

ReportSection Methods() {
  ReportSection section;
  section.title = "Methods compared";
  section.tables = {
      {.title = "All methods",
       .caption = "Worst values over the whole run.",
       .columns = {"Law", "Solver", "Steps", "Iterations", "Residual", "Penetration [m]", "Time [s]", "Verdict"},
       .rows = {{"coulomb", "semismooth-newton", "2000", "3.1", "2.2e-12", "1.4e-9", "0.041", "✓ passed"},
                {"cone", "accelerated-gradient", "2000", "41.0", "8.0e-9", "2.0e-6", "0.112", "✓ passed"},
                {"polygonal", "lemke", "2000", "7.9", "1.1e-14", "1.4e-9", "0.067", "✓ passed"},
                {"box", "block-pivoting", "2000", "1.8", "1.5e-1", "1.4e-9", "0.022", "✗ not isotropic"}}}};
  return section;
}

ReportSection EdgeCases() {
  ReportSection section;
  section.title = "Edge cases <b>&amp; markup</b>";
  section.text = "Text is text: <img src=x onerror=\"document.title='broken'\"> </script>";
  ReportPlot flat = Plot("A constant", "Force [N]", Times(2, 11));
  flat.series = {Series("zero", flat.x, [](double) { return 0.0; })};
  ReportPlot many = Plot("Nine curves", "Angle [°]", Times(2, 401));
  for (int i = 0; i < 9; ++i) {
    many.series.push_back(Series("joint " + std::to_string(i + 1), many.x,
                                 [i](double t) { return 10 * i + 8 * std::sin(std::numbers::pi * t + 0.4 * i); }));
  }
  ReportPlot offset = Plot("Ripple on a large offset", "Energy [J]", Times(2, 1001));
  offset.series = {Series("total", offset.x, [](double t) { return 1e6 + 1e-4 * std::sin(7 * t); })};
  ReportPlot single = Plot("A single sample", "Impulse [N s]", {1.0});
  single.series = {Series("impact", single.x, [](double) { return 2.5; })};
  section.plots = {flat, many, offset, single};
  return section;
}

Report SampleReport() {
  Report report;
  report.title = "Block on a slope";
  report.subtitle = "Four friction laws against the closed form";
  report.verdict = "All laws but box friction meet their tolerances.";
  report.passed = true;
  report.facts = {{"Scene", "slope"},           {"Step", "1 ms"},
                  {"Simulated time", "2 s"},    {"Contacts", "4"},
                  {"Worst residual", "8e-9"},   {"Energy error", "1.0e-3 J"},
                  {"Computing time", "0.24 s"}, {"Version", "0.1.0"}};
  report.sections = {Motion(), Accuracy(), Methods(), EdgeCases()};
  return report;
}

}  // namespace
}  // namespace slipstick::internal

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: sample_report <file>\n");
    return 2;
  }
  slipstick::internal::WriteReport(slipstick::internal::SampleReport(), arguments[1]);
  return 0;
}
