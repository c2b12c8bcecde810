#pragma once

#include <Eigen/SparseLU>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// LU factors of sparse matrices whose pattern is symmetric, or nearly so, and whose diagonal mostly serves for pivots:
// bases of complementarity problems, and the matrices of interior points. Rows and columns are put in one order of
// minimum degree and the diagonal is left only where it is very small; that keeps the factors some ten times thinner
// than an order of the columns alone, which must allow for any pivot. What small pivots cost in accuracy a step of
// refinement gives back.
class SparseLuFactors {
 public:
  // False where it is singular. With `same_pattern` the order of the last call is kept.
  bool Compute(const Eigen::SparseMatrix<double>& K, bool same_pattern = false);
  VecX Solve(const VecX& rhs) const;

 private:
  Eigen::SparseMatrix<double> ordered_;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::NaturalOrdering<int>> lu_;
};

}  // namespace slipstick::internal
