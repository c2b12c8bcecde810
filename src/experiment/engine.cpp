#include "slipstick/experiment/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kClearance = 1e-4;  // of every bearing of the scenes [m]
// a pin in a ring of twelve wedges reaches 1/cos 15° of the clearance in its corners, a piston in eight walls
// 1/cos 22.5°; along its axis a shaft is as free; and the certificate allows overlaps of that order
constexpr double kFurthest = 2 * kClearance;

// Of the processor and not of the clock on the wall, which other programs share.
double Seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The law `polygonal` with a solver whose time is taken apart from the law's own.
struct TimedMethod {
  explicit TimedMethod(const char* solver)
      : method(Simulation(ReadScene(FindScene("engine-one-cylinder"), {{"law", "polygonal"}, {"solver", solver}}))
                   .method()) {
    method.solver.mlcp = [this, inner = method.solver.mlcp](const BoundedMlcp& problem, const VecX* warm) {
      const double start = Seconds();
      MlcpAnswer answer = inner(problem, warm);
      seconds = Seconds() - start;
      order = problem.size();
      return answer;
    };
  }
  TimedMethod(const TimedMethod&) = delete;
  TimedMethod& operator=(const TimedMethod&) = delete;

  Method method;
  double seconds = 0;
  int order = 0;
};

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double MedianOf(const std::vector<EngineTiming>& timings, double EngineTiming::*field) {
  std::vector<double> values;
  values.reserve(timings.size());
  for (const EngineTiming& timing : timings) values.push_back(timing.*field);
  return Median(std::move(values));
}

// Figure 4, and what it says in numbers.
void AddTimings(const std::string& name, const std::vector<EngineTiming>& timings, bool is_frictionless,
                Experiment* experiment) {
  ReportPlot plot{fmt::format("Time of a solve, {}", name),
                  "Of the same contacts: the law of maximum dissipation as a whole; of the complementarity problem its "
                  "solver alone.",
                  "time [s]",
                  "seconds",
                  {},
                  {{"max-dissipation", {}}, {"polygonal, Lemke", {}}, {"polygonal, block pivoting", {}}}};
  plot.log_y = true;
  ReportPlot sizes{fmt::format("Size, {}", name), "", "time [s]", "", {}, {{"contacts", {}}, {"order", {}}}};
  double least_order = kInfinity, most_order = 0, deviation = 0, residual = 0, lemke_failures = 0,
         pivoting_failures = 0;
  for (const EngineTiming& timing : timings) {
    plot.x.push_back(timing.time);
    plot.series[0].y.push_back(timing.dissipation_seconds);
    plot.series[1].y.push_back(timing.lemke_seconds);
    plot.series[2].y.push_back(timing.pivoting_seconds);
    sizes.x.push_back(timing.time);
    sizes.series[0].y.push_back(timing.contacts);
    sizes.series[1].y.push_back(timing.order);
    least_order = std::min<double>(least_order, timing.order);
    most_order = std::max<double>(most_order, timing.order);
    if (timing.lemke_solved) deviation = std::max(deviation, timing.deviation);
    residual = std::max(residual, timing.dissipation_residual);
    lemke_failures += timing.lemke_solved ? 0 : 1;
    pivoting_failures += timing.pivoting_solved ? 0 : 1;
  }
  experiment->sections[0].plots.push_back(std::move(plot));
  experiment->sections[0].plots.push_back(std::move(sizes));
  const double own = MedianOf(timings, &EngineTiming::dissipation_seconds),
               lemke = MedianOf(timings, &EngineTiming::lemke_seconds),
               pivoting = MedianOf(timings, &EngineTiming::pivoting_seconds);
  const auto count = static_cast<double>(timings.size());
  const std::string& method = name;
  std::vector<ExperimentRow>& rows = experiment->rows;
  rows.push_back({"lcp_order_least", method, 600.0, least_order, 600, 1200, "six unknowns a contact"});
  rows.push_back({"lcp_order_most", method, 1200.0, most_order, 600, 1200, ""});
  rows.push_back({"dissipation_solve_seconds_median", method, {}, own, 0, kInfinity, "the law as a whole"});
  rows.push_back({"lemke_solve_seconds_median", method, {}, lemke, 0, kInfinity, "the program alone"});
  rows.push_back({"pivoting_solve_seconds_median", method, {}, pivoting, 0, kInfinity, "the program alone"});
  rows.push_back({"lemke_over_dissipation_time", method, {}, lemke / own, 10, kInfinity, "at least ten times faster"});
  rows.push_back({"lemke_unsolved",
                  method,
                  {},
                  lemke_failures,
                  0,
                  count,
                  "the paper's Lemke solver failed at 2.5 ms of simulated time and PATH after one step; here of " +
                      fmt::format("{} problems", timings.size())});
  rows.push_back({"pivoting_unsolved", method, {}, pivoting_failures, 0, count, ""});
  rows.push_back({"law_residual_metres_per_second_max", method, {}, residual, 0, 1e-6, "of max-dissipation"});
  if (is_frictionless) {
    rows.push_back({"velocity_deviation_metres_per_second_max",
                    method,
                    {},
                    deviation,
                    0,
                    1e-6,
                    "without friction both laws are one"});
  }
}

double MeasureOf(const RunSummary& summary, const std::string& name, const std::string& quantity) {
  for (const MotionWatch::Result& result : summary.watched) {
    for (const auto& [key, value] : result.values) {
      if (result.name == name && key == quantity) return value;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void AddEngine(const RunSummary& summary, const std::string& method, Experiment* experiment) {
  experiment->rows.push_back(
      {"crankshaft_turns", method, {}, MeasureOf(summary, "crankshaft", "turns"), 10, kInfinity, "at least ten turns"});
  double furthest = 0;
  std::string which;
  for (const MotionWatch::Result& result : summary.watched) {
    const double greatest = MeasureOf(summary, result.name, "greatest_metres");
    if (std::isnan(greatest) || greatest <= furthest) continue;
    furthest = greatest;
    which = result.name;
  }
  experiment->rows.push_back(
      {"distance_from_guides_metres_max",
       method,
       {},
       furthest,
       0,
       kFurthest,
       fmt::format("of all pins and pistons from their axes: {}; the clearance is {:g} mm", which, 1e3 * kClearance)});
}

}  // namespace

std::vector<EngineTiming> TimeEngineProblems(const EngineTimingPlan& plan,
                                             const std::function<void(double fraction)>& progress) {
  const Scene scene = ReadScene(FindScene("engine-one-cylinder"),
                                {{"materials.default.friction", fmt::format("{:.17g}", plan.friction)}});
  Simulation simulation = Simulation(scene);
  TimedMethod lemke("lemke"), pivoting("block-pivoting");
  Method own = simulation.method();
  std::vector<EngineTiming> timings;
  const long steps = std::lround(plan.duration / simulation.step());
  for (long k = 0; k < steps; ++k) {
    const StepRecord& record = simulation.Step();
    progress(static_cast<double>(k + 1) / static_cast<double>(steps));
    if (k % plan.every != 0) continue;
    const ContactProblem& problem = record.problem;
    EngineTiming timing;
    timing.time = record.time;
    timing.contacts = problem.contacts.size();
    const double start = Seconds();
    const LawAnswer answer = own.law->Solve(problem, own.solver);
    timing.dissipation_seconds = Seconds() - start;
    timing.dissipation_residual = own.law->Residual(problem, answer.solution);
    const auto solve = [&](TimedMethod& method, double* seconds, bool* solved, double* residual) {
      LawAnswer other = method.method.law->Solve(problem, method.method.solver);
      *seconds = method.seconds;
      *solved = other.report.status == SolveStatus::kSolved;
      *residual = method.method.law->Residual(problem, other.solution);
      return other;
    };
    solve(pivoting, &timing.pivoting_seconds, &timing.pivoting_solved, &timing.pivoting_residual);
    const LawAnswer other = solve(lemke, &timing.lemke_seconds, &timing.lemke_solved, &timing.lemke_residual);
    timing.order = lemke.order;
    ContactMotion one, two;
    ComputeContactMotion(problem, answer.solution.velocity, &one);
    ComputeContactMotion(problem, other.solution.velocity, &two);
    if (one.contact.size() > 0) timing.deviation = (one.contact - two.contact).lpNorm<Eigen::Infinity>();
    timings.push_back(timing);
  }
  return timings;
}

Experiment RunEngineExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "engine";
  experiment.title = "An engine held together by contact: Drumwright & Shell 2010, figures 3 and 4";
  experiment.sections.push_back({"One cylinder: times", "The paper's figure 4.", {}, {}});
  double done = 0;
  for (const double friction : {0.0, 0.05}) {
    const std::string name = fmt::format("one cylinder, μ = {:g}", friction);
    const double share = 0.15;
    const auto timings = TimeEngineProblems({friction, 0.25, 25},
                                            [&](double fraction) { options.progress(name, done + share * fraction); });
    done += share;
    AddTimings(name, timings, friction == 0, &experiment);
  }
  ExperimentOptions runs = options;
  runs.progress = [&](const std::string& what, double fraction) {
    options.progress(what, done + (1 - done) * fraction);
  };
  const std::vector<RunResult> results = RunAll({{"engine", "engine", {}, 0.005, 1}}, runs, &experiment.failures);
  AddEngine(results[0].summary, "engine", &experiment);
  return experiment;
}

}  // namespace slipstick::internal
