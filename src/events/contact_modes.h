#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/collision/contact_point.h"

namespace slipstick::internal {

// What a law says of a contact that slides, at the level of forces: |λT| = μλN + μ_v |slip|, against the slip.
struct SlidingFriction {
  double viscous = 0;  // μ_v [N s/m]
};

enum class ClosedMode { kSticking, kSliding };

// A contact that stays closed and carries force until an event.
struct ClosedContact {
  std::uint64_t key = 0;
  ContactPoint point;  // where it was seen last: to find it again should its feature change
  ClosedMode mode = ClosedMode::kSticking;
  Vec3 direction = Vec3::Zero();  // kSliding: that of the slip when the mode began, unit, world
  bool begins = false;            // kSliding: from rest
  // Force (normal, tangent_1, tangent_2) that the law had when the mode began. Where contacts are redundant, forces are
  // the nearest to this that the motion allows.
  Vec3 reference = Vec3::Zero();
};

// What stays the same between two events.
struct Modes {
  std::vector<ClosedContact> contacts;  // ascending keys
  std::vector<int> joints;              // of each row of joint friction: 0 it holds, ±1 it slides that way
  VecX joint_reference, bilateral_reference;
};

}  // namespace slipstick::internal
