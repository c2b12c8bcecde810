#pragma once

#include <vector>

namespace slipstick::internal {

// Where a row of a problem's BoundedSet comes from.
struct BoundedRow {
  enum class Kind { kJointFriction, kConstraintFriction, kStop, kMotor };
  Kind kind = Kind::kJointFriction;
  // Of Model::joint_resistances, of AssemblyWorkspace::sliding's groups, or of Model::drives.
  int index = 0;
  double own_limit = 0;    // of friction: largest impulse without any load, h τ₀
  bool is_loaded = false;  // what the joint carries adds to it (T4d)
};

}  // namespace slipstick::internal
