#pragma once

#include "slipstick/math/block_rows.h"
#include "slipstick/model/kinematics.h"

namespace slipstick::internal {

// How many of the rows say nothing that the others do not: rows minus the rank of J M⁻¹ Jᵀ, docs/theory.md (T3b).
int CountRedundantRows(const BlockDiagonal& mass, const BlockRows& rows);

// The same of all constraints of a model in a state.
struct ConstraintCount {
  int rows = 0, redundant = 0;
};
ConstraintCount CountConstraints(const Model& model, const MotionState& state, const Kinematics& kinematics);

// Targets that impulses can bring the rows to from a free velocity, nearest to the given ones in units of the rows' own
// motion. Those given where rows are independent, and where the nearest are too far from them for truncation, which is
// h times velocities squared, to be the cause: then constraints contradict each other, and the certificate shall say
// so.
struct RowTarget {
  VecX target;
  bool contradicts = false;
};
RowTarget ReachableTarget(const BlockDiagonal& mass, const BlockRows& rows, ConstRef<VecX> free_velocity,
                          const VecX& target, double h);

}  // namespace slipstick::internal
