#pragma once

#include <memory>

#include "slipstick/law/fixed_directions.h"

namespace slipstick::internal {

// Box friction (Lacoursière 2006, as Peiret et al. compare with): limits along two fixed directions and no bristle, so
// that the force inside the box is whatever holds the contact still.
std::unique_ptr<Law> MakeBox(const FixedDirectionSettings& settings);

}  // namespace slipstick::internal
