#pragma once

#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

// The same problem in variables y = z/s and w' = s∘w, s > 0, so that A' = S A S has a diagonal of ones where A's is
// positive, and entries of at most about one in the other rows and columns. Complementarity, symmetry, definiteness and
// copositivity are kept; thresholds become plain numbers, and a minimum-norm choice no longer depends on units.
// `Problem` is BoundedMlcp or SparseBoundedMlcp, here and below.
template <typename Problem>
class ScaledMlcp {
 public:
  explicit ScaledMlcp(const Problem& original);

  const Problem& problem() const { return scaled_; }
  // z = s∘y within the bounds; where y_i is on a bound, z_i is exactly on it.
  VecX ToOriginal(const VecX& y) const;

 private:
  const Problem& original_;
  VecX scale_;
  Problem scaled_;
};

// Keeps the point with the least natural residual among those offered, and says whether it is a solution.
template <typename Problem>
class BestPoint {
 public:
  // Starts with the point of the bounds that is nearest to zero. Both arguments must outlive this.
  BestPoint(const Problem& original, const ScaledMlcp<Problem>& scaled, double tolerance);

  // Takes a point of the scaled problem, moved into the bounds first. True if it is a solution.
  bool Offer(const VecX& y);
  bool IsSolution() const { return residual_ <= limit_; }
  MlcpAnswer Answer(SolveStatus status_if_unsolved, int iterations, const std::string& solver) const;

 private:
  const Problem& original_;
  const ScaledMlcp<Problem>& scaled_;
  double tolerance_;
  VecX z_;
  double residual_;
  double limit_;
};

// The answer to a problem that Check() rejects: zeros of the given size, that of b.
MlcpAnswer BadInputAnswer(int size, const std::string& solver);

}  // namespace slipstick::internal
