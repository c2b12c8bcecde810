#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/assembly/redundant_rows.h"
#include "slipstick/events/motion_event.h"
#include "slipstick/measure/motion_watch.h"
#include "slipstick/measure/start_overlaps.h"
#include "slipstick/measure/trajectory.h"

namespace slipstick::internal {

// Worst and root mean square over all steps. Once a NaN was added both are NaN.
struct Spread {
  double worst = 0, square_sum = 0;
  long count = 0;
  void Add(double value);
  double Rms() const;
};

struct FailedStep {
  long number = 0;
  double time = 0;
  std::string reason;
};

// A parameter of the scene that was changed while the run went on (docs/scene-format.md, Parameters).
struct ParameterChange {
  double time = 0;  // s, of the state that the first step with the new value starts from
  std::string name, unit;
  double from = 0, to = 0;
};

// Verdict and figures of a whole run.
struct RunSummary {
  long steps = 0, steps_planned = 0;
  bool stopped = false;     // ended early: not finite, or asked to
  bool not_finite = false;  // ended early because its last step was not finite
  long failed_steps = 0;
  std::vector<FailedStep> failures;  // the first ten
  std::vector<ParameterChange> changes;
  Spread momentum_residual, law_residual, coulomb_residual, cone_violation, relaxation_gap, complementarity;
  Spread penetration, relative_penetration, drift;
  Spread energy_gain, momentum_drift;
  Spread programs, solver_iterations;
  long unsolved_programs = 0;  // steps whose solver said that it did not solve; the certificate judges
  double largest_contacts = 0;
  ConstraintCount constraints;         // at the start
  std::vector<StartOverlap> overlaps;  // at the start
  EnergyAccount energy;
  double end_time = 0;
  double duration = 0;          // as asked for [s]
  double end_time_planned = 0;  // the duration as a whole number of steps, the nearest [s]
  std::uint64_t state_hash = 0;
  double seconds = 0;                        // of wall-clock time
  std::vector<MotionWatch::Result> watched;  // measures over all steps, where the run had a scene
  std::vector<MotionEvent> events;           // the first ones; none where steps have no events
  bool passed() const { return failed_steps == 0 && !stopped; }
};

struct RunProgress {
  double time = 0, duration = 0;
  long step = 0, steps = 0;
  int contacts = 0;
  double law_residual = 0;
};

struct RunOptions {
  const Scene* scene = nullptr;  // its measures over all steps are taken
  double duration = 0;           // [s]
  double sample_every = 0;       // [s]; up to a step: every step, beyond that a whole number of steps (SampleStride)
  // Bodies whose positions the trajectory keeps; empty: all, or with many bodies a choice of them (StartTrajectory).
  std::vector<std::string> tracked_bodies;
  bool reads_joints = false;  // the trajectory has what drives give and joints carry, for plots
  // Called before each step: may wait, and may put another simulation in its place that goes on from the same state;
  // false ends the run.
  std::function<bool(Simulation*)> before_step;
  // Called after each sample; may write a recording. The first call is for the initial state.
  std::function<void(const Simulation&, const Trajectory&)> on_sample;
  // Called after each step with its number, from 1 on; also for the one that is not finite.
  std::function<void(const StepRecord&, long)> on_step;
  // Called now and then; false ends the run.
  std::function<bool(const RunProgress&)> on_progress;
};

struct RunResult {
  Trajectory trajectory;
  RunSummary summary;
};

// Steps the simulation through the duration, to the nearest whole number of steps. A step that fails its certificate is
// counted and told, and the run goes on; only a step that is not finite ends it.
RunResult RunSimulation(Simulation* simulation, const RunOptions& options);

}  // namespace slipstick::internal
