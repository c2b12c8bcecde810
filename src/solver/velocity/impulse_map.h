#pragma once

#include "slipstick/math/friction_cone.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// Impulses of a block whose rows give way by e each, at what they would be without limits, y: the r with
// −e (r − y) − s ∈ N_K(r), s as in ConeProgram. Rows of one part of a cone, and of a disk, have the same e.
void MapImpulse(const ConeBlock& block, bool non_associated, const double* y, const double* e, double* impulse);
// An element of ∂r/∂y.
void MapDerivative(const ConeBlock& block, bool non_associated, const double* y, const double* e,
                   ContactMatrix* derivative);

}  // namespace slipstick::internal
