#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Tasora & Anitescu 2013, §6.1, figures 2 and 3: a disk rolls to rest by rolling friction.
Experiment RunDiskExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
