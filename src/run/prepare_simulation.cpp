#include "slipstick/run/prepare_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "slipstick/model/compile_model.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/springs.h"
#include "slipstick/run/sampling.h"

namespace slipstick::internal {
namespace {

// Beyond these a run is a slip of the pen: it would take weeks, or more memory for its samples than there is.
constexpr double kMostSteps = 1e10;
constexpr double kMostSamples = 1e7;

void CheckLength(const Settings& checked, const Scene& scene, std::vector<Fault>* faults) {
  struct {
    double step, duration;
  } settings{checked.Number("step"), checked.Number("duration")};
  const double steps = settings.duration / settings.step, every = SampleInterval(scene, settings.step);
  if (steps > 0 && steps < 0.5) {
    faults->push_back({"", 0, "stepper.duration", fmt::format("0 or at least a step, which is {:g} s", settings.step),
                       fmt::format("{:g} s", settings.duration)});
  }
  if (!(steps <= kMostSteps)) {
    faults->push_back(
        {"", 0, "stepper.duration",
         fmt::format("at most {:g} steps, so {:g} s at this step", kMostSteps, kMostSteps * settings.step),
         fmt::format("{:g} s in steps of {:g} s", settings.duration, settings.step)});
  } else if (settings.duration / std::max(settings.step, every) > kMostSamples) {
    faults->push_back({"", 0, "output.every",
                       fmt::format("at most {:g} samples, so at least {:g} s between them", kMostSamples,
                                   settings.duration / kMostSamples),
                       fmt::format("{:g} s", every)});
  }
}

// Springs between two trees ask for steps that are short enough for them.
void CheckSprings(const Model& model, double step, std::vector<Fault>* faults) {
  if (model.springs.empty()) return;
  Kinematics kinematics;
  ComputeKinematics(model, model.initial_state, &kinematics);
  DynamicsWorkspace work;
  BlockDiagonal mass;
  ComputeMassMatrix(model, kinematics, &work, &mass);
  if (!mass.Factorize()) return;  // told by the first step
  const SpringLimit limit = FindSpringLimit(model, kinematics, mass);
  if (limit.spring < 0 || step <= limit.longest_step) return;
  faults->push_back({"", 0, "stepper.step",
                     fmt::format("at most {:.3g} s, as the spring '{}' joins bodies that no joint does",
                                 limit.longest_step, model.springs[limit.spring].name),
                     fmt::format("{:g} s", step)});
}

}  // namespace

Simulation PrepareSimulation(const Scene& scene) {
  std::vector<Fault> faults;
  Method method = MakeMethod(scene.law, scene.law_settings, scene.solver, scene.solver_settings, &faults);
  const bool has_events = scene.stepper == "event-driven";
  const StepperEntry* stepper_entry = nullptr;
  std::vector<std::string> steppers;
  for (const StepperEntry& entry : StepperCatalog()) {
    if (entry.name == scene.stepper) stepper_entry = &entry;
    steppers.push_back(entry.name);
  }
  Settings stepper;
  if (stepper_entry != nullptr) {
    stepper = Settings::Read(stepper_entry->settings, scene.stepper_settings, "stepper", &faults);
  } else {
    faults.push_back({"", 0, "stepper.name", fmt::format("one of {}", fmt::join(steppers, ", ")),
                      fmt::format("'{}'", scene.stepper)});
  }
  const Settings certificate =
      Settings::Read(CertificateTolerances::Specs(), scene.certificate_settings, "certificate", &faults);
  if (faults.empty()) CheckLength(stepper, scene, &faults);

  std::shared_ptr<const Model> model;
  try {
    model = std::make_shared<const Model>(CompileModel(scene));
    RequireLawFor(*model, scene.law, &faults);
    if (has_events) RequireEventsFor(*model, scene.law, &faults);
    if (!has_events && faults.empty()) CheckSprings(*model, stepper.Number("step"), &faults);
  } catch (const InputError& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
  }
  if (!faults.empty()) throw InputError(scene.Locate(faults));
  const CertificateTolerances tolerances = CertificateTolerances::From(certificate);
  if (has_events) return Simulation(model, std::move(method), EventDrivenSettings::From(stepper), tolerances);
  return Simulation(model, std::move(method), TimeSteppingSettings::From(stepper), tolerances);
}

}  // namespace slipstick::internal
