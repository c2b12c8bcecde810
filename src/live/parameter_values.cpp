#include "slipstick/live/parameter_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/run/record_run.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {
namespace {

bool AreSame(const RecordingHeader::Shape& a, const RecordingHeader::Shape& b) {
  return a.body == b.body && a.type == b.type && a.sizes == b.sizes && a.faces == b.faces &&
         a.pose.position == b.pose.position && a.pose.rotation.coeffs() == b.pose.rotation.coeffs();
}

bool AreSame(const RecordingHeader::Inertia& a, const RecordingHeader::Inertia& b) {
  return a.mass == b.mass && a.center == b.center && a.about_center == b.about_center;
}

template <typename T>
bool AreSame(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return AreSame(x, y); });
}

bool AreSame(const RecordingHeader& a, const RecordingHeader& b) {
  return a.step == b.step && a.body_names == b.body_names && a.body_releases == b.body_releases &&
         a.coordinate_names == b.coordinate_names && a.velocity_names == b.velocity_names &&
         AreSame(a.body_inertias, b.body_inertias) && AreSame(a.shapes, b.shapes);
}

std::string InOneLine(const InputError& error) {
  const Fault& fault = error.faults().front();
  return fmt::format("{}: expected {}, found {}", fault.key, fault.expected, fault.found);
}

}  // namespace

ParameterValues::ParameterValues(const Scene& scene, std::vector<Override> overrides, const Simulation& simulation)
    : text_(scene.effective_text),
      file_(scene.file),
      overrides_(std::move(overrides)),
      parameters_(scene.parameters),
      header_(MakeRecordingHeader(scene, simulation)) {
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    for (const bool is_most : {false, true}) {
      std::vector<SceneParameter> tried = parameters_;
      tried[i].value = is_most ? tried[i].most : tried[i].least;
      try {
        Prepare(tried);
      } catch (const InputError& error) {
        faults.push_back({"", 0, fmt::format("parameters.{}.{}", tried[i].name, is_most ? "most" : "least"),
                          "a value that the scene can go on with",
                          fmt::format("{:g} ({})", tried[i].value, InOneLine(error))});
      }
    }
  }
  if (!faults.empty()) throw InputError(scene.Locate(faults));
}

Simulation ParameterValues::Prepare(const std::vector<SceneParameter>& parameters) const {
  std::vector<Override> overrides = overrides_;
  for (const SceneParameter& parameter : parameters) {
    for (const std::string& key : parameter.keys) overrides.push_back({key, fmt::format("{:.17g}", parameter.value)});
  }
  const Scene scene = ReadSceneText(text_, file_, overrides);
  Simulation simulation = Simulation(scene);
  if (!AreSame(header_, MakeRecordingHeader(scene, simulation))) {
    throw InputError({{file_, 0, "parameters", "numbers that can change while a scene runs",
                       "one that changes shapes, masses, releases, the number of bodies or the step"}});
  }
  return simulation;
}

std::vector<ParameterChange> ParameterValues::Apply(const std::map<std::string, double>& values,
                                                    Simulation* simulation) {
  std::vector<SceneParameter> next = parameters_;
  std::vector<ParameterChange> changes;
  for (SceneParameter& parameter : next) {
    const auto wanted = values.find(parameter.name);
    if (wanted == values.end()) continue;
    const double value = std::clamp(wanted->second, parameter.least, parameter.most);
    if (value == parameter.value) continue;
    changes.push_back({simulation->state().time, parameter.name, parameter.unit, parameter.value, value});
    parameter.value = value;
  }
  if (changes.empty()) return changes;
  Simulation other = Prepare(next);
  other.TakeOver(simulation->state());
  *simulation = std::move(other);
  parameters_ = std::move(next);
  return changes;
}

}  // namespace slipstick::internal
