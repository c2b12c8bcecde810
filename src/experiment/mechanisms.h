#pragma once

#include "slipstick/experiment/experiment.h"
#include "slipstick/experiment/mechanism_references.h"

namespace slipstick::internal {

// How far a mechanism came from what is known of it.
struct MechanismErrors {
  double energy = 0;       // largest |E − E₀ − work| over the run [J]
  double coordinate = 0;   // largest difference of positions from the reference [m or rad]
  RelativeError relative;  // as the library measures it
  bool passed = true;      // every step its certificate
};

// Steppers, as overrides of scenes.
std::vector<Override> ByEvents(double step);
std::vector<Override> BySteps(double step);

// A01, against the equation of a pendulum, at every 0.05 s.
MechanismErrors RunPendulum(const std::vector<Override>& stepper, double duration);
// A02, against the pendulum that it is, at every 0.05 s. What its uprights differ by counts as an error of coordinates.
MechanismErrors RunFourBarRow(int windows, double step, double duration);
// A03, from event to event, against the test set's coordinates at 0.03 s.
MechanismErrors RunAndrews();
// A04 and A05, against their equations in few coordinates, at every 0.05 s.
MechanismErrors RunBricard(const std::vector<Override>& stepper, double duration);
MechanismErrors RunGovernor(const std::vector<Override>& stepper, double duration);

// Benchmarks A01 to A05 of the IFToMM library of multibody problems, docs/results.md.
Experiment RunMechanismsExperiment(const ExperimentOptions& options);

}  // namespace slipstick::internal
