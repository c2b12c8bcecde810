#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "bench/granular.h"
#include "slipstick/law/compact_form.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

std::string SceneText(const GranularTask& task, const std::string& law, const std::string& solver,
                      double speed_tolerance, int max_iterations) {
  std::string text = fmt::format(
      "format: slipstick-scene 1\n"
      "materials: [{{name: default, friction: {}, rolling_friction: {}, spinning_friction: {}}}]\n"
      "world:\n  shapes:\n    - {{type: plane, name: floor}}\n",
      task.friction, task.rolling, task.rolling);
  const auto wall = [&](const char* name, double x, double y, const char* axis, int angle) {
    text +=
        fmt::format("    - {{type: plane, name: {}, position: [{}, {}, 0], rotation: {{axis: {}, angle: {}*deg}}}}\n",
                    name, x, y, axis, angle);
  };
  wall("west", -task.half_width, 0, "[0, 1, 0]", 90);
  wall("east", task.half_width, 0, "[0, 1, 0]", -90);
  wall("south", 0, -task.half_width, "[1, 0, 0]", -90);
  wall("north", 0, task.half_width, "[1, 0, 0]", 90);
  text += "bodies:\n";
  for (std::size_t i = 0; i < task.start.size(); ++i) {
    const Vec3& p = task.start[i];
    text += fmt::format(
        "  - {{name: g{}, density: {}, position: [{}, {}, {}], velocity: [{}, {}, {}], "
        "shapes: [{{type: sphere, radius: {}}}]{}}}\n",
        i, task.density, p.x(), p.y(), p.z(), task.velocity.x(), task.velocity.y(), task.velocity.z(), task.radius,
        task.release[i] > 0 ? fmt::format(", release: {}", task.release[i]) : "");
  }
  text += fmt::format(
      "law: {}\nsolver: {{name: {}, speed_tolerance: {}, max_iterations: {}}}\n"
      "stepper: {{step: {}, duration: {}, gap_correction: 1}}\n",
      law, solver, speed_tolerance, max_iterations, task.step, task.duration);
  return text;
}

}  // namespace

GranularFigures RunSlipstick(const GranularTask& task, const std::string& law, const std::string& solver,
                             double speed_tolerance, int max_iterations) {
  Simulation simulation =
      Simulation(ReadSceneText(SceneText(task, law, solver, speed_tolerance, max_iterations), "granular.yaml", {}));
  GranularMeter meter(task, fmt::format("slipstick {} {} {}", law, solver, max_iterations));
  CompactProgram program;
  CompactImpulses impulses;
  HeldMechanisms mechanisms;
  CompactVelocities velocities;
  std::vector<double> friction, target;
  const int steps = static_cast<int>(std::lround(task.duration / task.step));
  for (int s = 0; s < steps; ++s) {
    const double begin = ThreadSeconds();
    const StepRecord& record = simulation.Step();
    const double time = (s + 1) * task.step;
    meter.AddTime(time, ThreadSeconds() - begin);
    if (!meter.IsMeasured(time)) continue;
    // as the other engines are judged: exact Coulomb friction, gaps free to close, overlaps not counted
    const ContactSet& contacts = record.problem.contacts;
    friction.clear();
    target.clear();
    for (int i = 0; i < contacts.size(); ++i) {
      friction.push_back(contacts.surface(i).friction_static);
      target.push_back(contacts.gap[i] > 0 ? -contacts.gap[i] / task.step : 0);
    }
    const CompactTerms terms{.friction = friction, .target = target, .non_associated = true, .with_moments = false};
    if (!ToCompactProgram(record.problem, terms, &mechanisms, &program, &impulses)) continue;
    for (int i = 0; i < contacts.size(); ++i) {
      impulses.force[i] = contacts.FromComponents(i, record.solution.contact.segment<3>(3 * i));
      impulses.moment[i] = contacts.FromComponents(i, record.solution.Moment(record.problem, i));
    }
    ComputeVelocities(program, impulses, &velocities);
    for (Vec3& moment : impulses.moment) moment.setZero();
    meter.AddStep(program, contacts.gap, impulses, velocities);
  }
  std::vector<Vec3> positions;
  for (const Pose& pose : simulation.kinematics().X_WB) positions.push_back(pose.position);
  return meter.Finish(positions);
}

}  // namespace slipstick::internal
