#pragma once

#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Gives names to what may go without: shapes (sphere, sphere-2 …), links of joints (their joint's), constraints,
// forces and drives. Names that are there stay.
void MakeUpNames(Scene* scene);

// Whether there is nothing to do for MakeUpNames.
bool HasAllNames(const Scene& scene);

}  // namespace slipstick::internal
