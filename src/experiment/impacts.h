#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Stepper event-driven against closed forms: balls that bounce, Housner's block, a cube that stops, Painlevé's rod; and
// how time stepping converges to it.
Experiment RunImpactsExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
