#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <memory>

#include "slipstick/math/friction_cone.h"
#include "slipstick/math/panel_matrix.h"

namespace slipstick::internal {

// (W + D)⁻¹ for a positive semidefinite W and a positive definite block diagonal D, refactorized for new D with the
// symbolic work done once: Cholesky where W is symmetric, LU where it is not, dense where W is small or full.
class ShiftedFactorization {
 public:
  // `symmetric_blocks`: D will be symmetric, and where W is too, Cholesky may be used.
  explicit ShiftedFactorization(const PanelMatrix& matrix, bool symmetric_blocks = true);

  bool Factorize(double diagonal);
  bool Factorize(const std::vector<ContactMatrix>& blocks);
  VecX Solve(const VecX& right) const;
  bool symmetric() const { return symmetric_; }

 private:
  template <typename AddedTo>
  bool FactorizeWith(AddedTo added_to);
  using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

  bool symmetric_ = true, dense_ = false;
  MatX full_;
  Columns sparse_;
  BlockLayout layout_;
  std::vector<double*> block_entries_;     // of the diagonal blocks of sparse_, block by block, by columns
  std::vector<ContactMatrix> own_blocks_;  // of W
  Eigen::LLT<MatX> full_cholesky_;
  Eigen::PartialPivLU<MatX> full_lu_;
  Eigen::SimplicialLDLT<Columns> cholesky_;
  std::unique_ptr<Eigen::SparseLU<Columns>> lu_;
};

}  // namespace slipstick::internal
