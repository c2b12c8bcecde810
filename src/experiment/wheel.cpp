#include "slipstick/experiment/wheel.h"

#include <fmt/format.h>

#include <numbers>

#include "slipstick/experiment/wheel_metrics.h"

namespace slipstick {
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
  // force: the paper's ± 0.3; slip end: 2.007 s of the exact law ± 0.01, more for box, whose force is too large
  static const std::vector<Expectation> expectations = {
      {"regularized", 1.67, 0.7, {1.37, 1.97}, {0, 0.2}, {0.5, 0.9}, {0, 0.5}, {0, 0.03}, {1.997, 2.017}},
      {"regularized-iterated", {}, {}, {1.2, 1.8}, {0, 0.02}, {0, 0.9}, {0, 0.5}, {0, 0.03}, {1.997, 2.017}},
      {"polygonal", 3.76, 14.0, {3.46, 4.06}, {3.6, 4.2}, {12, 15}, {2, 4}, {0.02, 0.1}, {1.99, 2.017}},
      {"box", 9.70, 12.6, {9.4, 10.0}, {5.4, 6.0}, {12, 15}, {3.5, 5.5}, {0.3, 0.6}, {1.97, 2.017}},
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
  experiment.rows.push_back({"slip_end_seconds", "coulomb@0.0001", {}, SlipEnd(reference), 1.997, 2.017,
                             "the reference of all rows below; the paper: about two seconds"});

  const char* time = "time [s]";
  ReportPlot force{"Normalized friction force", "|λT| / (μλN): the paper's figure 4.", time, "force", {}, {}};
  ReportPlot position{"Position error", "Relative to the distance from the starting point: the paper's figure 5a.", time,
                      "error [%]", {}, {}};
  ReportPlot energy{"Energy error", "Mechanical energy against the reference's: the paper's figure 5b.", time, "error [J]", {}, {}};
  ReportPlot angle{"Misalignment", "Angle between −λT and the sliding velocity, while it slides: the paper's figure 5c.", time,
                   "angle [°]", {}, {}};
  force.y_min = 0;
  for (std::size_t i = 0; i < Expectations().size(); ++i) {
    const Expectation& expectation = Expectations()[i];
    const Trajectory& run = results[i + 1].trajectory;
    AddRows(expectation, MeasureWheel(run, reference), &experiment.rows);
    const WheelCurves curves = CompareWheel(run, reference);
    if (force.x.empty()) {
      force.x = position.x = energy.x = angle.x = curves.time;
      force.series.push_back({"coulomb (reference)", curves.reference_force});
    }
    if (std::string(expectation.method) == "coulomb") continue;  // the paper draws the models only
    force.series.push_back({expectation.method, curves.force});
    position.series.push_back({expectation.method, Scaled(curves.position_error, 100)});
    energy.series.push_back({expectation.method, curves.energy_error});
    angle.series.push_back({expectation.method, Scaled(curves.misalignment, kDegrees)});
  }
  ReportTable table{"Root mean square deviations", "Paper / here.",
                    {"model", "force [%]", "misalignment [°]"}, {}};
  for (std::size_t i = 0; i < Expectations().size(); ++i) {
    const Expectation& e = Expectations()[i];
    if (!e.paper_force) continue;
    const WheelMetrics m = MeasureWheel(results[i + 1].trajectory, reference);
    table.rows.push_back({e.method, fmt::format("{:.2f} / {:.2f}", *e.paper_force, 100 * m.force_deviation),
                          fmt::format("{:.1f} / {:.1f}", *e.paper_misalignment, kDegrees * m.misalignment)});
  }
  experiment.sections.push_back({"Friction force", "", {force}, {table}});
  experiment.sections.push_back({"Errors against exact Coulomb", "", {position, energy, angle}, {}});
  return experiment;
}

}  // namespace slipstick
