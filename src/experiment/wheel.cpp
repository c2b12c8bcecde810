#include "slipstick/experiment/wheel.h"

#include <fmt/format.h>

#include <numbers>

#include "slipstick/experiment/wheel_metrics.h"
#include "slipstick/run/sampling.h"

namespace slipstick::internal {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

struct Band {
  double least, most;
};

// What is expected of one law: the paper's figures where it prints them, and the accepted bands.
struct Expectation {
  const char* method;
  std::optional<double> paper_force, paper_misalignment;
  Band force, sliding_force, misalignment, position, energy, slip_end;
};

constexpr const char* kSwapped =
    "the paper prints 14.0 for polygonal and 12.6 for box; no reading of it gives that order, see docs/results.md";

const std::vector<Expectation>& Expectations() {
  // force: the paper's ± 0.3; misalignment of polygonal and box: 12.69° and 14.03° ± 0.3°, so that the two cannot be
  // mistaken for each other; slip end: 2.007 s of the exact law ± 0.01, more for box, whose force is too large
  static const std::vector<Expectation> expectations = {
      {"regularized", 1.67, 0.7, {1.37, 1.97}, {0, 0.2}, {0.5, 0.9}, {0, 0.5}, {0, 0.03}, {1.997, 2.017}},
      {"regularized-iterated", {}, {}, {1.2, 1.8}, {0, 0.02}, {0, 0.9}, {0, 0.5}, {0, 0.03}, {1.997, 2.017}},
      {"polygonal", 3.76, 14.0, {3.46, 4.06}, {3.6, 4.2}, {12.39, 12.99}, {2, 4}, {0.02, 0.1}, {1.99, 2.017}},
      {"box", 9.70, 12.6, {9.4, 10.0}, {5.4, 6.0}, {13.73, 14.33}, {3.5, 5.5}, {0.3, 0.6}, {1.97, 2.017}},
      {"coulomb", {}, {}, {0, 1.8}, {0, 0.001}, {0, 0.01}, {0, 0.5}, {0, 0.03}, {1.997, 2.017}},
  };
  return expectations;
}

void AddRows(const Expectation& e, const WheelMetrics& m, std::vector<ExperimentRow>* rows) {
  const std::string method = e.method;
  const auto add = [&](const char* quantity, std::optional<double> paper, double here, const Band& band,
                       const std::string& note) {
    rows->push_back({quantity, method, paper, here, band.least, band.most, note});
  };
  const bool exact = method == "coulomb";
  add("force_deviation_percent", e.paper_force, 100 * m.force_deviation, e.force,
      exact ? "exact Coulomb at the models' step: what of the deviation is the integrator's" : "");
  add("sliding_force_deviation_percent", {}, 100 * m.sliding_force_deviation, e.sliding_force, "t ≤ 2 s");
  add("misalignment_degrees", e.paper_misalignment, kDegrees * m.misalignment, e.misalignment,
      method == "polygonal" || method == "box" ? kSwapped : "");
  add("position_error_percent_max", {}, 100 * m.position_error_max, e.position, "figure 5a shows the order only");
  add("energy_error_joule_max", {}, m.energy_error_max, e.energy, "figure 5b shows the order only");
  add("slip_end_seconds", {}, m.slip_end, e.slip_end, "the paper: about two seconds");
}

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

// What the paper's figures 4 and 5 draw.
struct Plots {
  ReportPlot force, position, energy, angle;
};

Plots EmptyPlots(const std::vector<double>& axis) {
  const char* time = "time [s]";
  Plots plots{{"Normalized friction force", "|λT| / (μλN): the paper's figure 4.", time, "force", axis, {}},
              {"Position error",
               "Relative to the distance from the starting point: the paper's figure 5a.",
               time,
               "error [%]",
               axis,
               {}},
              {"Energy error",
               "Mechanical energy against the reference's: the paper's figure 5b.",
               time,
               "error [J]",
               axis,
               {}},
              {"Misalignment",
               "Angle between −λT and the sliding velocity, while it slides: the paper's figure 5c.",
               time,
               "angle [°]",
               axis,
               {}}};
  plots.force.y_min = 0;
  return plots;
}

void AddCurves(const std::string& method, const WheelCurves& curves, Plots* plots) {
  const auto add = [&](ReportPlot* plot, const std::vector<double>& values) {
    plot->series.push_back({method, ValuesAt(plot->x, curves.time, values)});
  };
  add(&plots->force, curves.force);
  add(&plots->position, Scaled(curves.position_error, 100));
  add(&plots->energy, curves.energy_error);
  add(&plots->angle, Scaled(curves.misalignment, kDegrees));
}

}  // namespace

Experiment RunWheelExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "wheel";
  experiment.title = "The sliding wheel of Peiret et al. 2016";
  const double every = 1e-3;
  const std::vector<ExperimentRun> runs = {
      {"coulomb@0.0001", "wheel", {{"law", "coulomb"}, {"stepper.step", "1e-4"}}, every, 10},
      {"regularized", "wheel", {{"law", "regularized"}}, every, 1},
      {"regularized-iterated", "wheel", {{"law", "{name: regularized, bounds: iterated}"}}, every, 3},
      {"polygonal", "wheel", {{"law", "polygonal"}}, every, 1},
      {"box", "wheel", {{"law", "box"}}, every, 1},
      {"coulomb", "wheel", {{"law", "coulomb"}}, every, 1},
  };
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);
  const Trajectory& reference = results[0].trajectory;
  experiment.rows.push_back({"slip_end_seconds",
                             "coulomb@0.0001",
                             {},
                             SlipEnd(reference),
                             1.997,
                             2.017,
                             "the reference of all rows below; the paper: about two seconds"});

  Plots plots = EmptyPlots({reference.time.begin() + 1, reference.time.end()});
  plots.force.series.push_back(
      {"coulomb (reference)", {reference.friction_ratio.begin() + 1, reference.friction_ratio.end()}});
  ReportTable table{"Root mean square deviations", "Paper / here.", {"model", "force [%]", "misalignment [°]"}, {}};
  for (std::size_t i = 0; i < Expectations().size(); ++i) {
    const Expectation& e = Expectations()[i];
    const Trajectory& run = results[i + 1].trajectory;
    const WheelCurves curves = CompareWheel(run, reference);
    const WheelMetrics m = MeasureWheel(run, curves);
    if (const std::string shortfall = Shortfall(e.method, run, curves); !shortfall.empty()) {
      experiment.failures.push_back(shortfall);
    }
    AddRows(e, m, &experiment.rows);
    if (std::string(e.method) != "coulomb") AddCurves(e.method, curves, &plots);  // the paper draws the models only
    if (!e.paper_force) continue;
    table.rows.push_back({e.method, fmt::format("{:.2f} / {:.2f}", *e.paper_force, 100 * m.force_deviation),
                          fmt::format("{:.1f} / {:.1f}", *e.paper_misalignment, kDegrees * m.misalignment)});
  }
  experiment.sections.push_back({"Friction force", "", {plots.force}, {table}});
  experiment.sections.push_back({"Errors against exact Coulomb", "", {plots.position, plots.energy, plots.angle}, {}});
  return experiment;
}

}  // namespace slipstick::internal
