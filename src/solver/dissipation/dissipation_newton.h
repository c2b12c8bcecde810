#pragma once

#include "slipstick/program/dissipation_program.h"

namespace slipstick::internal {

// Newton's method on the natural maps of DissipationResidual, in all unknowns x, y, τ: semismooth, with least-norm
// steps where the matrix is singular (y and τ of a program without interior are not unique, impulses of redundant
// contacts are not either) and a line search on the norm. Quadratic near an optimum, so that it takes the answer of
// another solver to rounding; where contacts keep their states from step to step it finds the optimum by itself.
// kSolved at `tolerance`, relative to the largest of |b|; else kStalled or kIterationLimit with the best point met.
DissipationAnswer SolveDissipationByNewton(const DissipationProgram& program, int max_iterations, double tolerance,
                                           const VecX& start, const DissipationMultipliers& multipliers);

}  // namespace slipstick::internal
