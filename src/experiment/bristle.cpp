#include "slipstick/experiment/bristle.h"

#include "slipstick/experiment/wheel_metrics.h"

namespace slipstick::internal {

Experiment RunBristleExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "bristle";
  experiment.title = "The bristle model in an LCP: limits by component against a limit on the vector";
  const double every = 1e-3;
  const std::vector<ExperimentRun> runs = {
      {"liang", "wheel", {{"law", "liang"}}, every, 1},
      {"bristle", "wheel", {{"law", "bristle"}}, every, 1},
      {"box", "wheel", {{"law", "box"}}, every, 1},
      {"coulomb@0.0001", "wheel", {{"law", "coulomb"}, {"stepper.step", "1e-4"}}, every, 10},
  };
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);
  const Trajectory &liang = results[0].trajectory, &bristle = results[1].trajectory, &box = results[2].trajectory;
  const auto compare = [&](const std::string& label, const Trajectory& run, const Trajectory& reference) {
    WheelCurves curves = CompareWheel(run, reference);
    if (const std::string shortfall = Shortfall(label, run, curves); !shortfall.empty()) {
      experiment.failures.push_back(shortfall);
    }
    return curves;
  };
  const WheelCurves curves = compare("bristle", bristle, liang);
  const WheelMetrics m = MeasureWheel(bristle, curves);
  const WheelMetrics from_box = MeasureWheel(bristle, compare("bristle-from-box", bristle, box));
  const WheelMetrics of_liang = MeasureWheel(liang, compare("liang-from-coulomb", liang, results[3].trajectory));

  const char* figure = "the abstract shows a figure only; band from first principles, docs/results.md";
  experiment.rows = {
      {"force_deviation_percent", "bristle", {}, 100 * m.force_deviation, 8.5, 11, figure},
      {"sliding_force_deviation_percent", "bristle", {}, 100 * m.sliding_force_deviation, 5, 6.5, "t ≤ 2 s"},
      {"position_error_percent_max", "bristle", {}, 100 * m.position_error_max, 3.5, 5.5, figure},
      {"energy_error_joule_max", "bristle", {}, m.energy_error_max, 0.3, 0.6, figure},
      {"slip_end_seconds", "bristle", {}, m.slip_end, 1.97, 2.017, "the abstract: 2 s"},
      {"slip_end_seconds", "liang", {}, of_liang.slip_end, 1.997, 2.017, "the abstract: 2 s"},
      {"force_deviation_percent",
       "liang-from-coulomb",
       {},
       100 * of_liang.force_deviation,
       0,
       2,
       "the vector's limit is Coulomb's, so only the step and the last step's λN are left"},
      {"position_error_percent_max",
       "bristle-from-box",
       {},
       100 * from_box.position_error_max,
       0,
       0.01,
       "a stiff bristle with limits by component is the box model"},
  };
  const char* time = "time [s]";
  std::vector<double> percent = curves.position_error;
  for (double& value : percent) value *= 100;
  experiment.sections = {{"Bristle LCP against the nonlinear bristle",
                          "",
                          {{"Position error",
                            "Relative to the distance from the starting point: the abstract's figure 1.",
                            time,
                            "error [%]",
                            curves.time,
                            {{"bristle", percent}}},
                           {"Friction force",
                            "|λT| / (μλN).",
                            time,
                            "force",
                            curves.time,
                            {{"bristle", curves.force}, {"liang", curves.reference_force}}},
                           {"Energy error", "", time, "error [J]", curves.time, {{"bristle", curves.energy_error}}}},
                          {}}};
  return experiment;
}

}  // namespace slipstick::internal
