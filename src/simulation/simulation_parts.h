#pragma once

#include <functional>
#include <optional>

#include "slipstick/simulation/simulation.h"
#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {

// What a simulation is made of: model, method, stepper, state.
struct SimulationParts {
  std::shared_ptr<Model> model;  // the stepper's; written between steps alone, where inputs are given
  Method method;
  CertificateTolerances tolerances;
  std::string stepper_name;
  std::unique_ptr<Stepper> stepper;

  Motion motion = {};
  StepRecord record = {};
  std::function<void(Simulation&)> before_step = {};
  std::vector<JointDrive> scene_drives = {};       // as compiled, before any input
  std::optional<Scene> scene = {};                 // where it has parameters
  std::vector<Inputs::Parameter> parameters = {};  // that the model was compiled with
  bool has_new_inputs = false;                     // since the model has them
  bool records_inputs = false;
  InputLog recorded = {}, replayed = {};
  std::size_t next_replayed = 0;
};

// The state that a model starts with.
Motion StartOf(const Model& model);

// A scene by all rules that the command line has: settings, law, stepper, lengths. InputError with every fault.
std::unique_ptr<SimulationParts> Prepare(const Scene& scene);

}  // namespace slipstick::internal
