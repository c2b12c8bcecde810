#pragma once

#include <string>

#include "slipstick/document/document_node.h"
#include "slipstick/urdf/urdf_robot.h"

namespace slipstick::internal {

struct UrdfSceneSettings {
  enum class Base { kByMass, kFixed, kFloating };  // by mass: fixed where the root link has none
  Base base = Base::kByMass;
  Vec3 position = Vec3::Zero();  // of the root link
};

// The robot as the document of a scene, docs/scene-format.md, each value with the line of the link or joint in the
// robot's file that it comes from. Links that are fixed to each other become one body,
// named after the one nearest to the root; those of a fixed base belong to the world. Shapes of visuals are drawn and
// touch nothing; where a visual and a collision are the same, there is one shape. A mimicking joint becomes a coupling.
DocumentNode UrdfToDocument(const UrdfRobot& robot, const UrdfSceneSettings& settings = {});

// The same as the text of a scene file.
std::string UrdfToScene(const UrdfRobot& robot, const UrdfSceneSettings& settings = {});

}  // namespace slipstick::internal
