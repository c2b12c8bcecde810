#pragma once

#include <vector>

#include "slipstick/collision/detect_contacts.h"
#include "slipstick/model/model.h"

namespace slipstick::internal {

// Grains in a box of six planes, and where they are: what a contact detector sees of settled matter.
struct GranularPacking {
  Model model;
  Kinematics kinematics;
};

// `count` grains with radii from `radius` to `radius` · `ratio` at random places of a cube that they fill to 58 %,
// pushed apart in rounds of position corrections (no dynamics) until each touches about five others. The first `boxes`
// are boxes, all others spheres.
GranularPacking MakePacking(int count, double radius, double ratio, int boxes);

}  // namespace slipstick::internal
