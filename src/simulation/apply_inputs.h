#pragma once

#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Faults of values that cannot be fed into the model: numbers of bodies and drives that there are none of, what is not
// finite, gains and limits below zero.
std::vector<Fault> CheckInputs(const Inputs& inputs, const Model& model);

// Gives the model the inputs of the state in place of those it has.
void ApplyInputs(SimulationParts* parts);

}  // namespace slipstick::internal
