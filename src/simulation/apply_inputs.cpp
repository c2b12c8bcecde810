#include "slipstick/simulation/apply_inputs.h"

#include <fmt/format.h>

#include <cmath>

namespace slipstick::internal {
namespace {

double Chosen(double given, double of_scene) { return std::isnan(given) ? of_scene : given; }

}  // namespace

std::vector<Fault> CheckInputs(const Inputs& inputs, const Model& model) {
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
