#pragma once

#include <string>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// A mixed linear complementarity problem as files hold it:  w = M z + q,  where each row is either an equation, w_i =
// 0, or complementary to a variable, 0 ≤ w ⊥ z ≥ 0, and each variable is free or non-negative. M may have more rows
// than columns or fewer: equations and free variables then differ in number. The complementary rows and the
// non-negative variables are as many, and the k-th of the one belongs to the k-th of the other. No equation: a plain
// LCP.
struct MixedProblem {
  MatX M;
  VecX q;
  std::vector<bool> is_equation;  // each row
  std::vector<bool> is_free;      // each column
};

std::vector<std::string> Check(const MixedProblem& problem);

}  // namespace slipstick::internal
