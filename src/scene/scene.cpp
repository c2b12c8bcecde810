#include "slipstick/scene/scene.h"

#include <tuple>

namespace slipstick {
namespace {

auto Content(const Scene& s) {
  return std::tie(s.name, s.title, s.description, s.source, s.gravity, s.default_material, s.materials, s.pairs,
                  s.world_shapes, s.bodies, s.no_contact, s.groups, s.joints, s.constraints, s.forces, s.drives,
                  s.measures, s.parameters, s.output, s.law, s.law_settings, s.solver, s.solver_settings, s.stepper,
                  s.stepper_settings, s.certificate_settings);
}

}  // namespace

bool Scene::operator==(const Scene& other) const { return Content(*this) == Content(other); }

std::vector<Fault> Scene::Locate(std::vector<Fault> faults) const {
  for (Fault& fault : faults) {
    if (!fault.file.empty() || fault.line > 0) continue;
    // the key itself, or what it stands in: a key that is missing belongs to the line of its map
    std::string key = fault.key;
    while (!key.empty()) {
      const auto found = lines.find(key);
      if (found != lines.end()) {
        if (found->second > 0) {
          fault.file = file;
          fault.line = found->second;
        } else {
          fault.key = "--set " + fault.key;
        }
        break;
      }
      const size_t dot = key.rfind('.');
      key = dot == std::string::npos ? "" : key.substr(0, dot);
    }
    if (key.empty()) fault.file = file;
  }
  return faults;
}

}  // namespace slipstick
