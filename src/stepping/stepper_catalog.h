#pragma once

#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper.h"

namespace slipstick::internal {

struct StepperEntry {
  std::string name;
  std::string summary;
  std::vector<SettingSpec> settings;
  // What it cannot do of a model with a law, or not with these settings.
  void (*require)(const Model& model, const std::string& law, const Settings& settings, std::vector<Fault>* faults);
  std::unique_ptr<Stepper> (*make)(std::shared_ptr<const Model> model, const Method& method, const Settings& settings,
                                   const CertificateTolerances& tolerances);
};
// Every stepper, in the order in which `slipstick list` shows them.
const std::vector<StepperEntry>& StepperCatalog();

}  // namespace slipstick::internal
