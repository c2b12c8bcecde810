#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// The wheel of Peiret et al. 2016, table 1 and figures 4, 5: four LCP laws at 1 ms against exact Coulomb at 0.1 ms, all
// with equation 7 and Euler rates (scenes/wheel.yaml). What is measured how: docs/results.md.
Experiment RunWheelExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
