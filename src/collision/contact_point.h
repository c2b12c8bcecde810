#pragma once

#include <cstdint>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// One point of contact between two shapes A and B, in the world's frame.
struct ContactPoint {
  int shape_a = 0;  // indices of Model::shapes(), a < b
  int shape_b = 0;
  Vec3 normal = Vec3::UnitZ();  // unit, from B towards A: a positive normal impulse pushes A along +normal
  Vec3 point_a = Vec3::Zero();  // on the surface of A
  Vec3 point_b = Vec3::Zero();  // on the surface of B
  double gap = 0;               // signed distance (point_a − point_b)·normal; negative where they penetrate
  std::uint32_t feature = 0;    // which corner, edge or rim point: stays the same from step to step while it touches

  Vec3 position() const { return 0.5 * (point_a + point_b); }
};

}  // namespace slipstick::internal
