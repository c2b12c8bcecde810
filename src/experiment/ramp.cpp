#include "slipstick/experiment/ramp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstick::internal {
namespace {

constexpr double kMu = 0.5, kGravity = 9.81, kStep = 1e-3;
// the friction angle is 26.565°
constexpr double kDegrees[] = {5, 15, 25, 26.5, 26.6, 28, 30, 40, 50, 60};
constexpr const char* kLaws[] = {"max-dissipation", "polygonal", "coulomb"};

std::vector<Override> RampOverrides(const char* law, double angle) {
  const std::string turn = fmt::format("{{axis: [0, 1, 0], angle: {:.17g}}}", angle);
  return {{"law", law},
          {"world.shapes.ramp.rotation", turn},
          {"bodies.box.rotation", turn},
          {"bodies.box.position", fmt::format("[{:.17g}, 0, {:.17g}]", 0.1 * std::sin(angle), 0.1 * std::cos(angle))},
          {"stepper.step", fmt::format("{}", kStep)}};
}

// At rest below the friction angle; above it Σ h v⁺ of a constant acceleration.
double ClosedForm(double angle, double time) {
  const double acceleration = kGravity * (std::sin(angle) - kMu * std::cos(angle));
  return std::max(acceleration, 0.0) * time * (time + kStep) / 2;
}

// Way down the slope at each sample, and how far off the line it is.
struct Descent {
  std::vector<double> way;
  double aside = 0;
};
Descent DescentOf(const Trajectory& t, double angle) {
  const Vec3 down(std::cos(angle), 0, -std::sin(angle));
  Descent descent;
  for (const Vec3& position : t.position.at(0)) {
    const Vec3 moved = position - t.position[0][0];
    descent.way.push_back(moved.dot(down));
    descent.aside = std::max(descent.aside, (moved - moved.dot(down) * down).norm());
  }
  return descent;
}

double Deviation(const Trajectory& a, const Trajectory& b) {
  double worst = a.size() == b.size() ? 0.0 : 1.0;
  for (int i = 0; i < std::min(a.size(), b.size()); ++i) {
    worst = std::max(worst, (a.position.at(0)[i] - b.position.at(0)[i]).norm());
  }
  return worst;
}

}  // namespace

Experiment RunRampExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "ramp";
  experiment.title = "A box on a ramp: Drumwright & Shell 2010, figure 2";
  std::vector<ExperimentRun> runs;
  for (const double degrees : kDegrees) {
    for (const char* law : kLaws) {
      runs.push_back({fmt::format("{}-{:g}", law, degrees), "ramp",
                      RampOverrides(law, degrees * std::numbers::pi / 180), 0.01, 1});
    }
  }
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);

  double agreement = 0;
  ReportSection section{"Way down the ramp", "The paper's figure 2, at several angles.", {}, {}};
  for (std::size_t k = 0; k < std::size(kDegrees); ++k) {
    const double angle = kDegrees[k] * std::numbers::pi / 180;
    const Trajectory &dissipation = results[3 * k].trajectory, &polygonal = results[3 * k + 1].trajectory;
    agreement = std::max(agreement, Deviation(dissipation, polygonal));
    ReportPlot plot{fmt::format("{:g}°", kDegrees[k]), "", "time [s]", "way [m]", dissipation.time, {}};
    for (int l = 0; l < 3; ++l) {
      const Trajectory& run = results[3 * k + static_cast<std::size_t>(l)].trajectory;
      const Descent descent = DescentOf(run, angle);
      double error = descent.aside;
      for (int i = 0; i < run.size(); ++i) {
        error = std::max(error, std::abs(descent.way[i] - ClosedForm(angle, run.time[i])));
      }
      experiment.rows.push_back({"closed_form_deviation_metres_max",
                                 runs[3 * k + static_cast<std::size_t>(l)].label,
                                 {},
                                 error,
                                 0,
                                 1e-8,
                                 ClosedForm(angle, 1) > 0 ? "slides with g (sin α − μ cos α)" : "at rest"});
      plot.series.push_back({kLaws[l], descent.way});
    }
    section.plots.push_back(std::move(plot));
  }
  experiment.rows.insert(experiment.rows.begin(), {"position_deviation_metres_max",
                                                   "max-dissipation",
                                                   {},
                                                   agreement,
                                                   0,
                                                   1e-8,
                                                   "against polygonal with a corner along the slope, all angles; the "
                                                   "paper: identical to numerical precision"});
  experiment.sections = {std::move(section)};
  return experiment;
}

}  // namespace slipstick::internal
