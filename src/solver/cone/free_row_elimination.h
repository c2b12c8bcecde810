#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/solver/cone/dense_cone_program.h"

namespace slipstick::internal {

// A cone program without its free rows. With f the free rows (and the intervals without bounds) and c the others, u_f =
// 0 gives r_f = −W_ff⁺ (q_f + W_fc r_c), and what remains is the Schur complement
//   W_cc − W_cf W_ff⁺ W_fc,   q_c − W_cf W_ff⁺ q_f.
// W_ff may be singular (redundant joints): its rank is found from the eigenvalues after scaling each row to W_ii = 1,
// and r_f is the solution of least norm in that scale, so that a constraint given twice is shared equally.
class FreeRowElimination {
 public:
  explicit FreeRowElimination(const DenseConeProgram& program);

  const DenseConeProgram& reduced() const { return reduced_; }
  // The part of q_f that no impulse can cancel, largest component [unit of u]; above rounding where redundant rows
  // contradict each other, and then u_f = 0 has no solution.
  double inconsistency() const { return inconsistency_; }

  // r of the reduced program taken from one of the whole, and back with r_f filled in.
  VecX Restrict(ConstRef<VecX> r) const;
  VecX Extend(ConstRef<VecX> reduced_r) const;

 private:
  std::vector<int> free_rows_, kept_rows_;
  DenseConeProgram reduced_;
  VecX offset_;  // W_ff⁺ q_f
  MatX gain_;    // W_ff⁺ W_fc
  double inconsistency_ = 0;
};

}  // namespace slipstick::internal
