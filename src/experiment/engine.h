#pragma once

#include <string>
#include <vector>

#include "slipstick/experiment/experiment.h"

namespace slipstick::internal {

// Drumwright & Shell 2010, figures 3 and 4: an engine whose joints are contacts, and how long its contact problems take
// by maximum dissipation and by the complementarity problem of Anitescu & Potra with Lemke's method.
Experiment RunEngineExperiment(const ExperimentOptions& options);

// One contact problem of a run, solved by both.
struct EngineTiming {
  double time = 0;  // [s], of the simulation
  int contacts = 0;
  int order = 0;                                   // of the complementarity problem: six a contact
  double dissipation_seconds = 0;                  // the whole law: matrices, phases I and II
  double lemke_seconds = 0, pivoting_seconds = 0;  // the programs alone
  bool lemke_solved = false, pivoting_solved = false;
  double dissipation_residual = 0, lemke_residual = 0, pivoting_residual = 0;  // of the laws [m/s]
  double deviation = 0;  // greatest difference of the velocities by both laws, of the contact points [m/s]
};

struct EngineTimingPlan {
  double friction = 0;
  double duration = 0.05;  // of the run [s]
  long every = 1;          // how many steps from one problem to the next
};

// Runs `engine-one-cylinder` by maximum dissipation and has every so many-th problem of it solved by the others too.
std::vector<EngineTiming> TimeEngineProblems(const EngineTimingPlan& plan,
                                             const std::function<void(double fraction)>& progress);

}  // namespace slipstick::internal
