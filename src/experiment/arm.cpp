#include "slipstick/experiment/arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/model/compile_model.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

constexpr double kRestFriction = 5;                            // figure 8: μ_c; μ_v = 0
constexpr double kSwingFriction = 0.25, kSwingViscous = 0.1;   // figure 9
constexpr double kRestDuration = 10, kSwingDuration = 2;       // [s]
constexpr double kSample = 0.01;                               // [s]
constexpr double kRunaway = 1e6;                               // [rad/s]: a run that has lost itself is ended here
constexpr double kFriction[] = {0.01, 0.005, 0.002, 0.001};    // steps of the bounded rows [s]
constexpr double kAcceleration[] = {1e-3, 1e-4, 1e-5, 1e-6};   // and of eq 6
constexpr const char* kShown[] = {"bicep", "swing", "elbow"};  // the first is the paper's

// Joint velocities at multiples of kSample, and the largest in any step.
struct JointMotion {
  std::vector<VecX> velocity;
  double fastest = 0;
  bool passed = true;

  void Note(const VecX& v, long step, double h) {
    fastest = std::max(fastest, v.allFinite() ? v.lpNorm<Eigen::Infinity>() : kRunaway);
    const auto every = std::lround(kSample / h);
    if (step % every == 0) velocity.push_back(v);
  }
};

Scene ReadArm(double coulomb, double viscous, double h, double duration) {
  const Scene plain = ReadScene(FindScene("arm"));
  std::vector<Override> overrides = {{"stepper.step", fmt::format("{}", h)},
                                     {"stepper.duration", fmt::format("{}", duration)}};
  for (const SceneJoint& joint : plain.joints) {
    overrides.push_back({fmt::format("joints.{}.friction", joint.name), fmt::format("{}", coulomb)});
    overrides.push_back({fmt::format("joints.{}.viscous_friction", joint.name), fmt::format("{}", viscous)});
  }
  return ReadScene(plain.file, overrides);
}

// Friction as bounded rows.
JointMotion RunBounded(double coulomb, double viscous, double h, double duration) {
  Simulation simulation = Simulation(ReadArm(coulomb, viscous, h, duration));
  JointMotion motion;
  const long steps = std::lround(duration / h);
  motion.Note(simulation.state().v, 0, h);
  for (long k = 1; k <= steps; ++k) {
    motion.passed = simulation.Step().certificate.passed && motion.passed;
    motion.Note(simulation.state().v, k, h);
  }
  return motion;
}

// Eq 6, with the semi-implicit Euler step that the bounded rows have too. Limits are out of reach and left out.
JointMotion RunAcceleration(double coulomb, double viscous, double h, double duration,
                            const std::function<void(double)>& progress) {
  const Model model = CompileModel(ReadArm(coulomb, viscous, h, duration));
  MotionState state = model.initial_state;
  Kinematics kinematics;
  DynamicsWorkspace work;
  BlockDiagonal mass;
  VecX bias, gravity;
  JointMotion motion;
  const long steps = std::lround(duration / h);
  motion.Note(state.v, 0, h);
  ComputeKinematics(model, state, &kinematics);
  for (long k = 1; k <= steps && motion.fastest < kRunaway; ++k) {
    ComputeMassMatrix(model, kinematics, &work, &mass);
    if (!mass.Factorize()) break;
    ComputeBiasForces(model, kinematics, &work, &bias);
    ComputeGravityForces(model, kinematics, &work, &gravity);
    VecX acceleration = gravity - bias;
    for (Eigen::Index i = 0; i < state.v.size(); ++i) {
      const double speed = state.v[i];
      acceleration[i] -= viscous * speed + (speed > 0 ? coulomb : speed < 0 ? -coulomb : 0.0);
    }
    mass.SolveInPlace(acceleration);
    state.v += h * acceleration;
    motion.Note(state.v, k, h);
    AdvancePositions(model, state.v, h, 0, &state.q);
    UpdateKinematics(model, state, &kinematics);
    if (k % 4096 == 0) progress(static_cast<double>(k) / static_cast<double>(steps));
  }
  return motion;
}

// Largest difference of any joint velocity at any sample, in per cent of the largest velocity of the reference.
double Deviation(const JointMotion& motion, const JointMotion& reference) {
  double worst = 0, scale = 0;
  for (std::size_t k = 0; k < reference.velocity.size(); ++k) {
    scale = std::max(scale, reference.velocity[k].lpNorm<Eigen::Infinity>());
    if (k >= motion.velocity.size()) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, (motion.velocity[k] - reference.velocity[k]).lpNorm<Eigen::Infinity>());
  }
  return 100 * worst / scale;
}

ReportPlot Figure(const Scene& scene, const std::string& joint, const std::string& text,
                  const std::vector<std::pair<std::string, JointMotion>>& motions) {
  const auto found =
      std::find_if(scene.joints.begin(), scene.joints.end(), [&](const SceneJoint& one) { return one.name == joint; });
  const auto number = found - scene.joints.begin();
  ReportPlot plot{fmt::format("Velocity of the joint {}", joint), text, "time [s]", "velocity [rad/s]", {}, {}};
  for (const auto& [name, motion] : motions) {
    std::vector<double> values;
    for (const VecX& v : motion.velocity) values.push_back(v[number]);
    while (plot.x.size() < values.size()) plot.x.push_back(kSample * static_cast<double>(plot.x.size()));
    plot.series.push_back({name, values});
  }
  for (auto& series : plot.series) series.y.resize(plot.x.size(), std::nan(""));
  return plot;
}

}  // namespace

Experiment RunArmExperiment(const ExperimentOptions& options) {
  Experiment experiment;
  experiment.name = "arm";
  experiment.title = "Friction in the joints of an arm: Drumwright & Shell 2010, §5.3";
  const auto add = [&](const char* quantity, const std::string& method, double here, double least, double most,
                       const char* note) {
    experiment.rows.push_back({quantity, method, {}, here, least, most, note});
  };
  const auto bounded = [](double h) { return fmt::format("joint-friction@{:g}", h); };
  const auto explicit_at = [](double h) { return fmt::format("acceleration-level@{:g}", h); };
  // most of the time goes into the millions of steps of the smallest one
  double done = 0;
  const auto tell = [&](const std::string& what, double share, double part) {
    options.progress(what, done + share * part);
    if (part == 1) done += share;
  };

  // figure 8: what friction holds rests
  const double coarse = kFriction[0];
  const JointMotion rests = RunBounded(kRestFriction, 0, coarse, kRestDuration);
  tell(bounded(coarse), 0.02, 1);
  const JointMotion shakes = RunAcceleration(kRestFriction, 0, coarse, kRestDuration, [](double) {});
  tell(explicit_at(coarse), 0.02, 1);
  add("rest_speed_max", bounded(coarse), rests.fastest, 0, 1e-12, "μ_c = 5: held for 10 s, rad/s");
  add("rest_speed_max", explicit_at(coarse), std::min(shakes.fastest, kRunaway), 1, kRunaway,
      "unstable: a joint that rests is thrown to and fro by its own friction");
  if (!rests.passed) experiment.failures.push_back(bounded(coarse) + ": a step without certificate");

  // figure 9: what swings
  const double finest = kAcceleration[std::size(kAcceleration) - 1];
  const JointMotion reference = RunAcceleration(kSwingFriction, kSwingViscous, finest, kSwingDuration,
                                                [&](double part) { tell(explicit_at(finest), 0.8, 0.999 * part); });
  tell(explicit_at(finest), 0.8, 1);
  ReportTable table{
      "Step and error",
      fmt::format("Largest difference of any joint velocity from {}, in per cent of the largest velocity.",
                  explicit_at(finest)),
      {"method", "step [s]", "error [%]"},
      {}};
  std::vector<std::pair<std::string, JointMotion>> shown;
  for (const double h : kFriction) {
    JointMotion motion = RunBounded(kSwingFriction, kSwingViscous, h, kSwingDuration);
    const double error = Deviation(motion, reference);
    table.rows.push_back({"joint-friction", fmt::format("{:g}", h), fmt::format("{:.3g}", error)});
    add("velocity_deviation_percent", bounded(h), error, 0, 1000 * h, "first order: a per cent a millisecond at most");
    if (!motion.passed) experiment.failures.push_back(bounded(h) + ": a step without certificate");
    if (h == kFriction[std::size(kFriction) - 1]) shown.emplace_back(bounded(h), std::move(motion));
    tell(bounded(h), 0.01, 1);
  }
  for (const double h : kAcceleration) {
    if (h == finest) break;
    JointMotion motion = RunAcceleration(kSwingFriction, kSwingViscous, h, kSwingDuration, [](double) {});
    const double error = Deviation(motion, reference);
    table.rows.push_back(
        {"acceleration-level", fmt::format("{:g}", h), std::isfinite(error) ? fmt::format("{:.3g}", error) : "lost"});
    // what must be seen: at the step of the bounded rows this law is useless, at a hundredth of it still worse
    if (h == 1e-3) add("velocity_deviation_percent", explicit_at(h), std::min(error, kRunaway), 10, kRunaway, "stiff");
    if (h == 1e-5) {
      add("velocity_deviation_percent", explicit_at(h), std::min(error, kRunaway), 0, kRunaway,
          "converges to the bounded rows as its step goes to 0");
    }
    if (h == 1e-3) shown.emplace_back(explicit_at(h), std::move(motion));
    tell(explicit_at(h), 0.03, 1);
  }
  shown.emplace_back(explicit_at(finest), reference);
  const Scene scene = ReadScene(FindScene("arm"));
  ReportPlot held = Figure(scene, kShown[0], "The paper's figure 8: μ_c = 5 N m.",
                           {{bounded(coarse), rests}, {explicit_at(coarse), shakes}});
  held.y_min = -10, held.y_max = 10;  // the other one soon leaves every scale
  experiment.sections.push_back({"What friction holds", "", {held}, {}});
  ReportSection swings{"What swings", "", {}, {table}};
  for (const char* joint : kShown) {
    swings.plots.push_back(Figure(scene, joint, "The paper's figure 9: μ_c = 0.25 N m, μ_v = 0.1 N m s.", shown));
  }
  experiment.sections.push_back(std::move(swings));
  return experiment;
}

}  // namespace slipstick::internal
