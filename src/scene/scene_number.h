#pragma once

#include <string>

#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Gives a number of the scene, named as in a scene file (materials.wood.friction, forces.push.force.0, gravity.2,
// joints.hinge.friction, drives.servo.stiffness), another value. False where there is none by that name that a
// simulation could go on with: numbers that coordinates, shapes, masses or releases follow from are not among them.
bool SetSceneNumber(const std::string& key, double value, Scene* scene);

}  // namespace slipstick::internal
