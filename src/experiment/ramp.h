#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Drumwright & Shell 2010, figure 2: a box on a ramp, by maximum dissipation and by the polygonal cone.
Experiment RunRampExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
