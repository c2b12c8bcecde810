#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "slipstick/model/compile_model.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/scene/sample_interval.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/stepper_catalog.h"

namespace slipstick::internal {
namespace {

// Beyond these a run is a slip of the pen: it would take weeks, or more memory for its samples than there is.
constexpr double kMostSteps = 1e10;
constexpr double kMostSamples = 1e7;

void CheckLength(const Settings& settings, const Scene& scene, std::vector<Fault>* faults) {
  const double step = settings.Number("step"), duration = settings.Number("duration");
  const double steps = duration / step, every = SampleInterval(scene, step);
  if (steps > 0 && steps < 0.5) {
    faults->push_back({"", 0, "stepper.duration", fmt::format("0 or at least a step, which is {:g} s", step),
                       fmt::format("{:g} s", duration)});
  }
  if (!(steps <= kMostSteps)) {
    faults->push_back({"", 0, "stepper.duration",
                       fmt::format("at most {:g} steps, so {:g} s at this step", kMostSteps, kMostSteps * step),
                       fmt::format("{:g} s in steps of {:g} s", duration, step)});
  } else if (duration / std::max(step, every) > kMostSamples) {
    faults->push_back(
        {"", 0, "output.every",
         fmt::format("at most {:g} samples, so at least {:g} s between them", kMostSamples, duration / kMostSamples),
         fmt::format("{:g} s", every)});
  }
}

const StepperEntry* FindStepper(const std::string& name, std::vector<Fault>* faults) {
  std::vector<std::string> names;
  for (const StepperEntry& entry : StepperCatalog()) {
    if (entry.name == name) return &entry;
    names.push_back(entry.name);
  }
  faults->push_back(
      {"", 0, "stepper.name", fmt::format("one of {}", fmt::join(names, ", ")), fmt::format("'{}'", name)});
  return nullptr;
}

}  // namespace

Motion StartOf(const Model& model) {
  Motion motion;
  static_cast<MotionState&>(motion.state) = model.initial_state;
  motion.state.start_time = motion.state.time;
  motion.state.drive_modes.assign(model.drives.size(), DriveMode::kWithin);
  ComputeKinematics(model, motion.state, &motion.kinematics);
  motion.state.energy.Start(KineticEnergy(model, motion.kinematics), PotentialEnergy(model, motion.kinematics),
                            FallBySize(model));
  return motion;
}

std::unique_ptr<SimulationParts> Prepare(const Scene& scene) {
  std::vector<Fault> faults;
  auto parts = std::make_unique<SimulationParts>();
  parts->method = MakeMethod(scene.law, scene.law_settings, scene.solver, scene.solver_settings, &faults);
  const StepperEntry* entry = FindStepper(scene.stepper, &faults);
  Settings stepper;
  if (entry != nullptr) stepper = Settings::Read(entry->settings, scene.stepper_settings, "stepper", &faults);
  const Settings certificate =
      Settings::Read(CertificateTolerances::Specs(), scene.certificate_settings, "certificate", &faults);
  if (faults.empty()) CheckLength(stepper, scene, &faults);
  try {
    parts->model = std::make_shared<Model>(CompileModel(scene));
    RequireLawFor(*parts->model, scene.law, &faults);
    if (entry != nullptr && faults.empty()) entry->require(*parts->model, scene.law, stepper, &faults);
  } catch (const InputError& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
  }
  if (!faults.empty()) throw InputError(scene.Locate(faults));
  parts->tolerances = CertificateTolerances::From(certificate);
  parts->stepper_name = entry->name;
  parts->stepper = entry->make(parts->model, parts->method, stepper, parts->tolerances);
  if (!scene.parameters.empty()) parts->scene = scene;
  return parts;
}

}  // namespace slipstick::internal
