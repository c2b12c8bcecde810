#pragma once

#include <limits>

#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

struct EnumerationSettings {
  double tolerance = 1e-10;  // NaturalResidual ≤ tolerance · ResidualScale
  double most_bases = 1 << 16;
  double seconds = std::numeric_limits<double>::infinity();  // of wall time, looked at before each basis
};

// Tries every partition of the rows (mlcp_partition.h), two or three sides each: the last resort, for small problems.
// Where A_FF is regular a partition has one point, which is a solution or clearly none; where it is singular the points
// of the partition form a polyhedron, and whether it is empty is a linear program (mlcp_feasibility.h).
//
// kSolved with the first solution found; kNoSolution only if every partition was ruled out, each by more than rounding;
// kStalled if some could neither be ruled out nor used; kIterationLimit at once if there are too many;
// kTimeLimit.
MlcpAnswer SolveByEnumeratingBases(const BoundedMlcp& problem, const EnumerationSettings& settings);

}  // namespace slipstick::internal
