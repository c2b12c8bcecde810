#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "slipstick/contact/certificate.h"
#include "slipstick/experiment/experiment.h"
#include "slipstick/run/version.h"
#include "slipstick/scene/material_properties.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/simulation/simulation_parts.h"
#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper_catalog.h"
#include "text_table.h"

namespace slipstick::internal {
namespace {

using Json = nlohmann::ordered_json;

Json SettingsJson(const std::vector<SettingSpec>& specs) {
  Json json = Json::object();
  for (const SettingSpec& spec : specs) {
    Json& entry = json[spec.name];
    std::visit([&](const auto& value) { entry["default"] = value; }, spec.default_value);
    if (!spec.unit.empty()) entry["unit"] = spec.unit;
    entry["meaning"] = spec.meaning;
    if (!spec.choices.empty()) entry["choices"] = spec.choices;
  }
  return json;
}

Json MaterialPropertiesJson() {
  Json json = Json::object();
  for (const MaterialProperty& property : MaterialProperties()) {
    Json& entry = json[property.name];
    if (property.instead != nullptr)
      entry["default"] = MaterialPropertyOf(property.instead).name;
    else if (std::isinf(property.otherwise))
      entry["default"] = ".inf";  // as scene files have it; JSON has no word for it
    else
      entry["default"] = property.otherwise;
    if (!property.unit.empty()) entry["unit"] = property.unit;
    entry["meaning"] = property.description;
    const std::string combination = CombinationWords(property.combination);
    if (!combination.empty()) entry["combination"] = combination;
  }
  return json;
}

bool Takes(const SolverEntry& solver, const LawEntry& law) {
  for (ProgramKind kind : solver.programs) {
    if (kind == law.program) return true;
  }
  return false;
}

std::vector<std::string> SolversOf(const LawEntry& law) {
  std::vector<std::string> names;
  for (const SolverEntry& solver : SolverCatalog()) {
    if (Takes(solver, law)) names.push_back(solver.name);
  }
  return names;
}

Json AllAsJson() {
  Json json;
  json["format"] = "slipstick-list 1";
  json["version"] = kVersion;
  json["scenes"] = Json::array();
  for (const SceneEntry& scene : ListScenes()) {
    json["scenes"].push_back({{"name", scene.name}, {"title", scene.title}, {"file", scene.file.string()}});
  }
  json["laws"] = Json::array();
  for (const LawEntry& law : LawCatalog()) {
    json["laws"].push_back({{"name", law.name},
                            {"summary", law.summary},
                            {"solvers", SolversOf(law)},
                            {"settings", SettingsJson(law.settings)}});
  }
  json["solvers"] = Json::array();
  for (const SolverEntry& solver : SolverCatalog()) {
    json["solvers"].push_back(
        {{"name", solver.name}, {"summary", solver.summary}, {"settings", SettingsJson(solver.settings)}});
  }
  json["steppers"] = Json::array();
  for (const StepperEntry& stepper : StepperCatalog()) {
    json["steppers"].push_back(
        {{"name", stepper.name}, {"summary", stepper.summary}, {"settings", SettingsJson(stepper.settings)}});
  }
  json["certificate"] = {{"settings", SettingsJson(CertificateTolerances::Specs())}};
  json["material_properties"] = MaterialPropertiesJson();
  json["experiments"] = Json::array();
  for (const ExperimentEntry& entry : ExperimentCatalog()) {
    json["experiments"].push_back({{"name", entry.name}, {"summary", entry.summary}});
  }
  return json;
}

}  // namespace

int List(const ListArguments& arguments) {
  if (arguments.json) {
    std::cout << AllAsJson().dump(2) << "\n";
    return kExitPassed;
  }
  using Rows = std::vector<std::vector<std::string>>;
  const auto table = [](const char* what, const char* remark, const Rows& rows) {
    return FormatTable({what, remark}, rows);  // long titles are cut; --json has them whole
  };
  Rows scenes, laws, solvers, steppers, experiments;
  for (const SceneEntry& scene : ListScenes()) scenes.push_back({scene.name, scene.title});
  for (const LawEntry& law : LawCatalog()) laws.push_back({law.name, law.summary});
  for (const SolverEntry& solver : SolverCatalog()) solvers.push_back({solver.name, solver.summary});
  for (const StepperEntry& stepper : StepperCatalog()) steppers.push_back({stepper.name, stepper.summary});
  for (const ExperimentEntry& entry : ExperimentCatalog()) experiments.push_back({entry.name, entry.summary});
  std::cout << table("scene", "", scenes) << "\n"
            << table("law", "", laws) << "\n"
            << table("solver", "", solvers) << "\n"
            << table("stepper", "", steppers) << "\n"
            << table("experiment", "(slipstick reproduce)", experiments);
  std::cout << "\nEvery setting with its default and unit: slipstick list --json\n";
  return kExitPassed;
}

}  // namespace slipstick::internal
