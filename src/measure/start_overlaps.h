#pragma once

#include <string>
#include <vector>

#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Two shapes that lie deeper in each other than a certificate allows, each as BODY.SHAPE.
struct StartOverlap {
  std::string first, second;
  double depth = 0;  // [m]
};

// Those of the present state, the deepest first.
std::vector<StartOverlap> FindOverlaps(const Simulation& simulation);

}  // namespace slipstick::internal
