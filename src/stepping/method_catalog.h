#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/base/settings.h"
#include "slipstick/events/contact_modes.h"
#include "slipstick/law/law.h"
#include "slipstick/model/model.h"

namespace slipstick::internal {

// What a program is to a solver.
enum class ProgramKind { kMlcp, kCone, kDissipation };

struct LawEntry {
  std::string name;
  std::string summary;
  ProgramKind program;
  bool has_moments;     // rolling and spinning friction
  bool has_compliance;  // contacts that give way along their normals
  std::vector<SettingSpec> settings;
  std::function<std::unique_ptr<Law>(const Settings& settings)> make;
  // Friction of what slides, for stepper event-driven; null for a law that says how steps are taken and not what forces
  // are: then there is no motion between events.
  std::function<SlidingFriction(const Settings& settings)> sliding;
};

struct SolverEntry {
  std::string name;
  std::string summary;
  std::vector<ProgramKind> programs;
  std::vector<SettingSpec> settings;
  std::function<ProgramSolver(const Settings& settings)> make;
};

// Every law and every solver, in the order in which `slipstick list` shows them. A pair exists where the solver takes
// the law's kind of program.
const std::vector<LawEntry>& LawCatalog();
const std::vector<SolverEntry>& SolverCatalog();

// What a law must have, besides contact and sliding friction, for a model. Faults name the law and those that do.
void RequireLawFor(const Model& model, const std::string& law, std::vector<Fault>* faults);

// A law with a solver and their settings: the method of a run.
struct Method {
  std::string law_name, solver_name;
  std::shared_ptr<const Law> law;
  ProgramSolver solver;
  std::optional<SlidingFriction> sliding;
};

// The same for stepper event-driven: what it has no equations for.
void RequireEventsFor(const Model& model, const std::string& law, std::vector<Fault>* faults);

// Names, settings and the pair are checked; faults have keys such as law.vth. With faults the method is empty.
Method MakeMethod(const std::string& law, const GivenSettings& law_settings, const std::string& solver,
                  const GivenSettings& solver_settings, std::vector<Fault>* faults);

}  // namespace slipstick::internal
