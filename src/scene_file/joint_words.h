#pragma once

#include <optional>
#include <string>

#include "slipstick/base/joint.h"

namespace slipstick::internal {

// The joint type that a scene file calls `word`.
inline std::optional<JointType> JointTypeOf(const std::string& word) {
  if (word == "free") return JointType::kFree;
  if (word == "fixed") return JointType::kFixed;
  if (word == "revolute") return JointType::kRevolute;
  if (word == "prismatic") return JointType::kPrismatic;
  if (word == "spherical") return JointType::kSpherical;
  if (word == "universal") return JointType::kUniversal;
  if (word == "cylindrical") return JointType::kCylindrical;
  if (word == "planar") return JointType::kPlanar;
  return std::nullopt;
}

}  // namespace slipstick::internal
