#include "slipstick/solver/mlcp/free_block.h"

#include <Eigen/QR>
#include <limits>

#include "slipstick/solver/mlcp/mlcp_bordered_lu.h"
#include "slipstick/solver/mlcp/mlcp_sparse_block.h"
#include "slipstick/solver/mlcp/mlcp_updated_cholesky.h"

namespace slipstick::internal {
namespace {

// All relative to entries of about one, by the scaling.
constexpr double kSymmetry = 1e-12;
// Below this a pivot is taken for zero, and so is a reciprocal condition number: smaller ones would leave less than a
// few digits, and multipliers that large have no meaning.
constexpr double kRank = 1e-12;
constexpr double kConsistent = 1e-9;
// Factors that were updated are made afresh where they leave more than this after a step of refinement.
constexpr double kUpdatedAccuracy = 1e-13;

double Error(const MatX& block, const VecX& rhs, const VecX& x) {
  return x.allFinite() ? (block * x - rhs).lpNorm<Eigen::Infinity>() : std::numeric_limits<double>::infinity();
}

template <typename Factors>
class DenseFreeBlock : public FreeBlock {
 public:
  DenseFreeBlock(const MatX& A, FactorUse use) : A_(A), use_(use), factors_(A, kRank) {}

  bool Solve(const std::vector<int>& free, const VecX& rhs, double magnitude, VecX* x) override {
    if (free.empty()) {
      x->resize(0);
      return true;
    }
    const MatX block = A_(free, free);
    if (use_ == FactorUse::kUpdate && factors_.Update(free)) {
      SolveRefined(factors_, block, rhs, x);
      if (Error(block, rhs, *x) <=
          kUpdatedAccuracy * (magnitude + block.lpNorm<Eigen::Infinity>() * x->lpNorm<Eigen::Infinity>()))
        return true;
    }
    if (factors_.Compute(free)) {
      SolveRefined(factors_, block, rhs, x);
      if (Error(block, rhs, *x) <= kConsistent * magnitude) return true;
    }
    factors_.Clear();
    Eigen::CompleteOrthogonalDecomposition<MatX> orthogonal;
    orthogonal.setThreshold(kRank);
    orthogonal.compute(block);
    *x = orthogonal.solve(rhs);
    *x += orthogonal.solve(rhs - block * *x);
    if (!x->allFinite()) x->setZero(rhs.size());
    return Error(block, rhs, *x) <= kConsistent * magnitude;
  }

  void MatrixChanged() override { factors_.Clear(); }

 private:
  static void SolveRefined(const Factors& factors, const MatX& block, const VecX& rhs, VecX* x) {
    *x = factors.Solve(rhs);
    *x += factors.Solve(rhs - block * *x);
  }

  const MatX& A_;
  FactorUse use_;
  Factors factors_;
};

}  // namespace

bool IsSymmetric(const MatX& A) { return A.size() == 0 || (A - A.transpose()).lpNorm<Eigen::Infinity>() <= kSymmetry; }
bool IsSymmetric(const SparseMat& A) {
  const SparseMat transposed = A.transpose();
  const SparseMat difference = A - transposed;
  return difference.nonZeros() == 0 || difference.coeffs().abs().maxCoeff() <= kSymmetry;
}

std::unique_ptr<FreeBlock> MakeFreeBlock(const MatX& A, FactorUse use) {
  if (IsSymmetric(A)) return std::make_unique<DenseFreeBlock<UpdatedCholesky>>(A, use);
  return std::make_unique<DenseFreeBlock<BorderedLu>>(A, use);
}
std::unique_ptr<FreeBlock> MakeFreeBlock(const SparseMat& A, FactorUse) { return std::make_unique<SparseFreeBlock>(A); }

}  // namespace slipstick::internal
