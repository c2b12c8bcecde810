#include "slipstick/benchmark/benchmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "slipstick/base/fault.h"
#include "slipstick/scene_file/scene_library.h"

namespace slipstick::internal {
namespace {

BenchmarkMethod ByLaw(const std::string& law) { return {law, {{"law.name", law}}}; }

// Sweeps that stop at a speed, for whoever wants many steps rather than exact ones. The certificate's limit goes with
// it.
BenchmarkMethod ByRoughSweeps() {
  return {"coulomb, sweeps to 1e-3 m/s",
          {{"law.name", "coulomb"},
           {"solver.name", "contact-sweep"},
           {"solver.speed_tolerance", "1e-3"},
           {"certificate.law", "0.03"}}};
}

std::vector<BenchmarkMethod> AllLaws() {
  std::vector<BenchmarkMethod> methods;
  for (const char* law : {"cone", "coulomb", "max-dissipation", "box", "polygonal", "bristle", "liang", "regularized"})
    methods.push_back(ByLaw(law));
  return methods;
}

const std::vector<Override> kSettle = {{"law.name", "cone"},
                                       {"solver.name", "contact-sweep"},
                                       {"solver.speed_tolerance", "1e-4"},
                                       {"certificate.law", "0.03"}};
const BenchmarkMethod kAsGiven = {"as the scene says", {}};

Benchmark SettledHeap(const std::string& name, const std::string& title, const std::string& scene,
                      std::vector<Override> overrides) {
  return {.name = name,
          .title = title,
          .scene = scene,
          .overrides = std::move(overrides),
          .methods = AllLaws(),
          .peers = {},
          .duration = 0.2,
          .settled_steps = 20,
          .settle_by = kSettle,
          .settle_duration = 3};
}

Benchmark Chain(const std::string& name, const std::string& title, const std::string& friction) {
  return {.name = name,
          .title = title,
          .scene = "chain",
          .overrides = {{"repeat.links.count", "49"}, {"repeat.links.joints.0.friction", friction}},
          .methods = {ByLaw("coulomb")},
          .peers = {"mujoco"},
          .duration = 1,
          .settled_steps = 1000};
}

std::vector<Benchmark> MakeCatalog() {
  std::vector<BenchmarkMethod> fall = AllLaws();
  fall.push_back(ByRoughSweeps());
  return {
      {.name = "heap",
       .title = "225 boxes fall into a bin and come to rest",
       .scene = "heap",
       .overrides = {},
       .methods = fall,
       .peers = {"bullet", "ode", "mujoco"},
       .duration = 3},
      SettledHeap("heap-100-settled", "100 boxes, from one state at rest", "heap", {{"groups.b.lattice.count", "100"}}),
      SettledHeap("heap-settled", "225 boxes, from one state at rest", "heap", {}),
      SettledHeap("heap-1000-settled", "1,000 boxes, from one state at rest", "heap-1000", {}),
      {.name = "pile",
       .title = "27 bodies of four shapes fall into a bin",
       .scene = "pile",
       .overrides = {},
       .methods = {ByLaw("coulomb"), ByLaw("cone")},
       .peers = {"bullet", "ode", "mujoco"},
       .duration = 1},
      {.name = "stack",
       .title = "ten turned boxes on each other, at rest",
       .scene = "stack",
       .overrides = {},
       .methods = {ByLaw("coulomb"), ByLaw("cone")},
       .peers = {"bullet", "ode", "mujoco"},
       .duration = 1},
      {.name = "mass-ratio",
       .title = "five boxes of 1 to 10⁸ kg on each other",
       .scene = "mass-ratio",
       .overrides = {},
       .methods = {ByLaw("coulomb"), ByLaw("cone"), ByLaw("liang")},
       .peers = {"bullet", "ode", "mujoco"},
       .duration = 1},
      {.name = "stones",
       .title = "200 polyhedra are poured",
       .scene = "stones",
       .overrides = {},
       .methods = {kAsGiven, {"in steps of 2 ms", {{"stepper.step", "0.002"}}}},
       .peers = {},
       .duration = 1.5},
      {.name = "quadruped",
       .title = "four legs, twelve servos, four contacts",
       .scene = "quadruped",
       .overrides = {},
       .methods = {ByLaw("coulomb"), ByLaw("cone")},
       .peers = {"mujoco"},
       .duration = 2,
       .settled_steps = 500},
      {.name = "arm",
       .title = "arm of eight joints with dry friction",
       .scene = "arm",
       .overrides = {},
       .methods = {ByLaw("coulomb")},
       .peers = {"mujoco"},
       .duration = 2,
       .settled_steps = 1000},
      Chain("chain", "chain of 50 hinges, no friction", "0"),
      Chain("chain-friction", "chain of 50 hinges with dry friction", "1e-3"),
      {.name = "chain-on-ground",
       .title = "chain of 15 links slides over the ground",
       .scene = "chain-on-ground",
       .overrides = {},
       .methods = {ByLaw("coulomb"), ByLaw("cone")},
       .peers = {"mujoco"},
       .duration = 1,
       .settled_steps = 500},
      {.name = "drum",
       .title = "2,000 spheres in a drum that a motor turns",
       .scene = "drum",
       .overrides = {},
       .methods = {kAsGiven},
       .peers = {},
       .duration = 1.1},
      {.name = "grains",
       .title = "1,001 spheres fall into a box",
       .scene = "grains",
       .overrides = {},
       .methods = {kAsGiven},
       .peers = {"bullet", "ode"},
       .duration = 2},
      {.name = "gravel",
       .title = "gravel-small: spheres with rolling friction are poured",
       .scene = "gravel-small",
       .overrides = {},
       .methods = {kAsGiven},
       .peers = {},
       .duration = 3},
  };
}

// Scenes that are there for this alone stand in a folder of their own, which `list` does not show.
std::filesystem::path FindBenchmarkScene(const std::string& name) {
  std::error_code ignored;
  for (const std::filesystem::path& folder : SceneFolders()) {
    const std::filesystem::path file = folder / "bench" / (name + ".yaml");
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return FindScene(name);
}

}  // namespace

const std::vector<Benchmark>& BenchmarkCatalog() {
  static const std::vector<Benchmark> catalog = MakeCatalog();
  return catalog;
}

std::vector<Benchmark> ChooseBenchmarks(const std::vector<std::string>& names) {
  if (names.empty()) return BenchmarkCatalog();
  std::vector<std::string> known;
  for (const Benchmark& benchmark : BenchmarkCatalog()) known.push_back(benchmark.name);
  std::vector<Benchmark> chosen;
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::find(known.begin(), known.end(), names[i]);
    if (at == known.end()) {
      faults.push_back(
          {"", 0, "NAME", fmt::format("one of {}", fmt::join(known, ", ")), fmt::format("'{}'", names[i])});
    } else if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
               names.begin() + static_cast<std::ptrdiff_t>(i)) {
      faults.push_back({"", 0, "NAME", "each benchmark once", fmt::format("'{}' again", names[i])});
    } else {
      chosen.push_back(BenchmarkCatalog()[at - known.begin()]);
    }
  }
  if (!faults.empty()) throw InputError(faults);
  return chosen;
}

Scene SceneOf(const Benchmark& benchmark, const std::vector<Override>& overrides) {
  std::vector<Override> all = benchmark.overrides;
  all.insert(all.end(), overrides.begin(), overrides.end());
  return ReadScene(FindBenchmarkScene(benchmark.scene), all);
}

}  // namespace slipstick::internal
