#include "slipstick/experiment/mechanisms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kSample = 0.05;  // [s]
constexpr int kWindows = 40;
// The largest error that the library allows a run of high precision, as its pages of A01 and A02 say.
constexpr double kHighPrecision = 1e-3;
constexpr double kStep = 1e-3;        // [s]
constexpr double kEnergyOfRow = 2e3;  // energy error of A02 over h² [J/s²]

Simulation Prepare(const std::string& scene, const std::vector<Override>& overrides) {
  return Simulation(ReadScene(FindScene(scene), overrides));
}

// Goes on to a time; energy and verdicts are noted at every step.
void RunTo(double time, Simulation* simulation, MechanismErrors* errors) {
  const long steps = std::lround((time - simulation->state().time) / simulation->step());
  for (long k = 0; k < steps && errors->passed; ++k) {
    errors->passed = simulation->Step().certificate.passed;
    errors->energy = std::max(errors->energy, std::abs(simulation->energy().remainder));
  }
}

int SampleCount(double duration) { return static_cast<int>(std::lround(duration / kSample)); }

// Values of the simulation, positions and their rates, at every sample beside those of the reference.
template <typename Look>
void Follow(const ReferencePath& reference, Simulation* simulation, MechanismErrors* errors, const Look& look) {
  ReferencePath path = {look(*simulation)};
  for (std::size_t k = 1; k < reference.size(); ++k) {
    RunTo(kSample * static_cast<double>(k), simulation, errors);
    path.push_back(look(*simulation));
    const Eigen::Index positions = reference[k].size() / 2;
    const VecX difference = (path.back() - reference[k]).head(positions);
    errors->coordinate = std::max(errors->coordinate, difference.lpNorm<Eigen::Infinity>());
  }
  errors->relative = CompareWithReference(path, reference);
}

int FindBody(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == name) return static_cast<int>(i);
  }
  SLIPSTICK_CHECK(false, "a body of that name");
  return -1;
}

// Position and velocity of a point that is fixed to a body.
VecX MotionOfPoint(const Simulation& simulation, const std::string& body, const Vec3& point) {
  const Kinematics& kinematics = simulation.kinematics();
  const int number = FindBody(simulation.model(), body);
  const Vec3 position = kinematics.X_WB[number] * point;
  VecX motion(6);
  motion << position, kinematics.VelocityOfPoint(number, position);
  return motion;
}

// x, z and their rates.
VecX InThePlane(const VecX& motion) { return Eigen::Vector4d(motion[0], motion[2], motion[3], motion[5]); }

}  // namespace

std::vector<Override> ByEvents(double step) {
  return {{"stepper", fmt::format("{{name: event-driven, step: {}}}", step)}};
}
std::vector<Override> BySteps(double step) {
  return {{"stepper", fmt::format("{{name: time-stepping, step: {}}}", step)}};
}

MechanismErrors RunPendulum(const std::vector<Override>& stepper, double duration) {
  std::vector<Override> overrides = stepper;
  overrides.push_back({"bodies.rod.com", "[0, -1, 0]"});
  overrides.push_back({"bodies.rod.inertia", "[1e-9, 1e-9, 1e-9]"});
  overrides.push_back({"joints.hinge.position", "-90*deg"});
  Simulation simulation = Prepare("pendulum", overrides);
  MechanismErrors errors;
  Follow(PendulumPath(kSample, SampleCount(duration)), &simulation, &errors,
         [](const Simulation& s) { return InThePlane(MotionOfPoint(s, "rod", Vec3(0, -1, 0))); });
  return errors;
}

MechanismErrors RunFourBarRow(int windows, double step, double duration) {
  std::vector<Override> overrides = BySteps(step);
  overrides.push_back({"repeat.uprights.count", fmt::format("{}", windows + 1)});
  overrides.push_back({"repeat.windows.count", fmt::format("{}", windows)});
  Simulation simulation = Prepare("n-four-bar", overrides);
  MechanismErrors errors;
  double spread = 0;  // of the uprights' angles: how far the row is from swinging as one
  Follow(FourBarRowPath(windows, kSample, SampleCount(duration)), &simulation, &errors, [&](const Simulation& s) {
    const VecX& q = s.state().q;
    const double first = q[s.model().bodies[FindBody(s.model(), "upright-0")].q_offset];
    for (const ModelBody& body : s.model().bodies) {
      if (body.joint_name.starts_with("pivot-")) spread = std::max(spread, std::abs(q[body.q_offset] - first));
    }
    return InThePlane(MotionOfPoint(s, "upright-0", Vec3(1, 0, 0)));
  });
  errors.coordinate = std::max(errors.coordinate, spread);
  return errors;
}

MechanismErrors RunAndrews() {
  // β, θ, γ, δ, φ, ε, ω at 0.03 s, by PSIDE at tolerances of 10⁻¹⁴: Test Set for IVP Solvers, problem andrews
  constexpr double kReference[] = {15.81077119629904,   -15.75637105984298, 0.04082224013073101, 0.5244099658805304,
                                   -0.5347301163226948, 1.048080741042263,  0.5347301163226948};
  Simulation simulation = Prepare("andrews", ByEvents(1e-4));
  MechanismErrors errors;
  RunTo(0.03, &simulation, &errors);
  const VecX reference = Eigen::Map<const VecX>(kReference, std::size(kReference)),
             found = simulation.state().q.head(reference.size());
  errors.coordinate = (found - reference).lpNorm<Eigen::Infinity>();
  errors.relative = CompareWithReference({found, found}, {reference, reference});
  RunTo(0.05, &simulation, &errors);
  return errors;
}

MechanismErrors RunBricard(const std::vector<Override>& stepper, double duration) {
  Simulation simulation = Prepare("bricard", stepper);
  MechanismErrors errors;
  Follow(BricardPath(kSample, SampleCount(duration)), &simulation, &errors,
         [](const Simulation& s) { return MotionOfPoint(s, "rod-2", Vec3(0, -1, 0)); });
  return errors;
}

MechanismErrors RunGovernor(const std::vector<Override>& stepper, double duration) {
  Simulation simulation = Prepare("flyball-governor", stepper);
  MechanismErrors errors;
  Follow(GovernorPath(kSample, SampleCount(duration)), &simulation, &errors, [](const Simulation& s) {
    const VecX motion = MotionOfPoint(s, "slider", Vec3::Zero());
    return VecX(Eigen::Vector2d(motion[2], motion[5]));
  });
  return errors;
}

Experiment RunMechanismsExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "mechanisms";
  experiment.title = "Mechanisms of the IFToMM benchmark library";
  const auto add = [&](const char* quantity, const std::string& method, double here, double least, double most,
                       const std::string& note) {
    experiment.rows.push_back({quantity, method, {}, here, least, most, note});
  };
  const auto judge = [&](const std::string& what, const MechanismErrors& errors) {
    if (!errors.passed) experiment.failures.push_back(fmt::format("{}: a step failed its certificate", what));
  };
  const auto add_relative = [&](const std::string& method, const MechanismErrors& errors, const std::string& what,
                                double allowed = kHighPrecision) {
    add("relative_error_max", method, errors.relative.most, 0, allowed,
        fmt::format("{}; the library allows 0.001 for high precision", what));
    add("relative_error_rms", method, errors.relative.rms, 0, kHighPrecision, "the same as a mean square");
  };

  options.progress("pendulum", 0);
  const MechanismErrors pendulum = RunPendulum(BySteps(kStep), 10);
  judge("pendulum", pendulum);
  add_relative(fmt::format("pendulum@{:g}", kStep), pendulum, "position and velocity of the mass at 200 times in 10 s");

  // A02 with 40 windows for 20 s, the library's file; two windows for 10 s, its later form
  double before = 0;
  for (const auto& [step, done] : {std::pair<double, double>{kStep, 0.02}, {0.2 * kStep, 0.12}}) {
    options.progress("n-four-bar", done);
    const MechanismErrors errors = RunFourBarRow(kWindows, step, 20);
    const std::string method = fmt::format("n-four-bar@{:g}", step);
    judge(method, errors);
    add_relative(method, errors, "position and velocity of B0 at 400 times in 20 s");
    add("energy_error_joule_max", method, errors.energy, 0, kEnergyOfRow * step * step,
        "of 620 J: of second order, swings with the motion and does not grow");
    if (before > 0)
      add("order_of_time_stepping", method, std::log(before / errors.coordinate) / std::log(5.0), 1.9, 2.1,
          "of positions");
    before = errors.coordinate;
  }
  options.progress("n-four-bar, two windows", 0.75);
  const MechanismErrors two = RunFourBarRow(2, kStep, 10);
  judge("n-four-bar with two windows", two);
  add_relative(fmt::format("n-four-bar-2@{:g}", kStep), two, "position and velocity of B0 at 200 times in 10 s");

  options.progress("andrews", 0.85);
  const MechanismErrors andrews = RunAndrews();
  judge("andrews", andrews);
  add("coordinate_error_max", "andrews@events", andrews.coordinate, 0, 1e-7,
      "radians at 0.03 s, against the test set's sixteen digits");
  add("relative_error_max", "andrews@events", andrews.relative.most, 0, kHighPrecision, "of the same seven angles");
  add("energy_error_joule_max", "andrews@events", andrews.energy, 0, 1e-9,
      "over 0.05 s, of 1.5 J that the motor puts in");

  struct Benchmark {
    const char* scene;
    MechanismErrors (*run)(const std::vector<Override>& stepper, double duration);
    const char* what;
    double allowed, least_order, most_order;
    const char* note;
  };
  for (const Benchmark& benchmark :
       {Benchmark{"bricard", RunBricard, "position and velocity of P3 at 200 times in 10 s", kHighPrecision, 1.9, 2.1,
                  "of positions, against equations in few coordinates"},
        {"flyball-governor", RunGovernor, "s and its rate at 200 times in 10 s", 5 * kHighPrecision, 1.5, 2.5,
         "of positions; its springs are resolved from 1 ms on, and damped above"}}) {
    options.progress(benchmark.scene, 0.9);
    const MechanismErrors events = benchmark.run(ByEvents(0.01), 10), coarse = benchmark.run(BySteps(kStep), 10),
                          fine = benchmark.run(BySteps(0.5 * kStep), 10);
    const std::string by_events = fmt::format("{}@events", benchmark.scene),
                      by_steps = fmt::format("{}@{:g}", benchmark.scene, kStep);
    judge(by_events, events);
    judge(by_steps, coarse);
    judge(by_steps, fine);
    add_relative(by_events, events, benchmark.what);
    add("energy_error_joule_max", by_events, events.energy, 0, 1e-6, "over 10 s");
    add_relative(by_steps, coarse, benchmark.what, benchmark.allowed);
    add("order_of_time_stepping", by_steps, std::log2(coarse.coordinate / fine.coordinate), benchmark.least_order,
        benchmark.most_order, benchmark.note);
  }
  options.progress("mechanisms", 1);
  return experiment;
}

}  // namespace slipstick::internal
