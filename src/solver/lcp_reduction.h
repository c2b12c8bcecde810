#pragma once

#include <optional>
#include <vector>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/solver/mlcp_partition.h"

namespace slipstick {

// A mixed problem with bounds as a plain linear complementarity problem  x ≥ 0 ⟂ M x + q ≥ 0:
// - pinned variables are put in as numbers;
// - free ones are eliminated with their rows, z_F = −A_FF⁺(b_F + A_FR z_R), the least-norm choice where rows are
//   redundant. Where the rows left over bind the other variables (A_FF singular, but not because of redundant rows) a
//   free variable is written as x⁺ − x⁻ instead, with rows w_i ≥ 0 and −w_i ≥ 0;
// - a variable is counted from its finite bound, x = z − l or x = u − z, the latter with the sign of its row changed;
// - one with two finite bounds gets a multiplier y of the second: x ≥ 0 ⟂ w + y ≥ 0,  y ≥ 0 ⟂ (u − l) − x ≥ 0.
// M is positive semidefinite if A is, and copositive if A is and no variable is free, pinned or mirrored.
class LcpReduction {
 public:
  // Expects a problem that was scaled. Nothing where the rows of the free variables contradict each other.
  static std::optional<LcpReduction> Make(const BoundedMlcp& problem);

  const MatX& M() const { return M_; }
  const VecX& q() const { return q_; }
  int size() const { return static_cast<int>(q_.size()); }

  // z of a point x.
  VecX Recover(const VecX& x) const;
  // The sides of the rows that go with a complementary basis: x_j basic or not (then its row's slack is).
  Partition RecoverPartition(const std::vector<bool>& x_is_basic) const;

 private:
  struct Column {
    int variable;
    double sign;      // dz/dx
    int bound_row;    // row of the second bound's multiplier, or −1
  };

  VecX offset_;     // z = offset + transform · x
  MatX transform_;  // of the columns of columns_ only
  std::vector<Column> columns_;
  Partition initial_;
  MatX M_;
  VecX q_;
};

}  // namespace slipstick
