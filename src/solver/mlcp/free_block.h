#pragma once

#include <memory>
#include <vector>

#include "slipstick/base/sparse.h"

namespace slipstick::internal {

// Solves systems with principal submatrices A_FF of one scaled matrix (ScaledMlcp): the only place where a pivoting
// method factorizes.
class FreeBlock {
 public:
  virtual ~FreeBlock() = default;

  // x with A_FF x = rhs. Where A_FF is singular (redundant contacts or joints): the solution of least norm, if there is
  // one (a sparse block: one near it). False where there is none; x is then the least-squares point, or zero.
  // `magnitude` is the size of the numbers that cancelled in rhs, which tells an inconsistent system from a rounding
  // error. F is in rising order.
  virtual bool Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) = 0;

  // To be called when entries of A have changed.
  virtual void MatrixChanged() = 0;
};

enum class FactorUse {
  kUpdate,  // factors follow F as rows enter and leave it, and are made afresh where many do, or accuracy falls
  kFresh,   // factors are made afresh in each call: the plain twin
};

// Both keep a reference to A. Sparse factors are always made afresh.
std::unique_ptr<FreeBlock> MakeFreeBlock(const MatX& A, FactorUse use);
std::unique_ptr<FreeBlock> MakeFreeBlock(const SparseMat& A, FactorUse use);

// Symmetric within rounding, for entries of about one.
bool IsSymmetric(const MatX& A);
bool IsSymmetric(const SparseMat& A);

}  // namespace slipstick::internal
