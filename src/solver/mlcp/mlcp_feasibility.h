#pragma once

#include <vector>

#include "slipstick/base/deadline.h"
#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

enum class RowKind { kAny, kZero, kNotNegative, kNotPositive };  // what (C z + c)_i must be

enum class Feasibility { kFeasible, kInfeasible, kUnknown };

// Whether there is z with l ≤ z ≤ u and rows C z + c as asked for: by the point of least norm, a convex program that
// Lemke's method solves or proves to have none (lemke.h). kUnknown where rounding hides it or the time is over. On
// kFeasible, z is a point.
Feasibility FindFeasiblePoint(const MatX& C, const VecX& c, const std::vector<RowKind>& rows, const VecX& lower,
                              const VecX& upper, VecX* z, const Deadline& deadline = {});

// The same for what every solution of the problem must meet: the bounds, and the sign of w_i where z_i has one bound or
// none. Infeasible: there is no solution.
Feasibility FindFeasiblePoint(const BoundedMlcp& problem, VecX* z, const Deadline& deadline = {});

}  // namespace slipstick::internal
