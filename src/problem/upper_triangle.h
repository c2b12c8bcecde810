#pragma once

#include "slipstick/base/sparse.h"

namespace slipstick::internal {

// Some files (LMGC's dumps in FCLIB) store the upper triangle of a symmetric matrix alone. A square matrix with entries
// above the diagonal and none below is taken as such and mirrored; every other matrix is returned as it is.
SparseMat MirrorUpperTriangle(const SparseMat& matrix);

}  // namespace slipstick::internal
