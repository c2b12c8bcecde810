#pragma once

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/stepping/contact_selection.h"
#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper.h"
#include "slipstick/stepping/time_stepping_settings.h"

namespace slipstick::internal {

// Semi-implicit steps of a fixed length, docs/theory.md (T1)–(T9).
class TimeStepper final : public Stepper {
 public:
  TimeStepper(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
              const CertificateTolerances& tolerances);

  double step() const override { return settings_.step; }
  double duration() const override { return settings_.duration; }
  void Begin(const Motion& /*motion*/) override {}
  void Step(Motion* motion, StepRecord* record) override;

 private:
  // The step in hand.
  struct Pass {
    State& state;
    Kinematics& kinematics;
    StepRecord& record;
  };

  void Assemble(const Pass& pass);
  double AnswerError(const StepRecord& record) const;
  bool TakeInClosing(const Pass& pass);
  bool TakeInStops(const Pass& pass);
  void Advance(const Pass& pass);
  // time_stepper_solve.cpp
  void Solve(const Pass& pass);
  void SolveOnce(const Pass& pass);
  void SolveWithLoads(const Pass& pass);
  VecX FirstLoadLimits(const Pass& pass) const;
  double LimitMismatch(const StepRecord& record, const VecX& used, const VecX& found) const;
  bool SwitchDrives(const Pass& pass, int* rounds);
  void JudgeDriveEfforts(const Pass& pass) const;

  std::shared_ptr<const Model> model_;
  Method method_;
  TimeSteppingSettings settings_;
  CertificateTolerances tolerances_;
  MemorySlots contact_slots_, joint_slots_;  // of the law
  // scratch
  ContactSelection selection_;
  BodyVelocities free_motion_, answered_motion_;
  AssemblyWorkspace workspace_;
  std::vector<char> overrun_stops_;  // two for each of Model::joint_resistances: the answer would overrun it
  std::vector<DriveMode> modes_before_;
  VecX limits_before_;
  ContactMotion after_;      // with the answer's velocity
  double law_residual_ = 0;  // of the answer
};

}  // namespace slipstick::internal
