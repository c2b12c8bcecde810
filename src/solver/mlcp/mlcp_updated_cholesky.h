#pragma once

#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// Cholesky factors of principal submatrices A_FF of one symmetric matrix, which follow F.
//
// Rows that enter F are put last: with A_FF = L Lᵀ the new rows of L solve L X = A_FN, and the new corner is the factor
// of A_NN − Xᵀ X. A row that leaves F at the place k takes column l of L below k with it, and the rest becomes the
// factor of L₃ L₃ᵀ + l lᵀ, by rotations, which only ever add squares. Both are backward stable, so nothing has to be
// watched but the pivots (Golub & Van Loan, "Matrix Computations", §6.5).
class UpdatedCholesky {
 public:
  // A must outlive this. A_FF counts as singular where a pivot is below `least_pivot`.
  UpdatedCholesky(const MatX& A, double least_pivot) : A_(A), least_pivot_(least_pivot) {}

  // Takes the factors to another F, of rising order, where that costs less than new ones. False if it does not, or if
  // A_FF is not positive definite.
  bool Update(const std::vector<int>& free);
  // New factors. False if A_FF is not positive definite.
  bool Compute(const std::vector<int>& free);
  void Clear() { order_.clear(); }

  // x with A_FF x = rhs, both in the order of F, after one of the above succeeded.
  VecX Solve(const VecX& rhs) const;

 private:
  void Remove(int place);
  bool Append(const std::vector<int>& rows);
  // Where each row of `free` stands in the factor.
  void Locate(const std::vector<int>& free);
  auto L() const { return L_.topLeftCorner(size(), size()); }
  int size() const { return static_cast<int>(order_.size()); }

  const MatX& A_;
  double least_pivot_;
  std::vector<int> order_;   // rows of A in the order of the factor
  std::vector<int> places_;  // for each row of F
  MatX L_;                   // lower triangle, larger than needed
};

}  // namespace slipstick::internal
