#pragma once

#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Faults of a state that cannot be one of this simulation, as that of another scene or of a damaged file: sizes,
// numbers of shapes, joints and releases that there are none of, inputs. What is merely not finite is for the step to
// report.
std::vector<Fault> CheckState(const State& state, const SimulationParts& parts);

}  // namespace slipstick::internal
