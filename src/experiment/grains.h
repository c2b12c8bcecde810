#pragma once

#include <string>
#include <vector>

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Drumwright & Shell 2010, figures 5 to 7: 1001 spheres fall into a box, by maximum dissipation and by the
// complementarity problem of Anitescu & Potra with Lemke's method and with block pivoting.
Experiment RunGrainsExperiment(const ExperimentOptions& options);

struct GrainsPlan {
  std::string law, solver;
  std::vector<Override> overrides;  // of the scene `grains`
  double longest_step = 0;          // processor time after which no further step is made [s]
};

// What came out, an entry a step.
struct GrainsRun {
  std::vector<double> time, contacts, seconds, energy;  // [s], of the processor for the step [s], kinetic [J]
  int unsolved = 0, failed = 0;                         // steps whose programs, whose certificates did not pass
  double law_residual = 0, overlap = 0;                 // greatest: [m/s], of the radius
  double lost = 0;                                      // spheres outside of the box at the end
  std::string ended;                                    // why before the duration; empty: it did not
};

// The scene until its duration, until a step takes too long, or until a step of the mixed LCPs is not solved.
GrainsRun RunGrains(const GrainsPlan& plan, const std::function<void(double fraction)>& progress);

// When the kinetic energy has fallen to a thousandth of its greatest value for good, or infinity; and the greatest
// share of that value afterwards, which tells a rise.
struct Settling {
  double time = 0, later_share = 0;
};
Settling SettlingOf(const GrainsRun& run);

}  // namespace slipstick::internal
