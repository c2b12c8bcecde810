#include "slipstick/experiment/impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/events/event_settings.h"
#include "slipstick/events/motion_event.h"

namespace slipstick::internal {
namespace {

constexpr double kGravity = 9.81;
constexpr double kHeight = 1;  // [m], that balls fall from
constexpr double kSteps[] = {4e-3, 2e-3, 1e-3};
constexpr double kSample = 0.02;  // [s], common to all runs that are compared

std::vector<double> TimesOf(const RunSummary& summary, EventKind kind, const std::string& body) {
  std::vector<double> times;
  for (const MotionEvent& event : summary.events) {
    if (event.kind == kind && (event.body_a == body || event.body_b == body)) times.push_back(event.time);
  }
  return times;
}

// Largest error of the first twenty impacts of a ball that falls from 1 m, t₀ (1 + 2 Σ e^j).
double ImpactError(const RunSummary& summary, double restitution) {
  const std::vector<double> times = TimesOf(summary, EventKind::kImpact, "wood");
  if (times.size() < 20) return 1;
  const double first = std::sqrt(2 / kGravity);
  double error = 0, time = first;
  for (int k = 0; k < 20; ++k) {
    error = std::max(error, std::abs(times[k] - time));
    time += 2 * first * std::pow(restitution, k + 1);
  }
  return error;
}

// Greatest distance of the tracked bodies where both have samples.
double Distance(const Trajectory& a, const Trajectory& b) {
  double worst = a.size() == b.size() ? 0.0 : 1.0;
  for (int i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (std::size_t k = 0; k < a.position.size(); ++k) {
      worst = std::max(worst, (a.position[k][i] - b.position[k][i]).norm());
    }
  }
  return worst;
}

}  // namespace

Experiment RunImpactsExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "impacts";
  experiment.title = "From event to event: impacts, sticking and sliding against closed forms";
  const Override by_events{"stepper.name", "event-driven"}, by_steps{"stepper.name", "time-stepping"};
  std::vector<ExperimentRun> runs;
  for (const char* law : {"coulomb", "max-dissipation"}) {
    for (const double e : {0.5, 0.8}) {
      runs.push_back({fmt::format("{}-{:g}", law, e),
                      "bouncing-ball",
                      {by_events,
                       {"law", law},
                       {"materials.wood.restitution", fmt::format("{}", e)},
                       {"stepper.step", "0.01"},
                       {"stepper.duration", e < 0.6 ? "1.5" : "4.2"}},
                      0.01,
                      1});
    }
  }
  runs.push_back({"rocking-block", "rocking-block", {by_events}, 0.01, 2});
  runs.push_back({"painleve", "painleve", {by_events}, 0.005, 1});
  const std::size_t cube = runs.size();
  runs.push_back({"cube-launch", "cube-launch", {by_events}, kSample, 1});
  for (const double step : kSteps) {
    runs.push_back({fmt::format("cube-launch-{:g}", step),
                    "cube-launch",
                    {by_steps, {"stepper.step", fmt::format("{}", step)}},
                    kSample,
                    1});
  }
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);
  const auto row = [&](const char* quantity, const std::string& method, double here, double least, double most,
                       const char* note) {
    experiment.rows.push_back({quantity, method, {}, here, least, most, note});
  };

  std::size_t k = 0;
  for (const char* law : {"coulomb", "max-dissipation"}) {
    for (const double e : {0.5, 0.8}) {
      const RunSummary& summary = results[k++].summary;
      row("impact_time_error_seconds_max", fmt::format("{} e={:g}", law, e), ImpactError(summary, e), 0, 1e-8,
          "first twenty impacts, t₀ (1 + 2 Σ e^j)");
      const std::vector<double> ends = TimesOf(summary, EventKind::kAccumulation, "wood");
      const double rest = std::sqrt(2 / kGravity) * (1 + e) / (1 - e);
      // Places are as wrong as the integrator leaves them, and a time as that over the speed; the series is ended where
      // accumulation_time is left of it, and an error of its last interval is one of all that follow.
      const EventDrivenSettings settings;
      const double place = 10 * settings.relative_tolerance * kHeight;
      const double speed = 0.5 * kGravity * (1 - e) * settings.accumulation_time;
      row("rest_time_error_seconds", fmt::format("{} e={:g}", law, e), ends.empty() ? 1.0 : std::abs(ends[0] - rest), 0,
          place / (speed * (1 - e)), "limit of the series, t₀ (1 + e)/(1 − e); error of place over the last speed");
    }
  }

  // Housner 1963: T = (4/p) acosh(1/(1 − θ₀/α)) for a slender block, and what an impact leaves of the angular velocity
  const double alpha = std::atan(0.25), p = std::sqrt(0.75 * kGravity / std::hypot(0.1, 0.4));
  double ratio = 0, quarter = 0;
  std::vector<const MotionEvent*> hits;
  for (const MotionEvent& event : results[k].summary.events) {
    if (event.kind == EventKind::kImpact) hits.push_back(&event);
  }
  if (hits.size() > 1) {
    quarter = hits[0]->time;
    ratio = hits[1]->speed / hits[0]->speed;
  }
  row("velocity_kept_at_impact", "rocking-block", ratio, 1 - 1.5 * std::pow(std::sin(alpha), 2) - 1e-8,
      1 - 1.5 * std::pow(std::sin(alpha), 2) + 1e-8, "1 − 3/2 sin²α, exact for any slenderness below b/h = √2");
  row("period_over_housners", "rocking-block", quarter / (std::acosh(2.0) / p), 1, 1 + alpha * alpha / 6,
      "sin(α − θ) = α − θ in the formula: longer by less than α²/6");
  ++k;
  const auto paradoxes = std::count_if(results[k].summary.events.begin(), results[k].summary.events.end(),
                                       [](const MotionEvent& event) { return event.kind == EventKind::kPainleve; });
  row("impulses_without_collision", "painleve", static_cast<double>(paradoxes), 1, 3, "told, and the run goes on");

  const std::vector<double> stops = TimesOf(results[cube].summary, EventKind::kStick, "cube");
  row("stop_time_error_seconds", "cube-launch", stops.empty() ? 1.0 : std::abs(stops[0] - 6 / (0.5 * kGravity)), 0,
      1e-9, "v/(μg)");
  double before = 0;
  for (std::size_t s = 0; s < std::size(kSteps); ++s) {
    const double error = Distance(results[cube].trajectory, results[cube + 1 + s].trajectory);
    const std::string method = fmt::format("cube-launch@{:g}", kSteps[s]);
    row("position_deviation_metres_max", method, error, 0, 10 * kSteps[s], "time stepping against events");
    if (s > 0)
      row("order_of_time_stepping", method, std::log2(before / error), 0.9, 3,
          "first order through events, second between them");
    before = error;
  }

  ReportSection section{"The ball with e = 0.5", "Height of its centre.", {}, {}};
  const Trajectory& ball = results[0].trajectory;
  ReportPlot plot{"Height", "", "time [s]", "z [m]", ball.time, {}};
  ReportSeries height{"wood", {}};
  for (const Vec3& position : ball.position.at(1)) height.y.push_back(position.z());
  plot.series.push_back(std::move(height));
  section.plots.push_back(std::move(plot));
  experiment.sections = {std::move(section)};
  return experiment;
}

}  // namespace slipstick::internal
