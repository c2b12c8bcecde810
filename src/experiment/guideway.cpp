#include "slipstick/experiment/guideway.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstick::internal {
namespace {

constexpr double kSeals = 5.3, kBallRadius = 3.2e-3, kSpeed = 0.1;
constexpr double kSteady = 0.005;  // the drive's ramp is over [s]
constexpr double kStep = 0.001, kCoarse = 0.002;
// Balls go half as far as the carriage, so that it tilts a little beside their middle, and the load has that share
// along the way. It is what is left where nothing else resists, ζ = 0.
constexpr double kTilt = 2e-6;
constexpr int kBallsUnderLoad = 18;
constexpr double kYoungModulus = 2.1e11, kPoissonRatio = 0.3;

// One state of the guideway; ζ = ρ/R of its balls.
struct Case {
  std::string law;
  double load = 490, zeta = 0.005;
  bool seals = true;
  double step = kStep;

  std::string Label() const {
    return fmt::format("{}{} load={:g} zeta={:g}{}", law, step == kStep ? "" : fmt::format("@{:g}", step), load, zeta,
                       seals ? " seals" : "");
  }
  double FirstPrinciples() const { return std::numbers::sqrt2 * zeta * load + (seals ? kSeals : 0.0); }
  double MakersFormula() const { return zeta * load + (seals ? kSeals : 0.0); }
  std::vector<Override> Overrides() const {
    return {{"law", law},
            {"forces.load.force", fmt::format("[0, 0, {}]", -load)},
            {"materials.steel.rolling_friction", fmt::format("{}", zeta * kBallRadius)},
            {"joints.way.chain.x.friction", seals ? fmt::format("{}", kSeals) : "0"},
            {"stepper.step", fmt::format("{}", step)}};
  }
  ExperimentRun Run() const { return {Label(), "guideway", Overrides(), step, kStep / step}; }
};

std::vector<Case> Cases(bool all) {
  if (!all) return {{"cone", 490, 0.005, true}, {"cone", 490, 0.005, false}, {"coulomb", 490, 0.02, false}};
  std::vector<Case> cases;
  for (const bool seals : {true, false}) {
    for (const double load : {98.0, 245.0, 490.0, 980.0}) cases.push_back({"cone", load, 0.005, seals});
    for (const double zeta : {0.0, 0.0025, 0.01, 0.02}) cases.push_back({"cone", 490, zeta, seals});
  }
  cases.push_back({"coulomb", 490, 0.005, true});
  cases.push_back({"coulomb", 98, 0.005, false});
  cases.push_back({"coulomb", 490, 0.02, false});
  return cases;
}

// Steps at which the convex law wedges the balls.
std::vector<Case> CoarseCases(bool all) {
  std::vector<Case> cases = {{"cone", 490, 0.02, false, kCoarse}};
  if (all) cases.push_back({"cone", 98, 0.005, false, kCoarse});
  return cases;
}

// Σ λN at one end of the balls by the convex law, whose contacts act as if they were g = hρ|ω| = hζv/2 closer (eq 28).
// The carriage sinks onto the upper balls, 2δ = z/√2 + 2g, and off the lower ones, 2δ' = 2g − z/√2: once δ + δ' = 2g
// leaves δ' > 0 both press, which takes h > δ/(ζv).
double ConvexNormalSum(const Case& c) {
  const double modulus = 0.5 * kYoungModulus / (1 - kPoissonRatio * kPoissonRatio);
  const double stiffness = 4.0 / 3.0 * modulus * std::sqrt(kBallRadius);  // Hertz: λN = κ δ^(3/2)
  const double closer = 0.5 * c.step * c.zeta * kSpeed, needed = std::numbers::sqrt2 * c.load / kBallsUnderLoad;
  const auto force = [&](double overlap) { return stiffness * std::pow(std::max(overlap, 0.0), 1.5); };
  double least = 0, most = 2 * closer + std::pow(needed / stiffness, 2.0 / 3.0);
  for (int halving = 0; halving < 60; ++halving) {
    const double upper = 0.5 * (least + most);
    (force(upper) - force(2 * closer - upper) > needed ? most : least) = upper;
  }
  return kBallsUnderLoad * (force(least) + force(2 * closer - least));
}

struct GuidewayFigures {
  double resisting_force = 0;  // work of the drive over the way, at constant speed [N]
  double normal_force = 0;     // Σ λN at one end of the balls [N]
};

GuidewayFigures Measure(const Trajectory& t) {
  const auto first = std::lower_bound(t.time.begin(), t.time.end(), kSteady) - t.time.begin();
  const std::vector<Vec3>& carriage = t.position.at(0);
  const double way = carriage.back().x() - carriage[first].x();
  return {(t.work_bilateral.back() - t.work_bilateral[first]) / way, 0.5 * t.normal_force.back()};
}

// No drive: a force along the way, up over 5 ms, that is a given share of what the guideway resists with.
ExperimentRun PushRun(const Case& state, double share) {
  ExperimentRun run{fmt::format("{} push={:g}", state.Label(), share), "guideway", state.Overrides(), state.step, 1};
  run.overrides[1] = {"forces",
                      fmt::format("[{{name: load, body: carriage, force: [0, 0, {}]}}, {{name: push, joint: x, effort: "
                                  "'{}*smooth(t/0.005)'}}]",
                                  -state.load, share * state.FirstPrinciples())};
  run.overrides.push_back({"constraints", "[]"});
  run.overrides.push_back({"stepper.duration", "0.01"});
  return run;
}

// Speed of the carriage over the last step [m/s].
double EndSpeed(const Trajectory& t) {
  const std::vector<Vec3>& carriage = t.position.at(0);
  const std::size_t n = carriage.size();
  return (carriage[n - 1].x() - carriage[n - 2].x()) / (t.time[n - 1] - t.time[n - 2]);
}

std::vector<std::string> TableRow(const Case& c, const GuidewayFigures& m) {
  return {c.Label(),
          fmt::format("{:.4f}", m.resisting_force),
          fmt::format("{:.4f}", c.FirstPrinciples()),
          fmt::format("{:.4f}", c.MakersFormula()),
          fmt::format("{:.3f}", m.normal_force),
          fmt::format("{:.3f}", std::numbers::sqrt2 * c.load)};
}

ReportPlot SweepPlot(const std::string& title, const std::string& axis, double Case::*varied,
                     const std::vector<Case>& cases, const std::vector<GuidewayFigures>& figures, const Case& nominal) {
  ReportPlot plot{title, "Simulated, √2ζF + S of first principles, ζF + S of the maker.", axis, "force [N]", {}, {}};
  std::vector<std::size_t> order;
  for (const bool seals : {true, false}) {
    order.clear();
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const Case& c = cases[k];
      const bool same_load = varied == &Case::load || c.load == nominal.load;
      const bool same_zeta = varied == &Case::zeta || c.zeta == nominal.zeta;
      if (c.law == nominal.law && c.seals == seals && same_load && same_zeta) order.push_back(k);
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return cases[a].*varied < cases[b].*varied; });
    std::vector<double> x, here, first, maker;
    for (const std::size_t k : order) {
      x.push_back(cases[k].*varied);
      here.push_back(figures[k].resisting_force);
      first.push_back(cases[k].FirstPrinciples());
      maker.push_back(cases[k].MakersFormula());
    }
    plot.x = x;
    const std::string with = seals ? "with seals" : "without seals";
    plot.series.push_back({"simulated, " + with, here});
    plot.series.push_back({"first principles, " + with, first});
    plot.series.push_back({"maker's formula, " + with, maker});
  }
  return plot;
}

Experiment Run(bool all, const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "guideway";
  experiment.title = "A linear guideway on balls: Tasora & Anitescu 2013, §6.2";
  const std::vector<Case> cases = Cases(all), coarse_cases = CoarseCases(all);
  const Case nominal{"cone", 490, 0.005, true};
  std::vector<ExperimentRun> runs;
  runs.reserve(cases.size());
  for (const Case& c : cases) runs.push_back(c.Run());
  const std::size_t coarse = runs.size();
  for (const Case& c : coarse_cases) runs.push_back(c.Run());
  const std::size_t pushed = runs.size();
  for (const double share : {0.95, 1.05}) runs.push_back(PushRun(nominal, share));
  const std::vector<RunResult> results = RunAll(runs, options, &experiment.failures);

  ReportTable table{"Force",
                    "Simulated, and both formulas, in N.",
                    {"case", "simulated", "√2ζF + S", "ζF + S (maker)", "Σ normal forces", "√2 F"},
                    {}};
  std::vector<GuidewayFigures> figures;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& c = cases[k];
    const GuidewayFigures m = Measure(results[k].trajectory);
    figures.push_back(m);
    const double force = c.FirstPrinciples(), normal = std::numbers::sqrt2 * c.load;
    const bool in_paper = c.law == nominal.law && c.load == nominal.load && c.zeta == nominal.zeta;
    experiment.rows.push_back({"resisting_force_newton", c.Label(),
                               in_paper ? std::optional<double>(c.MakersFormula()) : std::nullopt, m.resisting_force,
                               0.99 * force - kTilt * c.load, 1.01 * force + kTilt * c.load,
                               "√2ζF + S ± 1 %; the maker's ζF + S leaves the 45° of the contact forces out"});
    experiment.rows.push_back({"normal_force_sum_newton",
                               c.Label(),
                               {},
                               m.normal_force,
                               0.999 * normal,
                               1.001 * normal,
                               "√2F, at one end of the balls"});
    table.rows.push_back(TableRow(c, m));
  }
  for (std::size_t k = 0; k < coarse_cases.size(); ++k) {
    const Case& c = coarse_cases[k];
    const GuidewayFigures m = Measure(results[coarse + k].trajectory);
    const double normal = ConvexNormalSum(c), force = c.zeta * normal;
    const char* note = "convex, a step too large: the gaps it adds wedge the balls; closed form";
    experiment.rows.push_back(
        {"resisting_force_newton", c.Label(), {}, m.resisting_force, 0.99 * force, 1.01 * force, note});
    experiment.rows.push_back(
        {"normal_force_sum_newton", c.Label(), {}, m.normal_force, 0.999 * normal, 1.001 * normal, note});
    table.rows.push_back(TableRow(c, m));
  }
  experiment.rows.push_back(
      {"speed_metres_per_second", runs[pushed].label, {}, EndSpeed(results[pushed].trajectory), -1e-9, 1e-9, "sticks"});
  experiment.rows.push_back({"speed_metres_per_second",
                             runs[pushed + 1].label,
                             {},
                             EndSpeed(results[pushed + 1].trajectory),
                             1e-4,
                             1,
                             "moves"});
  experiment.sections = {
      {"Resisting force",
       "",
       {SweepPlot("Against the load", "load [N]", &Case::load, cases, figures, nominal),
        SweepPlot("Against rolling friction, the paper's figure 8", "ζ = ρ/R", &Case::zeta, cases, figures, nominal)},
       {table}}};
  return experiment;
}

}  // namespace

Experiment RunGuidewayExperiment(const ExperimentOptions& options) { return Run(true, options); }
Experiment RunGuidewayExcerpt(const ExperimentOptions& options) { return Run(false, options); }

}  // namespace slipstick::internal
