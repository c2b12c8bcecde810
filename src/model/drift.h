#pragma once

#include "slipstick/model/model.h"

namespace slipstick::internal {

// Moves the system on for a time without any force, docs/theory.md (T7): coordinates of joints go on with their
// velocities; a lone body's centre of mass moves straight on while it turns freely, its angular momentum kept, so that
// its velocities change on the way. Bodies that are still to be released stay where they are.
void Drift(const Model& model, double time, MotionState* state);

// The same of one lone body, q and v being its own coordinates and velocities.
void DriftLoneBody(const LoneBody& body, double time, double* q, double* v);

}  // namespace slipstick::internal
