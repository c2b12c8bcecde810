#include "slipstick/scene/sample_interval.h"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {

double SampleInterval(const Scene& scene, double step) {
  if (scene.output.every || !scene.has_many_bodies()) return scene.output.every.value_or(0);
  constexpr double kFramesPerSecond = 30;
  return step * std::max(1.0, std::round(1 / (kFramesPerSecond * step)));
}

}  // namespace slipstick::internal
