#pragma once

#include <string>

#include "slipstick/scene_file/scene_reader.h"

namespace slipstick::internal {

// What a scene is refused with; empty where it is read. The first line is there already.
inline std::string FaultsOf(const std::string& text) {
  try {
    ReadSceneText("format: slipstick-scene 1\n" + text, "test.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace slipstick::internal
