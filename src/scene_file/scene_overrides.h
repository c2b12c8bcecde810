#pragma once

#include <string>

namespace slipstick {

// --set key=value: the key path of a value in the scene file, and its new value as YAML.
struct Override {
  std::string key;
  std::string value;
};

}  // namespace slipstick
