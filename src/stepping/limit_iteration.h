#pragma once

#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// Looks for limits x that are those of the answer they lead to, x = g(x), docs/theory.md (T4d). g is nearly affine as
// long as nothing begins to slide or stops, so that what earlier pairs (x, g(x)) tell is extrapolated (Anderson's
// method). Where that leads nowhere, as where friction feeds the load that limits it, steps towards g(x) are lengthened
// while they go the same way and shortened where they turn.
class LimitIteration {
 public:
  // May be infinite at the start: whatever slides is then held first.
  explicit LimitIteration(VecX start) : x_(std::move(start)) {}

  const VecX& limits() const { return x_; }
  // Takes g of the present limits and goes on to the next ones.
  void Continue(const VecX& found);

 private:
  bool Extrapolate(const VecX& change, VecX* next) const;

  VecX x_;
  std::vector<VecX> limits_, changes_;  // earlier x and g(x) − x, all finite
  double length_ = 1;
};

}  // namespace slipstick::internal
