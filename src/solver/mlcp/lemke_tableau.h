#pragma once

#include <vector>

#include "slipstick/base/deadline.h"
#include "slipstick/base/eigen.h"

namespace slipstick::internal {

enum class LemkeEnd {
  kSolution,
  kRay,             // no row stops the entering variable
  kIterationLimit,  // or the time is over
  kNumerical,       // a basis became singular to working precision
};

struct LemkeResult {
  LemkeEnd end = LemkeEnd::kNumerical;
  int iterations = 0;
  VecX x;                        // the last basic point; a solution if that is how it ended
  std::vector<bool> x_is_basic;  // for each x_j
  VecX ray;                      // kRay: the direction in x, not negative
};

// Lemke's complementary pivoting for  x ≥ 0 ⟂ w = M x + q ≥ 0  with a dense tableau and the lexicographic ratio test,
// which excludes cycling (Cottle, Pang & Stone, "The Linear Complementarity Problem", algorithms 4.4.5 and 4.9).
// Follows the path of  w = M x + q + x₀ cover  from large x₀ to x₀ = 0. Expects entries of about one in M and q, cover
// > 0.
LemkeResult FollowLemkePath(const MatX& M, const VecX& q, const VecX& cover, int max_iterations,
                            const Deadline& deadline = {});

}  // namespace slipstick::internal
