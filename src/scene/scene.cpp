#include "slipstick/scene/scene.h"

namespace slipstick {

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
