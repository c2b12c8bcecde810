#include "slipstick/run/run_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "slipstick/measure/measures.h"
#include "slipstick/run/version.h"

namespace slipstick::internal {
namespace {

constexpr const char* kTime = "time [s]";
constexpr std::size_t kMostBodies = 12;  // more lines than that cannot be told apart

bool AnyNonZero(const std::vector<double>& values, double least = 0) {
  return std::any_of(values.begin(), values.end(), [&](double v) { return std::abs(v) > least; });
}

// Adds the series that ever differ from zero, by more than `least`.
void AddSeries(ReportPlot* plot, const std::string& name, const std::vector<double>& values, double least = 0) {
  if (AnyNonZero(values, least)) plot->series.push_back({name, values});
}

ReportSection EnergySection(const Trajectory& t) {
  ReportSection section{"Energy", "", {}, {}};
  ReportPlot energy{"Energy", "Kinetic, potential and their sum.", kTime, "energy [J]", t.time, {}};
  energy.series = {{"total", t.total}, {"kinetic", t.kinetic}, {"potential", t.potential}};
  section.plots.push_back(energy);
  ReportPlot work{"Work by kind", "What the forces put in since the start, and what the integrator gained or lost.",
                  kTime,          "work [J]",
                  t.time,         {}};
  AddSeries(&work, "released bodies", t.released);
  AddSeries(&work, "given forces", t.work_applied);
  AddSeries(&work, "constraints", t.work_bilateral);
  AddSeries(&work, "joint friction", t.work_bounded);
  AddSeries(&work, "drives", t.work_drives);
  AddSeries(&work, "contact normals", t.work_normal);
  AddSeries(&work, "friction", t.work_friction);
  AddSeries(&work, "rolling and spinning friction", t.work_rolling);
  AddSeries(&work, "numerical remainder", t.remainder);
  if (!work.series.empty()) section.plots.push_back(work);
  return section;
}

ReportSection ContactSection(const Trajectory& t) {
  ReportSection section{"Contact", "", {}, {}};
  ReportPlot force{"Contact force", "Sums over all contacts.", kTime, "force [N]", t.time, {}};
  force.series = {{"normal", t.normal_force}, {"friction", t.friction_force}};
  ReportPlot ratio{"Use of friction",
                   "Σ|λT| / Σμλ_N: 1 is all that Coulomb friction can give.",
                   kTime,
                   "ratio",
                   t.time,
                   {{"friction ratio", t.friction_ratio}}};
  ratio.y_min = 0;
  ReportPlot slip{"Sliding speed",         "The fastest of the loaded contacts.", kTime, "speed [m/s]", t.time,
                  {{"slip", t.slip_speed}}};
  ReportPlot count{"Loaded contacts", "", kTime, "number", t.time, {{"contacts", t.contacts}}};
  count.y_min = 0;
  section.plots = {force, ratio, slip, count};
  return section;
}

ReportSection CertificateSection(const RunSummary& summary, const Trajectory& t) {
  ReportSection section{"Certificate",
                        "Computed on the physical problem of each step from velocities and impulses alone, without the "
                        "solver's word.",
                        {},
                        {}};
  ReportPlot residual{"Residuals", "Natural maps, as velocities; the exact Coulomb law's is no fault of another law.",
                      kTime,       "residual [m/s]",
                      t.time,      {{"law in use", t.law_residual}, {"exact Coulomb", t.coulomb_residual}}};
  residual.log_y = true;
  section.plots.push_back(residual);
  ReportPlot geometry{"Penetration and drift",
                      "The deepest overlap of two shapes; the largest gap in a constraint.",
                      kTime,
                      "[m]",
                      t.time,
                      {}};
  constexpr double kRounding = 1e-14;  // [m]: a curve of rounding says nothing
  AddSeries(&geometry, "penetration", t.penetration, kRounding);
  AddSeries(&geometry, "constraint drift", t.drift, kRounding);
  if (!geometry.series.empty()) section.plots.push_back(geometry);
  ReportTable table{"Over all steps", "", {"quantity", "worst", "root mean square"}, {}};
  const auto row = [&](const std::string& name, const Spread& spread) {
    table.rows.push_back({name, fmt::format("{:.3g}", spread.worst), fmt::format("{:.3g}", spread.Rms())});
  };
  row("momentum residual (relative)", summary.momentum_residual);
  row("residual of the law [m/s]", summary.law_residual);
  row("residual of exact Coulomb [m/s]", summary.coulomb_residual);
  row("cone violation (relative)", summary.cone_violation);
  if (summary.relaxation_gap.worst > 0) row("gap added by the convex law [m]", summary.relaxation_gap);
  row("complementarity [J]", summary.complementarity);
  row("penetration [m]", summary.penetration);
  row("penetration, in sizes of the smaller shape", summary.relative_penetration);
  row("constraint drift", summary.drift);
  row("energy gained, relative", summary.energy_gain);
  if (summary.momentum_drift.worst > 0) row("change of free angular momentum, relative", summary.momentum_drift);
  section.tables.push_back(table);
  if (!summary.failures.empty()) {
    ReportTable failures{"Steps that failed", "", {"step", "time [s]", "reason"}, {}};
    for (const FailedStep& failure : summary.failures) {
      failures.rows.push_back(
          {fmt::format("{}", failure.number), fmt::format("{:.6g}", failure.time), "✗ " + failure.reason});
    }
    section.tables.push_back(failures);
  }
  return section;
}

// Of many bodies: what they do together.
void AddTotals(const Trajectory& t, ReportSection* section) {
  ReportPlot height{"Height", "Of all bodies that take part: their centre of mass, and the highest one's origin.",
                    kTime,    "z [m]",
                    t.time,   {{"centre of mass", t.center_height}, {"highest", t.top_height}}};
  ReportPlot speed{"Speed", "Of all bodies that take part.",
                   kTime,   "speed [m/s]",
                   t.time,  {{"root mean square", t.speed_rms}, {"fastest", t.speed_max}}};
  section->plots.push_back(height);
  section->plots.push_back(speed);
  if (t.body_count.front() == t.body_count.back()) return;
  ReportPlot count{"Bodies that take part", "", kTime, "number", t.time, {{"bodies", t.body_count}}};
  count.y_min = 0;
  section->plots.push_back(count);
}

ReportSection MotionSection(const Scene& scene, const Trajectory& t) {
  ReportSection section{"Motion", "", {}, {}};
  const auto& wanted = scene.output.bodies;
  const bool only_some = scene.has_many_bodies() && wanted.empty();
  if (scene.has_many_bodies()) AddTotals(t, &section);
  if (only_some) {
    section.text =
        fmt::format("{} bodies. The positions are those of a few, evenly spread among them.", scene.bodies.size());
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < t.bodies.size() && chosen.size() < kMostBodies; ++i) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), t.bodies[i]) != wanted.end()) {
      chosen.push_back(only_some ? i * t.bodies.size() / kMostBodies : i);
    }
  }
  const char* axes[3] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    ReportPlot plot{fmt::format("Position, {}", axes[axis]), "", kTime, fmt::format("{} [m]", axes[axis]), t.time, {}};
    for (std::size_t body : chosen) {
      ReportSeries series{t.bodies[body], {}};
      for (const Vec3& p : t.position[body]) series.y.push_back(p[axis]);
      plot.series.push_back(std::move(series));
    }
    if (!plot.series.empty()) section.plots.push_back(std::move(plot));
  }
  return section;
}

// Adds a plot of all the series that it has, if any.
void AddPlot(ReportPlot plot, ReportSection* section) {
  if (!plot.series.empty()) section->plots.push_back(std::move(plot));
}

ReportSection JointSection(const JointCurves& joints, const std::vector<double>& time) {
  ReportSection section{"Drives and joints", "", {}, {}};
  ReportPlot turning{"Torques of drives",
                     "What drives, prescribed motions and couplings give to their coordinates.",
                     kTime,
                     "torque [N m]",
                     time,
                     {}};
  ReportPlot pushing{"Forces of drives", turning.caption, kTime, "force [N]", time, {}};
  for (std::size_t i = 0; i < joints.efforts.size(); ++i) {
    const JointGauges::Effort& gauge = joints.gauges.efforts[joints.efforts[i]];
    (gauge.unit == "N" ? pushing : turning).series.push_back({gauge.name, joints.effort[i]});
  }
  ReportPlot force{"Forces in joints", "Magnitudes.", kTime, "force [N]", time, {}};
  ReportPlot torque{
      "Torques in joints", "Magnitudes, about the joints' origins; drives included.", kTime, "torque [N m]", time, {}};
  double largest = 0;  // of all forces [N]
  for (const std::vector<double>& curve : joints.force) {
    for (const double value : curve) largest = std::fmax(largest, value);
  }
  for (std::size_t i = 0; i < joints.reactions.size(); ++i) {
    const std::string& name = joints.gauges.reactions[joints.reactions[i]].name;
    AddSeries(&force, name, joints.force[i]);
    constexpr double kRounding = 1e-9;  // [m], as the arm of these forces: a curve of rounding says nothing
    AddSeries(&torque, name, joints.torque[i], kRounding * largest);
  }
  for (ReportPlot* plot : {&turning, &pushing, &force, &torque}) AddPlot(std::move(*plot), &section);
  const std::size_t all = joints.gauges.efforts.size() + joints.gauges.reactions.size();
  if (joints.efforts.size() + joints.reactions.size() < all) {
    section.text = fmt::format("Curves of {} of {} drives and of {} of {} joints.", joints.efforts.size(),
                               joints.gauges.efforts.size(), joints.reactions.size(), joints.gauges.reactions.size());
  }
  return section;
}

// Who reads the curves must know that their scene was not one and the same.
ReportSection ChangesSection(const std::vector<ParameterChange>& changes) {
  constexpr std::size_t kMostRows = 100;  // a slider that is dragged makes many
  ReportSection section{"Changed by hand",
                        fmt::format("Parameters of the scene were changed {} while it ran.",
                                    changes.size() == 1 ? "once" : fmt::format("{} times", changes.size())),
                        {},
                        {}};
  ReportTable table{"Changes", "", {"from [s] on", "parameter", "was", "became"}, {}};
  if (changes.size() > kMostRows) table.caption = fmt::format("The first {}; summary.json has them all.", kMostRows);
  for (std::size_t i = 0; i < std::min(changes.size(), kMostRows); ++i) {
    const ParameterChange& change = changes[i];
    table.rows.push_back({fmt::format("{:.6g}", change.time),
                          change.unit.empty() ? change.name : fmt::format("{} [{}]", change.name, change.unit),
                          fmt::format("{:.6g}", change.from), fmt::format("{:.6g}", change.to)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection EventSection(const EventLog& events) {
  constexpr std::size_t kMostRows = 200;
  ReportSection section{"Events", "", {}, {}};
  std::vector<std::string> counts;
  for (int kind = 0; kind < kEventKinds; ++kind) {
    const long count = events.counts[kind];
    if (count > 0) counts.push_back(fmt::format("{} {}", count, EventName(static_cast<EventKind>(kind))));
  }
  section.text = counts.empty() ? "None." : fmt::format("{}.", fmt::join(counts, ", "));
  ReportTable table{"First events", "", {"time [s]", "event", "bodies", "contacts", "speed [m/s]", "remark"}, {}};
  for (const MotionEvent& event : events.listed) {
    if (table.rows.size() == kMostRows) break;
    table.rows.push_back({fmt::format("{:.12g}", event.time), EventName(event.kind),
                          fmt::format("{}, {}", event.body_a, event.body_b), fmt::format("{}", event.contacts),
                          event.speed > 0 ? fmt::format("{:.6g}", event.speed) : "", event.remark});
  }
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

std::string VerdictOf(const RunSummary& summary) {
  const std::string end = fmt::format("at {:.6g} of {:.6g} s", summary.end_time, summary.end_time_planned);
  if (summary.failed_steps == 0) {
    if (summary.stopped) {
      return fmt::format("Ended early {}; all {} steps until then passed their certificate.", end, summary.steps);
    }
    if (summary.steps == 0) return "The duration is 0, so there was no step to judge.";
    return fmt::format("All {} steps passed their certificate.", summary.steps);
  }
  const std::string failed =
      fmt::format("{} of {} steps failed their certificate", summary.failed_steps, summary.steps);
  const FailedStep& first = summary.failures.front();
  if (summary.not_finite && summary.failed_steps == 1) {
    return fmt::format("{}: {}, and the run ended there, {}.", failed, first.reason, end);
  }
  const std::string begun = fmt::format("{}; the first at {:.6g} s: {}", failed, first.time, first.reason);
  if (summary.not_finite) return fmt::format("{}; the last was not finite, and the run ended there, {}.", begun, end);
  return summary.stopped ? fmt::format("{}. Ended early {}.", begun, end) : begun + ".";
}

std::string RoundingOf(const RunSummary& summary) {
  if (std::abs(summary.end_time_planned - summary.duration) <= 1e-9 * summary.duration) return "";
  return fmt::format("The duration of {:g} s is no whole number of steps; the nearest is {}, {:g} s.", summary.duration,
                     summary.steps_planned, summary.end_time_planned);
}

std::string RedundancyOf(const RunSummary& summary) {
  const ConstraintCount& count = summary.constraints;
  if (count.redundant == 0) return "";
  return fmt::format("{} of {} rows are redundant: how such rows share their forces is not determined.",
                     count.redundant, count.rows);
}

std::string OverlapsOf(const RunSummary& summary) {
  if (summary.overlaps.empty()) return "";
  const StartOverlap& deepest = summary.overlaps.front();
  const std::size_t more = summary.overlaps.size() - 1;
  return fmt::format(
      "At the start {} is {:.3g} m deep in {}{}. What is meant to overlap is left out by no_contact: [[{}, {}]].",
      deepest.first, deepest.depth, deepest.second,
      more == 0 ? "" : fmt::format(", and {} more pair{}", more, more == 1 ? "" : "s"), deepest.first, deepest.second);
}

ReportSection OverridesSection(const std::vector<std::pair<std::string, std::string>>& overrides) {
  ReportTable table{"Overrides", "", {"key", "value"}, {}};
  for (const auto& [key, value] : overrides) table.rows.push_back({key, value});
  return {
      "Set from outside", "What differs from the file of the scene, in the order in which it was given.", {}, {table}};
}

Report ReportOfRun(const Scene& scene, const Simulation& simulation, const RunResult& result) {
  Report report;
  report.title = scene.title.empty() ? scene.name : scene.title;
  report.subtitle = scene.source;
  report.verdict = VerdictOf(result.summary);
  report.passed = result.summary.passed();
  report.facts = {{"scene", scene.name},
                  {"law", scene.law},
                  {"solver", scene.solver},
                  {"stepper", scene.stepper},
                  {"step", fmt::format("{:g} s", simulation.step())},
                  {"simulated", fmt::format("{:g} s in {} steps", result.summary.end_time, result.summary.steps)},
                  {"took", fmt::format("{:.3g} s", result.summary.seconds)},
                  {"numerical remainder", fmt::format("{:.3g} J", result.summary.energy.remainder)},
                  {"slipstick", kVersion}};
  if (const std::string redundancy = RedundancyOf(result.summary); !redundancy.empty()) {
    report.facts.insert(report.facts.end() - 1, {"constraints", redundancy});
  }
  if (const std::string overlaps = OverlapsOf(result.summary); !overlaps.empty()) {
    report.facts.insert(report.facts.end() - 1, {"overlaps", overlaps});
  }
  if (const std::string rounding = RoundingOf(result.summary); !rounding.empty()) {
    report.facts.insert(report.facts.end() - 1, {"duration", rounding});
  }
  if (!scene.overrides.empty()) {
    report.facts.insert(report.facts.end() - 1,
                        {"set from outside", fmt::format("{} ×, see below", scene.overrides.size())});
    report.sections.push_back(OverridesSection(scene.overrides));
  }
  if (!result.summary.changes.empty()) {
    report.facts.insert(report.facts.end() - 1,
                        {"changed by hand", fmt::format("{} ×, see below", result.summary.changes.size())});
    report.sections.push_back(ChangesSection(result.summary.changes));
  }
  if (!scene.measures.empty())
    report.sections.push_back(MeasureSection(TakeMeasures(scene, simulation, result.summary.watched)));
  report.sections.push_back(MotionSection(scene, result.trajectory));
  report.sections.push_back(EnergySection(result.trajectory));
  if (AnyNonZero(result.trajectory.contacts)) report.sections.push_back(ContactSection(result.trajectory));
  if (const auto& joints = result.trajectory.joints; joints && !joints->gauges.empty()) {
    if (ReportSection section = JointSection(*joints, result.trajectory.time); !section.plots.empty()) {
      report.sections.push_back(std::move(section));
    }
  }
  if (simulation.events() != nullptr) report.sections.push_back(EventSection(*simulation.events()));
  report.sections.push_back(CertificateSection(result.summary, result.trajectory));
  return report;
}

}  // namespace slipstick::internal
