#include "slipstick/stepping/stepper_catalog.h"

#include <fmt/format.h>

#include "slipstick/model/dynamics.h"
#include "slipstick/model/springs.h"
#include "slipstick/stepping/event_driven_stepper.h"
#include "slipstick/stepping/time_stepper.h"

namespace slipstick::internal {
namespace {

// Springs between two trees ask for steps that are short enough for them.
void RequireShortSteps(const Model& model, const std::string& /*law*/, const Settings& settings,
                       std::vector<Fault>* faults) {
  if (model.springs.empty()) return;
  const double step = settings.Number("step");
  Kinematics kinematics;
  ComputeKinematics(model, model.initial_state, &kinematics);
  DynamicsWorkspace work;
  BlockDiagonal mass;
  ComputeMassMatrix(model, kinematics, &work, &mass);
  if (!mass.Factorize()) return;  // told by the first step
  const SpringLimit limit = FindSpringLimit(model, kinematics, mass);
  if (limit.spring < 0 || step <= limit.longest_step) return;
  faults->push_back({"", 0, "stepper.step",
                     fmt::format("at most {:.3g} s: spring '{}' connects separate mechanisms and is integrated "
                                 "explicitly",
                                 limit.longest_step, model.springs[limit.spring].name),
                     fmt::format("{:g} s", step)});
}

}  // namespace

const std::vector<StepperEntry>& StepperCatalog() {
  static const std::vector<StepperEntry> catalog = {
      {"time-stepping", "midpoint steps of second order, or semi-implicit ones", TimeSteppingSettings::Specs(),
       RequireShortSteps,
       [](std::shared_ptr<const Model> model, const Method& method, const Settings& settings,
          const CertificateTolerances& tolerances) -> std::unique_ptr<Stepper> {
         return std::make_unique<TimeStepper>(std::move(model), method, TimeSteppingSettings::From(settings),
                                              tolerances);
       }},
      {"event-driven", "integrator with error control, from event to event", EventDrivenSettings::Specs(),
       [](const Model& model, const std::string& law, const Settings& /*settings*/, std::vector<Fault>* faults) {
         RequireEventsFor(model, law, faults);
       },
       [](std::shared_ptr<const Model> model, const Method& method, const Settings& settings,
          const CertificateTolerances& tolerances) -> std::unique_ptr<Stepper> {
         return std::make_unique<EventDrivenStepper>(std::move(model), method, EventDrivenSettings::From(settings),
                                                     tolerances);
       }}};
  return catalog;
}

}  // namespace slipstick::internal
