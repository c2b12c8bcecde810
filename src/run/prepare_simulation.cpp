#include "slipstick/run/prepare_simulation.h"

#include <fmt/format.h>

#include "slipstick/model/compile_model.h"

namespace slipstick {

Simulation PrepareSimulation(const Scene& scene) {
  std::vector<Fault> faults;
  Method method = MakeMethod(scene.law, scene.law_settings, scene.solver, scene.solver_settings, &faults);
  if (scene.stepper != "time-stepping") {
    faults.push_back({"", 0, "stepper.name", "time-stepping", fmt::format("'{}'", scene.stepper)});
  }
  const Settings stepper = Settings::Read(TimeSteppingSettings::Specs(), scene.stepper_settings, "stepper", &faults);
  const Settings certificate =
      Settings::Read(CertificateTolerances::Specs(), scene.certificate_settings, "certificate", &faults);

  std::shared_ptr<const Model> model;
  try {
    model = std::make_shared<const Model>(CompileModel(scene));
    for (const auto& [a, b] : UnsupportedPairs(*model)) {
      faults.push_back({"", 0, "bodies", "shapes whose contact is known here",
                        fmt::format("'{}' against '{}'; mark one with collides: false", a, b)});
    }
  } catch (const InputError& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
  }
  if (!faults.empty()) throw InputError(scene.Locate(faults));
  return Simulation(model, std::move(method), TimeSteppingSettings::From(stepper),
                    CertificateTolerances::From(certificate));
}

}  // namespace slipstick
