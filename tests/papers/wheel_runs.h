#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "slipstick/run/run_simulation.h"
#include "slipstick/scene_file/scene_library.h"
#include "slipstick/scene_file/scene_reader.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal::testing {

// The wheel's scene with changes, sampled every `sample_every` seconds.
inline RunResult RunWheel(const std::string& scene, const std::vector<Override>& overrides, double sample_every) {
  Simulation simulation = Simulation(ReadScene(FindScene(scene), overrides));
  RunOptions options;
  options.duration = simulation.duration();
  options.sample_every = sample_every;
  return RunSimulation(&simulation, options);
}

// Largest distance of the wheel's centre in two runs with equal sample times, up to `until`.
inline double LargestDistance(const Trajectory& a, const Trajectory& b, double until) {
  double largest = 0;
  for (int k = 0; k < a.size() && a.time[k] <= until + 1e-9; ++k) {
    largest = std::max(largest, (a.position[0][k] - b.position[0][k]).norm());
  }
  return largest;
}

}  // namespace slipstick::internal::testing
