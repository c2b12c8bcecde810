#pragma once

#include "slipstick/scene/scene.h"

namespace slipstick::internal {

// Time between the samples of a run of the scene at this step [s]: what the scene says, or else every step, or with
// many bodies the whole number of steps that is nearest to a thirtieth of a second.
double SampleInterval(const Scene& scene, double step);

}  // namespace slipstick::internal
