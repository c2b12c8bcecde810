#pragma once

#include <vector>

#include "slipstick/base/fault.h"
#include "slipstick/urdf/urdf_robot.h"

namespace slipstick::internal {

// What follows from links and joints as they stand in the file: the root, the order from it on, bodies of links that
// are fixed to each other, which joint each mimic follows in the end, positions at the start. What cannot be becomes a
// fault.
void CompleteRobot(UrdfRobot* robot, std::vector<Fault>* faults);

}  // namespace slipstick::internal
