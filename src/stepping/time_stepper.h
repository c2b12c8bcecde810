#pragma once

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/stepping/contact_selection.h"
#include "slipstick/stepping/method_catalog.h"
#include "slipstick/stepping/stepper.h"
#include "slipstick/stepping/time_stepping_settings.h"

namespace slipstick::internal {

// Steps of a fixed length, docs/theory.md (T1)–(T9): by the midpoint, half a step of free motion, all forces and
// impulses there, and another half; or semi-implicit, forces and impulses first.
class TimeStepper final : public Stepper {
 public:
  TimeStepper(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
              const CertificateTolerances& tolerances);

  double step() const override { return settings_.step; }
  double duration() const override { return settings_.duration; }
  void Begin(const Motion& motion) override { middle_kinematics_ = motion.kinematics; }
  void Step(Motion* motion, StepRecord* record) override;
  MotionState Judged(const State& state) const override;

 private:
  // The step in hand.
  struct Pass {
    State& state;            // memory; q and v of the start
    const MotionState& at;   // the configuration and velocities that the step's problem is posed with,
    Kinematics& kinematics;  // and what follows from them
    Kinematics& of_state;
    StepRecord& record;
  };

  bool ViolatesConstraints(const Motion& motion);
  Expectation Expected() const;
  void AssembleFree(const Pass& pass);
  void Assemble(const Pass& pass);
  void SolveChosen(const Pass& pass);
  bool CorrectExpectation(const Pass& pass);
  void Remember(const Pass& pass);
  // time_stepper_impacts.cpp
  void RestituteByImpulses(const Pass& pass);
  void LimitRestitution(const Pass& pass);
  void AddImpactWay(const ContactProblem& problem, const ContactSolution& solution);
  void ShortenImpactWay(const StepRecord& record);
  void SolveCausedImpacts(const Pass& pass);
  bool PrepareCausedImpacts(const StepRecord& record, bool is_last);
  double AnswerError(const StepRecord& record) const;
  bool TakeInClosing(const Pass& pass);
  bool TakeInTurning(const Pass& pass);
  bool TakeInStops(const Pass& pass);
  void Advance(const Pass& pass);
  // time_stepper_solve.cpp
  void Solve(const Pass& pass);
  void SolveOnce(const Pass& pass);
  void SolveWithLoads(const Pass& pass);
  VecX FirstLoadLimits(const Pass& pass) const;
  double LimitMismatch(const StepRecord& record, const VecX& used, const VecX& found) const;
  bool SwitchDrives(const Pass& pass, int* rounds);
  // So many problems of the step were left unsolved that no more are made where that can be helped.
  bool IsHopeless() const;
  void JudgeDriveEfforts(const Pass& pass) const;
  void JudgePath(const Pass& pass) const;

  std::shared_ptr<const Model> model_;
  Method method_;
  TimeSteppingSettings settings_;
  CertificateTolerances tolerances_;
  MemorySlots contact_slots_, joint_slots_;  // of the law
  bool is_isolated_ = false;                 // nothing outside acts on the bodies
  bool gives_way_ = false;                   // contacts may store energy
  double mass_ = 0;                          // of all bodies
  // scratch
  ContactSelection selection_;
  bool is_midpoint_ = true;  // the step in hand
  MotionState middle_, ahead_;
  Kinematics middle_kinematics_, ahead_kinematics_;
  VecX velocity_change_, impulse_change_;        // that the step in hand expects
  int corrections_ = 0;                          // of it
  VecX way_;                                     // that impacts within the step move bodies further; empty: none
  std::vector<double> hits_;                     // of each tree when the first of them happens, where there is a way
  std::vector<std::pair<int, double>> impacts_;  // trees and times
  ContactProblem collision_;
  BodyVelocities free_motion_, answered_motion_, moved_;
  AssemblyWorkspace workspace_;
  std::vector<char> overrun_stops_;  // two for each of Model::joint_resistances: the answer would overrun it
  std::vector<DriveMode> modes_before_;
  std::vector<std::vector<DriveMode>> modes_tried_;  // of the problem in hand
  int unsolved_ = 0;                                 // problems of the step
  VecX limits_before_;
  ContactMotion after_;      // with the answer's velocity
  double law_residual_ = 0;  // of the answer
};

}  // namespace slipstick::internal
