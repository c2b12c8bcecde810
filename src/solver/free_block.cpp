#include "slipstick/solver/free_block.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

namespace slipstick {
namespace {

// All relative to entries of about one, by the scaling.
constexpr double kSymmetry = 1e-12;
// Below this a pivot is taken for zero, and so is a reciprocal condition number: smaller ones would leave less than a
// few digits, and multipliers that large have no meaning.
constexpr double kRank = 1e-12;
constexpr double kConsistent = 1e-9;

// x by the given factors, with one step of refinement.
template <typename Factors>
VecX SolveRefined(const Factors& factors, const MatX& block, const VecX& rhs) {
  VecX x = factors.solve(rhs);
  x += factors.solve(rhs - block * x);
  return x;
}

bool IsSolution(const MatX& block, const VecX& rhs, double magnitude, const VecX& x) {
  return x.allFinite() && (block * x - rhs).lpNorm<Eigen::Infinity>() <= kConsistent * magnitude;
}

}  // namespace

FreeBlock::FreeBlock(const MatX& A)
    : A_(A), symmetric_(A.size() == 0 || (A - A.transpose()).lpNorm<Eigen::Infinity>() <= kSymmetry) {}

bool FreeBlock::Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) const {
  if (free.empty()) {
    x->resize(0);
    return true;
  }
  const MatX block = A_(free, free);
  if (symmetric_) {
    const Eigen::LLT<MatX> cholesky(block);
    if (cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().cwiseAbs2().minCoeff() > kRank) {
      *x = SolveRefined(cholesky, block, rhs);
      if (IsSolution(block, rhs, magnitude, *x)) return true;
    }
  } else {
    const Eigen::PartialPivLU<MatX> lu(block);
    if (lu.rcond() > kRank) {
      *x = SolveRefined(lu, block, rhs);
      if (IsSolution(block, rhs, magnitude, *x)) return true;
    }
  }
  Eigen::CompleteOrthogonalDecomposition<MatX> orthogonal;
  orthogonal.setThreshold(kRank);
  orthogonal.compute(block);
  *x = SolveRefined(orthogonal, block, rhs);
  if (!x->allFinite()) x->setZero(rhs.size());
  return IsSolution(block, rhs, magnitude, *x);
}

}  // namespace slipstick
