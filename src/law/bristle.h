#pragma once

#include <memory>

#include "slipstick/law/fixed_directions.h"

namespace slipstick::internal {

// Bristle friction with limits component by component, Peiret, Kövecses & Font-Llagunes (abstract), eqs 1–4:
// λT⁺ = λT − h kT v_T⁺ cut to ±μλN along two fixed directions.
std::unique_ptr<Law> MakeBristle(const FixedDirectionSettings& settings);

}  // namespace slipstick::internal
