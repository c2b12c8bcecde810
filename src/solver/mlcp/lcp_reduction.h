#pragma once

#include <optional>
#include <vector>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp/mlcp_partition.h"

namespace slipstick::internal {

// A mixed problem with bounds as a plain linear complementarity problem  t ≥ 0 ⟂ M t + q ≥ 0, in two steps.
//
// To nonnegative variables x and free ones z_F, a system w = K v + k in v = (z_F, x):
// - pinned variables are put in as numbers;
// - a variable is counted from its finite bound, x = z − l or x = u − z, the latter with the sign of its row changed;
// - one with two finite bounds gets a multiplier y of the second: x ≥ 0 ⟂ w + y ≥ 0,  y ≥ 0 ⟂ (u − l) − x ≥ 0.
//
// Then the free variables go, with their rows w_F = 0: a principal pivot on F. Where K_FF is singular because rows are
// redundant, the least-norm choice of z_F is taken, if what is left open in z_F makes no difference to other rows.
// Where it is singular otherwise (a saddle point: the rows of F bind x) the pivot is on F and as many rows J of x as it
// takes: for these t_j = w_j, and the row of M is that of x_j. This does not depend on the order and the signs in which
// equations are given. If no such J is found, each free variable becomes a difference of two nonnegative ones, with
// rows w_i ≥ 0 and −w_i ≥ 0.
//
// M is positive semidefinite if A is; and copositive if A is, no variable is free, and all count from below.
class LcpReduction {
 public:
  // Expects a problem that was scaled. Nothing where the rows of the free variables contradict each other.
  static std::optional<LcpReduction> Make(const BoundedMlcp& problem);

  const MatX& M() const { return M_; }
  const VecX& q() const { return q_; }
  int size() const { return static_cast<int>(q_.size()); }

  // z of a point t.
  VecX Recover(const VecX& t) const;
  // The sides of the rows that go with a complementary basis: t_j basic, or else the slack of its row.
  Partition RecoverPartition(const std::vector<bool>& t_is_basic) const;

 private:
  struct Column {
    int variable;
    double sign;    // dz/dx
    int bound_row;  // the multiplier of the second bound, among the x; −1 if there is none
  };

  LcpReduction(const BoundedMlcp& problem, bool split_free);
  enum class Elimination { kDone, kInconsistent, kNotPossible };
  Elimination EliminateFree();
  Elimination Eliminate(const std::vector<int>& swapped);

  Partition initial_;
  VecX offset_;                  // z = offset + (z_F, sign · x)
  std::vector<int> free_;        // the rows of z_F, empty if they were split
  std::vector<Column> columns_;  // the x that are variables of the problem; multipliers follow
  MatX K_;
  VecX k_;
  std::vector<int> swapped_;  // J, counted among the x
  MatX transform_;            // v = transform t + constant
  VecX constant_;
  MatX M_;
  VecX q_;
};

}  // namespace slipstick::internal
