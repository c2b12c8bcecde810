#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Tasora & Anitescu 2013, §6.2, figure 8: what a linear guideway on four rows of nine balls resists with.
Experiment RunGuidewayExperiment(const ExperimentOptions& options);
// A quarter of its runs, at least one of each kind.
Experiment RunGuidewayExcerpt(const ExperimentOptions& options);

}  // namespace slipstick::internal
