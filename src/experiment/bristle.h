#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Figure 1 of the abstract of Peiret, Kövecses & Font-Llagunes: the wheel with the bristle LCP, whose limits hold
// component by component, against the nonlinear bristle of Liang et al., whose limit holds for the vector.
Experiment RunBristleExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
