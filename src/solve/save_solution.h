#pragma once

#include "slipstick/solve/solve_record.h"
#include "slipstick/storage/hdf5_writer.h"

namespace slipstick::internal {

// Writes /solution with u, r and, where they exist, v and l (λ); of a complementarity problem z and w; and the
// attributes file, solver, residual. The writer is opened by the caller, before anything is solved: a place that cannot
// be written is then told at once. Commits it.
void WriteSolution(const SolveRecord& record, Hdf5Writer* writer);

}  // namespace slipstick::internal
