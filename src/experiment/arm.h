#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Joint friction of Drumwright & Shell 2010, §5.3, figures 8 and 9: an arm with eight joints that hangs from a post,
// with friction as bounded rows (T4c) at large steps, and by the acceleration-level law τ = −(μ_c sgn q̇ + μ_v q̇)
// (eq 6) at small ones.
Experiment RunArmExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
