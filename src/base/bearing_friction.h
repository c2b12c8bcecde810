#pragma once

#include <limits>

namespace slipstick {

// Friction that grows with the force that a joint carries, docs/theory.md (T4d).
struct BearingFriction {
  double friction = 0;       // μ of the surfaces that rub
  double radius = 1;         // where forces across the axis rub, from the axis [m]; 1 where the joint slides
  double thrust_radius = 0;  // where the force along the axis does [m]; 0 where the joint slides
  // Distance of the two bearings that carry moments across the axis [m]; infinite: moments do not rub.
  double span = std::numeric_limits<double>::infinity();

  bool exists() const { return friction > 0; }
};

}  // namespace slipstick
