#pragma once

#include <vector>

namespace slipstick::internal {

// The Cholesky factor of a symmetric positive definite matrix from its last row up, A = R Rᵀ with R upper triangular.
// Where the rows stand as those of the mass matrix of a tree of joints do, parents first, R has zeros where A has them:
// elimination of a leaf changes rows of its ancestors alone (Featherstone 2005, "Efficient factorization of the
// joint-space inertia matrix for branched kinematic trees"). Which rows are whose ancestors is read from the zeros
// themselves, so that every other matrix is right too.
class TreeCholesky {
 public:
  // Of the upper triangle of a matrix of n columns. False where a pivot is not positive, or as small as the rounding of
  // its own entry; the factor must not be used then. Allocates only when n grows.
  bool Factorize(const double* matrix, int n);
  // x := A⁻¹ x for so many columns that follow each other.
  void Solve(double* x, int columns) const;

 private:
  // Consecutive rows, each an ancestor of the next one. The ancestors of a row are those before it in its run and all
  // of the runs above.
  struct Run {
    int first = 0, last = 0;
    int above = -1;  // −1: none
  };

  void FindParents(const double* matrix);
  void FindRuns();
  // The runs above one, from the outermost to the run itself.
  void Climb(int run);
  // Columns of `from`, of which there are one or two, times their entries in it, off the columns that they reach.
  void Eliminate(const double* first, const double* second, int below);
  void SolveColumn(double* x) const;

  int n_ = 0;
  std::vector<double> factor_;   // n × n, by columns
  std::vector<double> inverse_;  // of the diagonal
  std::vector<int> parent_, children_, top_;
  std::vector<Run> runs_;
  std::vector<int> run_of_;
  std::vector<int> path_;  // of Climb
};

}  // namespace slipstick::internal
