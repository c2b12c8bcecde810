#pragma once

#include <Eigen/LU>
#include <vector>

#include "slipstick/base/eigen.h"

namespace slipstick::internal {

// LU factors of principal submatrices A_FF of one matrix, which follow F from a base B by a border. With the rows
// N = F∖B that have entered and R = B∖F that have left,
//   [A_BB  A_BN  I_BR] [x_B]   [rhs_B]
//   [A_NB  A_NN   0  ] [x_N] = [rhs_N],
//   [I_RB   0     0  ] [ y ]   [  0  ]
// where y takes what the rows of R are short of. A_BB is factorized once; the border needs A_BB⁻¹ [A_BN I_BR], a column
// for each row that has changed and kept in case it changes back, and the factors of a Schur complement as large as the
// border. Where A_BB is worse conditioned than A_FF digits are lost: the caller looks at the residual.
class BorderedLu {
 public:
  // A must outlive this. A_FF counts as singular where its reciprocal condition number is below `least_condition`.
  BorderedLu(const MatX& A, double least_condition) : A_(A), least_condition_(least_condition) {}

  // Takes the factors to another F, of rising order, where the border stays small. False if it does not, or if the
  // Schur complement is singular.
  bool Update(const std::vector<int>& free);
  // New factors with F as the base. False if A_FF is singular.
  bool Compute(const std::vector<int>& free);
  void Clear();

  // x with A_FF x = rhs, both in the order of F, after one of the above succeeded.
  VecX Solve(const VecX& rhs) const;

 private:
  // A row that has changed sides since the base was factorized.
  struct Change {
    int row;
    int column;  // of columns_
  };

  const MatX& A_;
  double least_condition_;
  std::vector<int> base_;
  std::vector<int> place_in_base_;  // for each row of A, −1 if it is not there
  Eigen::PartialPivLU<MatX> lu_;
  MatX columns_;  // A_BB⁻¹ [A_BN I_BR] of all rows that have changed so far
  int columns_used_ = 0;
  std::vector<int> column_of_;   // for each row of A, −1 if it has none
  std::vector<Change> entered_;  // N
  std::vector<Change> left_;     // R
  MatX border_;                  // the columns of N, then R
  MatX A_NB_;
  Eigen::PartialPivLU<MatX> schur_;
  std::vector<int> free_;
};

}  // namespace slipstick::internal
