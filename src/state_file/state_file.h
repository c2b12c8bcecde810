#pragma once

#include <filesystem>

#include "slipstick/simulation/simulation.h"

namespace slipstick {

// The state of a simulation as a file (HDF5, docs/file-formats.md), written as a whole or not at all. With it stand the
// names of law and stepper, the step and the names of the coordinates.
void SaveState(const std::filesystem::path& file, const Simulation& simulation);

// Gives a simulation of the same scene, law, stepper and step the state in the file: it goes on with the same bits.
// InputError where the file is damaged or of another simulation.
void RestoreState(const std::filesystem::path& file, Simulation* simulation);

// What was fed into a simulation since RecordInputs, as a file of the same kind, to be given to ReplayInputs.
void SaveInputs(const std::filesystem::path& file, const InputLog& log);
InputLog ReadInputs(const std::filesystem::path& file);

}  // namespace slipstick
