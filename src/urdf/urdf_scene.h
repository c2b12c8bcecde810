#pragma once

#include <string>

#include "slipstick/urdf/urdf_robot.h"

namespace slipstick::internal {

struct UrdfSceneSettings {
  enum class Base { kByMass, kFixed, kFloating };  // by mass: fixed where the root link has none
  Base base = Base::kByMass;
  Vec3 position = Vec3::Zero();  // of the root link
};

// The robot as the text of a scene file, docs/scene-format.md. Links that are fixed to each other become one body,
// named after the one nearest to the root; those of a fixed base belong to the world. Shapes of visuals are drawn and
// touch nothing; where a visual and a collision are the same, there is one shape. A mimicking joint becomes a coupling.
std::string UrdfToScene(const UrdfRobot& robot, const UrdfSceneSettings& settings = {});

}  // namespace slipstick::internal
