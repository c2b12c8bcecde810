#pragma once

#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/model.h"

namespace slipstick::internal {

// How surfaces of two materials meet in a step h, docs/theory.md (T4b), without what depends on their shapes:
ContactSurface SurfaceOf(const PairProperties& pair, double h);
// Hertz's law, κ = 4/3 E* √R, and Mindlin's, where the pair has moduli.
void SetHertz(const PairProperties& pair, const ShapeGeometry& shape_a, const ShapeGeometry& shape_b,
              ContactSurface* surface);

}  // namespace slipstick::internal
