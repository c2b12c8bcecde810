#pragma once

#include "slipstick/contact/certificate.h"
#include "slipstick/events/motion_event.h"
#include "slipstick/model/kinematics.h"
#include "slipstick/program/solve_report.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// What one step was: its problem, its answer, and the judgement of it.
struct StepRecord {
  double time = 0;  // at the end of the step
  MotionState before;
  ContactProblem problem;
  ContactSolution solution;
  SolveReport report;
  int programs = 0;
  Certificate certificate;
  StepWork work;
  std::string ended;  // why there is no further step; empty where there is
};

// A state with what follows from it alone.
struct Motion {
  State state;
  Kinematics kinematics;
};

// How a state goes on to the next one. Between steps a stepper holds scratch only: all that the future depends on is in
// the state, so that any stepper of the same model, method and settings goes on from it with the same bits.
class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual double step() const = 0;      // from one state to the next [s]
  virtual double duration() const = 0;  // of a run [s]

  // The next step begins from a state that the last one did not end with.
  virtual void Begin(const Motion& motion) = 0;
  // Numbers of the model were changed since the last step.
  virtual void InputsChanged(const Motion& /*motion*/) {}
  // One step. An answer that is not finite leaves the state where it was and says so in its certificate.
  virtual void Step(Motion* motion, StepRecord* record) = 0;

  // The motion from a state on up to where the next step looks for contacts: what is judged of positions.
  virtual MotionState Judged(const State& state) const { return state; }

  // Events since Begin, for the record; null where a stepper has none.
  virtual const EventLog* events() const { return nullptr; }
};

}  // namespace slipstick::internal
