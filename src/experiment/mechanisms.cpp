#include "slipstick/experiment/mechanisms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/run/prepare_simulation.h"
#include "slipstick/scene/scene_library.h"
#include "slipstick/scene/scene_reader.h"

namespace slipstick {
namespace {

constexpr double kGravity = 9.81;
constexpr double kSample = 0.1;  // [s]
constexpr int kWindows = 40;

Simulation Prepare(const std::string& scene, const std::vector<Override>& overrides) {
  return PrepareSimulation(ReadScene(FindScene(scene), overrides));
}

std::vector<Override> ByEvents(double step) {
  return {{"stepper", fmt::format("{{name: event-driven, step: {}}}", step)}};
}
std::vector<Override> BySteps(double step) {
  return {{"stepper", fmt::format("{{name: time-stepping, step: {}}}", step)}};
}

// Goes on to a time; energy and verdicts are noted at every step.
void RunTo(double time, Simulation* simulation, MechanismErrors* errors) {
  const long steps = std::lround((time - simulation->state().time) / simulation->settings().step);
  for (long k = 0; k < steps && errors->passed; ++k) {
    errors->passed = simulation->Step().certificate.passed;
    errors->energy = std::max(errors->energy, std::abs(simulation->energy().remainder));
  }
}

// The uprights' angle from the vertical at every kSample: (n + 1)/3 + n times l²θ̈ = ((n + 1)/2 + n) g l sin θ, by the
// Runge–Kutta method.
std::vector<double> UprightAngles(int windows, double duration) {
  const double ratio = ((windows + 1) / 2.0 + windows) / ((windows + 1) / 3.0 + windows);
  const auto acceleration = [&](double angle) { return ratio * kGravity * std::sin(angle); };
  constexpr int kSubsteps = 2000;
  const double h = kSample / kSubsteps;
  std::vector<double> angles = {0};
  double angle = 0, rate = 1;
  for (long sample = 1; sample <= std::lround(duration / kSample); ++sample) {
    for (int k = 0; k < kSubsteps; ++k) {
      const double a1 = acceleration(angle), r2 = rate + 0.5 * h * a1, a2 = acceleration(angle + 0.5 * h * rate);
      const double r3 = rate + 0.5 * h * a2, a3 = acceleration(angle + 0.5 * h * r2);
      const double r4 = rate + h * a3, a4 = acceleration(angle + h * r3);
      angle += h / 6 * (rate + 2 * r2 + 2 * r3 + r4);
      rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    angles.push_back(angle);
  }
  return angles;
}

// A step of length h keeps an energy that differs from the true one by ½ h θ̇ dV/dθ to the first order (the modified
// equation of the semi-implicit Euler method): the most that this is of a row of windows, in J/s.
double EnergySwing(int windows) {
  const double inertia = (windows + 1) / 3.0 + windows, weight = ((windows + 1) / 2.0 + windows) * kGravity;
  double most = 0;
  for (double angle = 0; angle < std::numbers::pi; angle += 1e-3) {
    const double rate = std::sqrt(1 + 2 * weight / inertia * (1 - std::cos(angle)));
    most = std::max(most, 0.5 * rate * weight * std::sin(angle));
  }
  return most;
}

}  // namespace

MechanismErrors RunFourBarRow(int windows, double step, double duration) {
  std::vector<Override> overrides = BySteps(step);
  overrides.push_back({"repeat.uprights.count", fmt::format("{}", windows + 1)});
  overrides.push_back({"repeat.windows.count", fmt::format("{}", windows)});
  Simulation simulation = Prepare("n-four-bar", overrides);
  MechanismErrors errors;
  const std::vector<double> angles = UprightAngles(windows, duration);
  for (std::size_t k = 1; k < angles.size(); ++k) {
    RunTo(kSample * static_cast<double>(k), &simulation, &errors);
    for (const ModelBody& body : simulation.model().bodies) {
      if (!body.joint_name.starts_with("pivot-")) continue;
      const double swing = 0.5 * std::numbers::pi - simulation.state().q[body.q_offset];
      errors.coordinate = std::max(errors.coordinate, std::abs(swing - angles[k]));
    }
  }
  return errors;
}

MechanismErrors RunAndrews() {
  // β, θ, γ, δ, φ, ε, ω at 0.03 s, by PSIDE at tolerances of 10⁻¹⁴: Test Set for IVP Solvers, problem andrews
  constexpr double kReference[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
                                   -0.5347301163226948, 1.048080741042263,  0.5347301163226948};
  Simulation simulation = Prepare("andrews", ByEvents(1e-4));
  MechanismErrors errors;
  RunTo(0.03, &simulation, &errors);
  for (std::size_t i = 0; i < std::size(kReference); ++i) {
    errors.coordinate =
        std::max(errors.coordinate, std::abs(simulation.state().q[static_cast<Eigen::Index>(i)] - kReference[i]));
  }
  RunTo(0.05, &simulation, &errors);
  return errors;
}

MechanismErrors RunAgainstEvents(const std::string& scene, double step, double duration, MechanismErrors* events) {
  Simulation reference = Prepare(scene, ByEvents(0.01)), simulation = Prepare(scene, BySteps(step));
  MechanismErrors errors;
  for (long k = 1; k <= std::lround(duration / kSample); ++k) {
    const double time = kSample * static_cast<double>(k);
    RunTo(time, &reference, events);
    RunTo(time, &simulation, &errors);
    const VecX difference = simulation.state().q - reference.state().q;
    errors.coordinate = std::max(errors.coordinate, difference.lpNorm<Eigen::Infinity>());
  }
  return errors;
}

Experiment RunMechanismsExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "mechanisms";
  experiment.title = "Mechanisms of the IFToMM benchmark library";
  const auto row = [&](const char* quantity, const std::string& method, double here, double most, const char* note) {
    experiment.rows.push_back({quantity, method, {}, here, 0, most, note});
  };
  const auto judge = [&](const std::string& what, const MechanismErrors& errors) {
    if (!errors.passed) experiment.failures.push_back(fmt::format("{}: a step failed its certificate", what));
  };

  options.progress("n-four-bar", 0);
  double before = 0;
  for (const double step : {2e-3, 1e-3}) {
    const MechanismErrors errors = RunFourBarRow(kWindows, step, 10);
    const std::string method = fmt::format("n-four-bar@{:g}", step);
    judge(method, errors);
    row("coordinate_error_max", method, errors.coordinate, step,
        "radians, over 10 s; one pendulum, through the pose where 40 windows lie flat");
    row("energy_error_joule_max", method, errors.energy, 1.02 * step * EnergySwing(kWindows),
        "of 620 J: ½ h θ̇ dV/dθ, which swings with the motion and does not grow");
    if (before > 0)
      experiment.rows.push_back({"order_of_time_stepping",
                                 method,
                                 {},
                                 std::log2(before / errors.coordinate),
                                 0.9,
                                 2.1,
                                 "halving the step halves the error or better"});
    before = errors.coordinate;
    options.progress("n-four-bar", step > 1e-3 ? 0.2 : 0.6);
  }

  const MechanismErrors andrews = RunAndrews();
  judge("andrews", andrews);
  row("coordinate_error_max", "andrews@events", andrews.coordinate, 1e-7,
      "radians at 0.03 s, against the test set's sixteen digits");
  row("energy_error_joule_max", "andrews@events", andrews.energy, 1e-9, "of 1.5 J that the motor puts in");
  options.progress("andrews", 0.7);

  for (const auto& [scene, step, duration] :
       {std::tuple<const char*, double, double>{"bricard", 5e-4, 10}, {"flyball-governor", 5e-4, 10}}) {
    options.progress(scene, 0.8);
    MechanismErrors events;
    const MechanismErrors errors = RunAgainstEvents(scene, step, duration, &events);
    const MechanismErrors coarse = RunAgainstEvents(scene, 2 * step, duration, &events);
    const std::string by_events = fmt::format("{}@events", scene), by_steps = fmt::format("{}@{:g}", scene, step);
    judge(by_events, events);
    judge(by_steps, errors);
    row("energy_error_joule_max", by_events, events.energy, 1e-3, "over 10 s");
    row("energy_error_joule_max", by_steps, errors.energy, 2e3 * step, "of first order in the step");
    experiment.rows.push_back({"order_of_time_stepping",
                               by_steps,
                               {},
                               std::log2(coarse.coordinate / errors.coordinate),
                               0.8,
                               1.2,
                               "coordinates against those from event to event"});
  }
  options.progress("mechanisms", 1);
  return experiment;
}

}  // namespace slipstick
