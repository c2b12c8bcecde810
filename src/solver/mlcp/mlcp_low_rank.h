#pragma once

#include <optional>

#include "slipstick/program/bounded_mlcp.h"

namespace slipstick::internal {

// Delassus matrices W = J M⁻¹ Jᵀ of many contacts between few bodies have a low rank: W = G Gᵀ with as many columns as
// there are degrees of freedom. For a problem whose rows with a positive diagonal have such a block, and few nonzeros
// otherwise, this gives the sparse problem with y = Gᵀ z as further free variables, which come first:
//   y − Gᵀ z = 0,   w = G y + (the rest of A) z + b.
// Nothing where the block is not symmetric positive semidefinite of rank at most a fifth of the rows; where the rest is
// not thin; or where A is symmetric as a whole, since the problem would lose that.
std::optional<SparseBoundedMlcp> SplitLowRank(const BoundedMlcp& problem);

}  // namespace slipstick::internal
