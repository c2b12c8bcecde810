#include "slipstick/experiment/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// §6.1: R 1, M 10, J 4, v₀ 1, ρ 0.02, g 9.8
constexpr double kRho = 0.02, kDeceleration = kRho * 10 * 9.8 / (4 + 10);
constexpr double kStopTime = 1 / kDeceleration, kStopDistance = 0.5 / kDeceleration;
constexpr double kSteps[] = {0.01, 0.005, 0.0025, 0.00125};
constexpr const char* kLaws[] = {"cone", "coulomb"};
constexpr const char* kDuration = "12";  // five seconds more than it takes to stop

struct DiskFigures {
  double stop_time = 0, stop_distance = 0, deceleration = 0, gap = 0, creep = 0;
};

std::vector<double> Column(const Trajectory& t, int axis) {
  std::vector<double> values;
  for (const Vec3& position : t.position.at(0)) values.push_back(position[axis]);
  return values;
}

// At rest from the first step on after which x has the same bits for ever.
DiskFigures Measure(const Trajectory& t, double step) {
  const std::vector<double> x = Column(t, 0);
  DiskFigures figures;
  int last = static_cast<int>(x.size()) - 1;
  while (last > 0 && x[last - 1] == x.back()) --last;
  figures.stop_time = t.time[std::min(last + 1, t.size() - 1)];
  figures.stop_distance = x[last];
  const auto at = [&](double time) { return static_cast<int>(std::lround(time / step)); };
  const auto speed = [&](double time) { return (x.at(at(time)) - x.at(at(time) - 1)) / step; };
  figures.deceleration = (speed(1) - speed(6)) / 5;
  figures.gap = *std::max_element(t.relaxation_gap.begin(), t.relaxation_gap.end());
  const auto [least, most] = std::minmax_element(x.begin() + at(kStopTime + 2 * step), x.end());
  figures.creep = *most - *least;
  return figures;
}

void AddRows(const std::string& method, double h, const DiskFigures& m, bool is_convex,
             std::vector<ExperimentRow>* rows) {
  const char* closed = "closed form; the paper shows a figure";
  const auto add = [&](const char* quantity, double here, double least, double most, const char* note) {
    rows->push_back({quantity, method, {}, here, least, most, note});
  };
  add("stop_time_seconds", m.stop_time, kStopTime - 1e-9, kStopTime + h + 1e-9, closed);
  // h Σ v_k is h v₀/2 short of the integral
  add("stop_distance_metres", m.stop_distance, kStopDistance - 0.5 * h - h * h, kStopDistance - 0.5 * h + h * h,
      "closed form less h/2, which is the integrator's");
  add("deceleration_metres_per_second_squared", m.deceleration, kDeceleration * (1 - 1e-6), kDeceleration * (1 + 1e-6),
      "ρMgR/(J + MR²)");
  add("relaxation_gap_metres", m.gap, is_convex ? 0.99 * h * kRho : 0.0, is_convex ? h * kRho : 0.0,
      is_convex ? "hρ|ω|, the price of convexity" : "an exact law has none");
  add("creep_after_stop_metres", m.creep, 0, 0, "at rest to the last bit");
}

// Starts at rest on a slope; how far it gets after the first second.
ExperimentRun SlopeRun(const std::string& law, double share) {
  const double angle = std::atan(share * kRho);
  return {law + "-slope",
          "disk",
          {{"law", law},
           {"gravity", fmt::format("[{}, 0, {}]", 9.8 * std::sin(angle), -9.8 * std::cos(angle))},
           {"joints.plane.chain.x.velocity", "0"},
           {"joints.plane.chain.roll.velocity", "0"},
           {"stepper.duration", kDuration}},
          0.01,
          1};
}

ReportSection Figures(const Trajectory& cone, const Trajectory& coulomb, double step) {
  const char* time = "time [s]";
  std::vector<double> x, v;
  for (const double t : cone.time) {
    const double s = std::min(t, kStopTime);
    x.push_back(s - 0.5 * kDeceleration * s * s);
    v.push_back(1 - kDeceleration * s);
  }
  const auto speed = [&](const Trajectory& t) {
    const std::vector<double> position = Column(t, 0);
    std::vector<double> values(position.size(), 1.0);
    for (std::size_t i = 1; i < position.size(); ++i) values[i] = (position[i] - position[i - 1]) / step;
    return values;
  };
  return {
      "The disk rolls to rest",
      "",
      {{"Position",
        "The paper's figure 2.",
        time,
        "x [m]",
        cone.time,
        {{"cone", Column(cone, 0)}, {"coulomb", Column(coulomb, 0)}, {"closed form", x}}},
       {"Speed",
        "The paper's figure 3, whose axes suggest 0.196 m/s²: that leaves J out.",
        time,
        "v [m/s]",
        cone.time,
        {{"cone", speed(cone)}, {"coulomb", speed(coulomb)}, {"closed form", v}}},
       {"Gap added by the convex law", "hρ|ω| (eq 28).", time, "gap [m]", cone.time, {{"cone", cone.relaxation_gap}}}},
      {}};
}

}  // namespace

Experiment RunDiskExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "disk";
  experiment.title = "A disk rolls to rest: Tasora & Anitescu 2013, §6.1";
  std::vector<ExperimentRun> runs;
  for (const char* law : kLaws) {
    for (const double h : kSteps) {
      runs.push_back({fmt::format("{}@{:g}", law, h),
                      "disk",
                      {{"law", law}, {"stepper.step", fmt::format("{}", h)}, {"stepper.duration", kDuration}},
                      h,
                      0.01 / h});
    }
  }
  for (const char* law : kLaws) runs.push_back(SlopeRun(law, 0.9));
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);

  ReportTable table{"Convergence",
                    "Errors against the closed form.",
                    {"method", "stop time [s]", "error", "stop distance [m]", "error", "error / h"},
                    {}};
  std::size_t k = 0;
  for (const char* law : kLaws) {
    double before = 0;
    for (const double h : kSteps) {
      const DiskFigures m = Measure(results[k].trajectory, h);
      AddRows(runs[k].label, h, m, law == kLaws[0], &experiment.rows);
      const double error = m.stop_distance - kStopDistance;
      table.rows.push_back({runs[k].label, fmt::format("{:.6f}", m.stop_time),
                            fmt::format("{:.6f}", m.stop_time - kStopTime), fmt::format("{:.6f}", m.stop_distance),
                            fmt::format("{:.3g}", error), fmt::format("{:.4f}", error / h)});
      if (before != 0) {
        experiment.rows.push_back({"stop_distance_order",
                                   runs[k].label,
                                   {},
                                   std::log2(before / error),
                                   0.99,
                                   1.01,
                                   "error of twice the step against this one: first order"});
      }
      before = error;
      ++k;
    }
  }
  for (const char* law : kLaws) {
    const std::vector<double> x = Column(results[k].trajectory, 0);
    const auto [least, most] = std::minmax_element(x.begin() + 100, x.end());
    experiment.rows.push_back({"creep_on_slope_metres",
                               fmt::format("{}@0.01", law),
                               {},
                               *most - *least,
                               0,
                               0,
                               "tan α = 0.9 ρ/R, from rest, after the first second"});
    ++k;
  }
  experiment.sections = {Figures(results[0].trajectory, results[std::size(kSteps)].trajectory, kSteps[0])};
  experiment.sections[0].tables.push_back(table);
  return experiment;
}

}  // namespace slipstick::internal
