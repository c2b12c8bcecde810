#pragma once

#include <vector>

#include "slipstick/solver/mlcp/free_block.h"

namespace slipstick::internal {

// Principal systems of a sparse matrix by sparse factors: LDLᵀ where A is symmetric and A_FF positive definite, LU
// otherwise. Where A_FF is singular, A_FF + δI is factorized in its place and
//   x ← x + (A_FF + δI)⁻¹ (rhs − A_FF x)
// repeated: for monotone A these are proximal points, which converge to a solution if there is one.
class SparseFreeBlock : public FreeBlock {
 public:
  explicit SparseFreeBlock(const SparseMat& A) : A_(A), symmetric_(IsSymmetric(A)) {}

  bool Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) override;
  void MatrixChanged() override {}

 private:
  const SparseMat& A_;
  bool symmetric_;
};

}  // namespace slipstick::internal
