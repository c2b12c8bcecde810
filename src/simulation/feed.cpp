#include <fmt/format.h>

#include <algorithm>

#include "slipstick/model/kinematics.h"
#include "slipstick/simulation/apply_inputs.h"
#include "slipstick/simulation/simulation_parts.h"

// What a program feeds into a simulation between steps.

namespace slipstick {
namespace {

void Require(bool holds, const std::string& key, const std::string& expected, const std::string& found) {
  if (!holds) throw InputError({{"", 0, key, expected, found}});
}

// A number that stands for one of `count` things.
void RequireNumber(int number, std::size_t count, const char* key, const char* what) {
  Require(number >= 0 && number < static_cast<int>(count), key,
          count == 0 ? fmt::format("nothing: the scene has no {}", what)
                     : fmt::format("the number of a {} from 0 to {}", what, count - 1),
          std::to_string(number));
}

void RequireFinite(bool is_finite, const std::string& key) {
  Require(is_finite, key, "finite numbers", "one that is not");
}

}  // namespace

void Simulation::SetPositions(const VecX& q) {
  State& state = parts_->motion.state;
  Require(q.size() == state.q.size(), "positions", fmt::format("{} numbers", state.q.size()), std::to_string(q.size()));
  RequireFinite(q.allFinite(), "positions");
  state.q = q;
  MotionWasSet();
  if (parts_->records_inputs) ChangeOfThisStep().q = q;
}

void Simulation::SetVelocities(const VecX& v) {
  State& state = parts_->motion.state;
  Require(v.size() == state.v.size(), "velocities", fmt::format("{} numbers", state.v.size()),
          std::to_string(v.size()));
  RequireFinite(v.allFinite(), "velocities");
  state.v = v;
  MotionWasSet();
  if (parts_->records_inputs) ChangeOfThisStep().v = v;
}

// What contacts carried is a first guess still; modes of events are not.
void Simulation::MotionWasSet() {
  auto& [state, kinematics] = parts_->motion;
  state.events = {.events = state.events.events};
  internal::ComputeKinematics(*parts_->model, state, &kinematics);
  CountEnergyAnew();
  parts_->stepper->Begin(parts_->motion);
}

void Simulation::SetEffort(int velocity, double effort) {
  State& state = parts_->motion.state;
  RequireNumber(velocity, static_cast<std::size_t>(state.v.size()), "efforts", "velocity");
  RequireFinite(std::isfinite(effort), "efforts");
  if (state.inputs.efforts.size() == 0) state.inputs.efforts.setZero(state.v.size());
  state.inputs.efforts[velocity] = effort;
  parts_->has_new_inputs = true;
}

void Simulation::SetWrench(int body, const Vec3& force, const Vec3& torque, const Vec3& point) {
  RequireNumber(body, parts_->model->bodies.size(), "wrenches", "body");
  RequireFinite(force.allFinite() && torque.allFinite() && point.allFinite(), "wrenches");
  std::vector<Inputs::Wrench>& wrenches = parts_->motion.state.inputs.wrenches;
  const auto found =
      std::find_if(wrenches.begin(), wrenches.end(), [&](const Inputs::Wrench& given) { return given.body == body; });
  Inputs::Wrench& wrench = found == wrenches.end() ? wrenches.emplace_back() : *found;
  wrench = {body, force, torque, point};
  parts_->has_new_inputs = true;
}

void Simulation::SetDrive(int drive, const Inputs::Drive& values) {
  RequireNumber(drive, parts_->model->drives.size(), "drives", "drive");
  std::vector<Inputs::Drive>& drives = parts_->motion.state.inputs.drives;
  drives.resize(parts_->model->drives.size());
  const Inputs::Drive before = drives[drive];
  drives[drive] = values;
  const std::vector<Fault> faults = internal::CheckInputs(parts_->motion.state.inputs, *parts_);
  if (!faults.empty()) {
    drives[drive] = before;
    throw InputError(faults);
  }
  parts_->has_new_inputs = true;
}

void Simulation::SetDriveTarget(int drive, double position, double velocity) {
  RequireNumber(drive, parts_->model->drives.size(), "drives", "drive");
  const std::vector<Inputs::Drive>& drives = parts_->motion.state.inputs.drives;
  Inputs::Drive values = drives.empty() ? Inputs::Drive() : drives[drive];
  values.position = position;
  values.velocity = velocity;
  SetDrive(drive, values);
}

void Simulation::SetParameter(const std::string& name, double value) {
  const std::vector<SceneParameter> none;
  const std::vector<SceneParameter>& parameters = parts_->scene ? parts_->scene->parameters : none;
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const SceneParameter& parameter) { return parameter.name == name; });
  if (found == parameters.end()) {
    std::string known;
    for (const SceneParameter& parameter : parameters) known += (known.empty() ? "" : ", ") + parameter.name;
    Require(false, "parameters", known.empty() ? "nothing: the scene has no parameters" : "one of " + known, name);
  }
  Inputs inputs = state().inputs;
  const int number = static_cast<int>(found - parameters.begin());
  const auto given = std::find_if(inputs.parameters.begin(), inputs.parameters.end(),
                                  [&](const Inputs::Parameter& one) { return one.number == number; });
  (given == inputs.parameters.end() ? inputs.parameters.emplace_back() : *given) = {number, value};
  SetInputs(inputs);
}

void Simulation::SetInputs(const Inputs& inputs) {
  const std::vector<Fault> faults = internal::CheckInputs(inputs, *parts_);
  if (!faults.empty()) throw InputError(faults);
  parts_->motion.state.inputs = inputs;
  parts_->has_new_inputs = true;
}

void Simulation::RecordInputs() {
  parts_->records_inputs = true;
  parts_->recorded.clear();
}

const InputLog& Simulation::recorded_inputs() const { return parts_->recorded; }

InputChange& Simulation::ChangeOfThisStep() {
  InputLog& log = parts_->recorded;
  if (log.empty() || log.back().step_count != state().step_count) log.push_back({.step_count = state().step_count});
  return log.back();
}

void Simulation::RecordInputsGiven() {
  if (!parts_->records_inputs) return;
  InputChange& change = ChangeOfThisStep();
  change.has_inputs = true;
  change.inputs = state().inputs;
}

void Simulation::ReplayInputs(InputLog log) {
  parts_->replayed = std::move(log);
  parts_->next_replayed = 0;
}

void Simulation::FeedReplayed() {
  const InputLog& log = parts_->replayed;
  std::size_t& next = parts_->next_replayed;
  while (next < log.size() && log[next].step_count < state().step_count) ++next;
  for (; next < log.size() && log[next].step_count == state().step_count; ++next) {
    const InputChange& change = log[next];
    if (change.q.size() > 0) SetPositions(change.q);
    if (change.v.size() > 0) SetVelocities(change.v);
    if (change.has_inputs) SetInputs(change.inputs);
  }
}

}  // namespace slipstick
