#pragma once

#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// Faults of values that cannot be fed in: numbers of bodies, drives and parameters that there are none of, what is not
// finite, gains and limits below zero, parameters outside of their ranges.
std::vector<Fault> CheckInputs(const Inputs& inputs, const SimulationParts& parts);

// Gives the model the inputs of the state in place of those it has. With other values of parameters its numbers are
// made anew from the scene in memory; coordinates and shapes stay.
void ApplyInputs(SimulationParts* parts);

}  // namespace slipstick::internal
