#include "slipstick/experiment/grains.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <numeric>

#include "slipstick/model/dynamics.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSettled = 1e-3;  // of the greatest kinetic energy
constexpr double kBox = 0.45;      // half its width [m]
constexpr double kPatience = 10;   // processor time for one step of the mixed LCPs [s]

// Of the processor and not of the clock on the wall, which other programs share.
double Seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double CountLost(const Simulation& simulation) {
  double lost = 0;
  for (const Pose& pose : simulation.kinematics().X_WB) {
    const Vec3& p = pose.position;
    if (!(std::abs(p.x()) <= kBox && std::abs(p.y()) <= kBox && p.z() >= 0)) ++lost;
  }
  return lost;
}

std::vector<double> Padded(std::vector<double> values, std::size_t size) {
  values.resize(size);  // zeros are gaps of logarithmic plots
  return values;
}

void AddLcp(const std::string& method, const GrainsRun& run, Experiment* experiment) {
  std::vector<ExperimentRow>& rows = experiment->rows;
  const double reached = run.time.empty() ? 0 : run.time.back();
  rows.push_back({"simulated_seconds_reached",
                  method,
                  {},
                  reached,
                  0,
                  kInfinity,
                  fmt::format("the paper's Lemke and PATH solvers did not come to 1 s; here ended as {}",
                              run.ended.empty() ? "the run was over" : run.ended)});
  rows.push_back({"contacts_at_the_end",
                  method,
                  {},
                  run.contacts.empty() ? 0 : run.contacts.back(),
                  0,
                  kInfinity,
                  "six unknowns each"});
  rows.push_back({"step_seconds_at_the_end",
                  method,
                  {},
                  run.seconds.empty() ? 0 : run.seconds.back(),
                  0,
                  kInfinity,
                  "of the processor"});
  rows.push_back({"steps_unsolved", method, {}, static_cast<double>(run.unsolved), 0, kInfinity, ""});
}

}  // namespace

Settling SettlingOf(const GrainsRun& run) {
  Settling settling{kInfinity, kInfinity};
  if (run.energy.empty()) return settling;
  const auto highest = std::max_element(run.energy.begin(), run.energy.end());
  const double least = kSettled * *highest;
  // the first time it has fallen so far, after its greatest value
  const auto first = std::find_if(highest, run.energy.end(), [&](double energy) { return energy <= least; });
  if (first == run.energy.end()) return settling;
  settling.time = run.time[static_cast<std::size_t>(first - run.energy.begin())];
  settling.later_share = *std::max_element(first, run.energy.end()) / *highest;
  return settling;
}

GrainsRun RunGrains(const GrainsPlan& plan, const std::function<void(double fraction)>& progress) {
  std::vector<Override> overrides = {{"law", plan.law}, {"solver", plan.solver}};
  overrides.insert(overrides.end(), plan.overrides.begin(), plan.overrides.end());
  const Scene scene = ReadScene(FindScene("grains"), overrides);
  Simulation simulation = Simulation(scene);
  const bool is_convex = simulation.method().law_name == "max-dissipation";
  const long steps = std::lround(simulation.duration() / simulation.step());
  GrainsRun run;
  for (long k = 0; k < steps && run.ended.empty(); ++k) {
    const double start = Seconds();
    const StepRecord& record = simulation.Step();
    run.seconds.push_back(std::max(Seconds() - start, 1e-6));
    run.time.push_back(record.time);
    run.contacts.push_back(record.problem.contacts.size());
    run.energy.push_back(KineticEnergy(simulation.model(), simulation.kinematics()));
    run.law_residual = std::max(run.law_residual, record.certificate.law_residual);
    run.overlap = std::max(run.overlap, record.certificate.relative_penetration);
    const bool is_solved = record.report.status == SolveStatus::kSolved;
    run.unsolved += is_solved ? 0 : 1;
    run.failed += record.certificate.passed ? 0 : 1;
    progress(static_cast<double>(k + 1) / static_cast<double>(steps));
    if (!record.ended.empty()) {
      run.ended = record.ended;
    } else if (!is_convex && !is_solved) {
      run.ended = fmt::format("a step was not solved: {}", ToString(record.report.status));
    } else if (run.seconds.back() > plan.longest_step) {
      run.ended = fmt::format("a step took {:.0f} s", run.seconds.back());
    }
  }
  run.lost = CountLost(simulation);
  return run;
}

Experiment RunGrainsExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "grains";
  experiment.title = "1001 spheres in a box: Drumwright & Shell 2010, figures 5 to 7";
  const std::vector<Override> five_seconds = {{"stepper.duration", "5"}, {"stepper.step", "0.01"}};
  struct Named {
    std::string name;
    GrainsPlan plan;
    double share;  // of the work
  };
  const Named plans[] = {
      {"max-dissipation",
       {"max-dissipation", "{name: contact-sweep, speed_tolerance: 1e-3, max_iterations: 5000}", five_seconds,
        kInfinity},
       0.6},
      {"polygonal, lemke", {"polygonal", "lemke", five_seconds, kPatience}, 0.2},
      {"polygonal, block-pivoting", {"polygonal", "block-pivoting", five_seconds, kPatience}, 0.2},
  };
  std::vector<GrainsRun> runs;
  double done = 0;
  for (const Named& named : plans) {
    runs.push_back(
        RunGrains(named.plan, [&](double fraction) { options.progress(named.name, done + fraction * named.share); }));
    done += named.share;
  }

  const GrainsRun& own = runs[0];
  const Settling settling = SettlingOf(own);
  std::vector<ExperimentRow>& rows = experiment.rows;
  const std::string& method = plans[0].name;
  rows.push_back({"simulated_seconds_reached", method, 5.0, own.time.back(), 5 - 1e-9, 5 + 1e-9, "figure 5"});
  rows.push_back({"kinetic_energy_joule_max",
                  method,
                  {},
                  *std::max_element(own.energy.begin(), own.energy.end()),
                  100,
                  600,
                  "below the 790 J that the lattice's height is worth"});
  rows.push_back({"settled_seconds",
                  method,
                  {},
                  settling.time,
                  0,
                  2.5,
                  "kinetic energy at a thousandth of its greatest value; from there on"});
  rows.push_back(
      {"later_kinetic_energy_share_max", method, {}, settling.later_share, 0, 2 * kSettled, "no rise after settling"});
  rows.push_back({"final_kinetic_energy_joule", method, {}, own.energy.back(), 0, 1e-2, "at rest"});
  rows.push_back({"steps_without_certificate", method, {}, static_cast<double>(own.failed), 0, 0, ""});
  rows.push_back({"steps_unsolved", method, {}, static_cast<double>(own.unsolved), 0, 0, "phase II"});
  rows.push_back({"law_residual_metres_per_second_max", method, {}, own.law_residual, 0, 2e-3, "asked for: 1e-3"});
  rows.push_back({"overlap_share_of_radius_max", method, {}, own.overlap, 0, 1e-2, ""});
  rows.push_back({"spheres_lost", method, {}, own.lost, 0, 0, ""});
  rows.push_back({"contacts_at_the_end", method, {}, own.contacts.back(), 2000, 3500, ""});
  rows.push_back(
      {"step_seconds_mean",
       method,
       {},
       std::accumulate(own.seconds.begin(), own.seconds.end(), 0.0) / static_cast<double>(own.seconds.size()),
       0,
       kInfinity,
       "of the processor"});
  ReportPlot energy{"Kinetic energy", "Figure 5.", "time [s]", "J", own.time, {}},
      seconds{"Time of a step", "Of the processor.", "time [s]", "seconds", own.time, {}},
      contacts{"Contacts", "", "time [s]", "", own.time, {}};
  energy.log_y = seconds.log_y = contacts.log_y = true;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (k > 0) AddLcp(plans[k].name, runs[k], &experiment);
    energy.series.push_back({plans[k].name, Padded(runs[k].energy, own.time.size())});
    seconds.series.push_back({plans[k].name, Padded(runs[k].seconds, own.time.size())});
    contacts.series.push_back({plans[k].name, Padded(runs[k].contacts, own.time.size())});
  }
  experiment.sections = {{"Grains",
                          "1001 spheres of radius 0.04 m fall into a box; the complementarity problems go as far as "
                          "they get.",
                          {std::move(energy), std::move(seconds), std::move(contacts)},
                          {}}};
  return experiment;
}

}  // namespace slipstick::internal
