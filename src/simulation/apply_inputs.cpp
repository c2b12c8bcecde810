#include "slipstick/simulation/apply_inputs.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/model/compile_model.h"
#include "slipstick/scene/scene_number.h"

namespace slipstick::internal {
namespace {

void ApplyParameters(const std::vector<Inputs::Parameter>& given, SimulationParts* parts) {
  Scene scene = *parts->scene;
  for (const Inputs::Parameter& one : given) {
    const SceneParameter& parameter = scene.parameters[one.number];
    for (const std::string& key : parameter.keys) {
      if (SetSceneNumber(key, one.value, &scene)) continue;
      throw InputError(scene.Locate(
          {{"", 0, "parameters." + parameter.name,
            "a number of materials, joints, constraints, forces, drives or gravity", fmt::format("'{}'", key)}}));
    }
  }
  *parts->model = CompileModel(scene);
  parts->scene_drives.clear();
  parts->parameters = given;
}

double Chosen(double given, double of_scene) { return std::isnan(given) ? of_scene : given; }

}  // namespace

std::vector<Fault> CheckInputs(const Inputs& inputs, const SimulationParts& parts) {
  const Model& model = *parts.model;
  std::vector<Fault> faults;
  const auto fail = [&](const std::string& key, const std::string& expected, const std::string& found) {
    faults.push_back({"", 0, "inputs." + key, expected, found});
  };
  if (inputs.efforts.size() != 0 && inputs.efforts.size() != model.v_size()) {
    fail("efforts", fmt::format("none or {}, one for each velocity", model.v_size()),
         std::to_string(inputs.efforts.size()));
  }
  if (!inputs.efforts.allFinite()) fail("efforts", "finite numbers", "one that is not");
  for (std::size_t i = 0; i < inputs.wrenches.size(); ++i) {
    const Inputs::Wrench& wrench = inputs.wrenches[i];
    const std::string key = fmt::format("wrenches.{}", i);
    if (wrench.body < 0 || wrench.body >= static_cast<int>(model.bodies.size())) {
      fail(key + ".body", fmt::format("a number from 0 to {}", static_cast<int>(model.bodies.size()) - 1),
           std::to_string(wrench.body));
    }
    if (!wrench.force.allFinite() || !wrench.torque.allFinite() || !wrench.point.allFinite()) {
      fail(key, "finite numbers", "one that is not");
    }
  }
  const int parameters = parts.scene ? static_cast<int>(parts.scene->parameters.size()) : 0;
  for (const Inputs::Parameter& given : inputs.parameters) {
    if (given.number < 0 || given.number >= parameters) {
      fail("parameters", fmt::format("the number of one of {} parameters", parameters), std::to_string(given.number));
      continue;
    }
    const SceneParameter& parameter = parts.scene->parameters[given.number];
    if (!(given.value >= parameter.least && given.value <= parameter.most)) {
      fail("parameters." + parameter.name, fmt::format("a number from {:g} to {:g}", parameter.least, parameter.most),
           fmt::format("{:g}", given.value));
    }
  }
  if (!inputs.drives.empty() && inputs.drives.size() != model.drives.size()) {
    fail("drives", fmt::format("none or {}, one for each drive", model.drives.size()),
         std::to_string(inputs.drives.size()));
    return faults;
  }
  for (std::size_t i = 0; i < inputs.drives.size(); ++i) {
    const Inputs::Drive& drive = inputs.drives[i];
    const std::string key = "drives." + model.drives[i].name;
    const auto check = [&](const char* name, double value, bool may_be_negative, bool may_be_infinite) {
      if (std::isnan(value)) return;  // as in the scene
      if (std::isinf(value) && !(may_be_infinite && value > 0)) fail(key + "." + name, "a finite number", "inf");
      if (!may_be_negative && value < 0) fail(key + "." + name, "a number ≥ 0", fmt::format("{:g}", value));
    };
    check("position", drive.position, true, false);
    check("velocity", drive.velocity, true, false);
    check("stiffness", drive.stiffness, false, false);
    check("damping", drive.damping, false, false);
    check("effort", drive.effort, false, true);
  }
  return faults;
}

void ApplyInputs(SimulationParts* parts) {
  const Inputs& inputs = parts->motion.state.inputs;
  Model& model = *parts->model;
  if (inputs.parameters != parts->parameters) {
    ApplyParameters(inputs.parameters, parts);
    // what bodies weigh may have changed
    ComputeKinematics(model, parts->motion.state, &parts->motion.kinematics);
  }
  model.given_efforts = inputs.efforts;
  model.given_wrenches = inputs.wrenches;
  if (parts->scene_drives.empty()) parts->scene_drives = model.drives;
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const Inputs::Drive given = inputs.drives.empty() ? Inputs::Drive() : inputs.drives[i];
    const JointDrive& scene = parts->scene_drives[i];
    JointDrive& drive = model.drives[i];
    drive.given_position = given.position;
    drive.given_velocity = given.velocity;
    drive.stiffness = Chosen(given.stiffness, scene.stiffness);
    drive.damping = Chosen(given.damping, scene.damping);
    drive.most_effort = Chosen(given.effort, scene.most_effort);
  }
  parts->has_new_inputs = false;
}

}  // namespace slipstick::internal
