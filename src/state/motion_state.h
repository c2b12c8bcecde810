#pragma once

#include "slipstick/base/eigen.h"

namespace slipstick {

// Where everything is and how fast it moves: q, v at time t.
struct MotionState {
  double time = 0;
  int released = 0;  // how many of the bodies that the scene releases later take part
  VecX q;
  VecX v;

  bool operator==(const MotionState& other) const;
};

// Whether two vectors have the same size and values.
bool AreEqual(const VecX& a, const VecX& b);

}  // namespace slipstick
