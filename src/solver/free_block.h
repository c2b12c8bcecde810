#pragma once

#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick {

// Solves systems with principal submatrices A_FF of one scaled matrix (ScaledMlcp): the only place where a pivoting
// method factorizes. Each call factorizes afresh; a method that changes F by a few rows may one day keep factors here.
class FreeBlock {
 public:
  // A must outlive this; its diagonal may change between calls.
  explicit FreeBlock(const MatX& A);

  // x with A_FF x = rhs. Where A_FF is singular (redundant contacts or joints): the solution of least norm, if there is
  // one. False where there is none; x is then the least-squares point. `magnitude` is the size of the numbers that
  // cancelled in rhs, which tells an inconsistent system from a rounding error.
  bool Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) const;

 private:
  const MatX& A_;
  bool symmetric_;
};

}  // namespace slipstick
