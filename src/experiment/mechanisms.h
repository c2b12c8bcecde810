#pragma once

#include "slipstick/experiment/experiment.h"

namespace slipstick {

// How far a mechanism came from what is known of it.
struct MechanismErrors {
  double energy = 0;      // largest |E − E₀ − work| over the run [J]
  double coordinate = 0;  // largest difference from the reference [rad or m]
  bool passed = true;     // every step its certificate
};

// The row of four-bar linkages against the pendulum that it is, at every 0.1 s.
MechanismErrors RunFourBarRow(int windows, double step, double duration);
// Andrews' mechanism from event to event against the test set's coordinates at 0.03 s.
MechanismErrors RunAndrews();
// A scene by steps against the same from event to event, at every 0.1 s; `events` is what the latter loses itself.
MechanismErrors RunAgainstEvents(const std::string& scene, double step, double duration, MechanismErrors* events);

// Benchmarks A02 to A05 of the IFToMM library of multibody problems, docs/results.md.
Experiment RunMechanismsExperiment(const ExperimentOptions& options);

}  // namespace slipstick
