#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "slipstick/assembly/assemble_problem.h"
#include "slipstick/collision/detect_contacts.h"
#include "slipstick/contact/certificate.h"
#include "slipstick/contact/energy_account.h"
#include "slipstick/events/event_stepper.h"
#include "slipstick/stepping/method_catalog.h"

namespace slipstick::internal {

struct TimeSteppingSettings {
  double step = 1e-3;         // h [s]
  double duration = 1;        // of a run [s]
  bool old_velocity = false;  // position update with the old v (Peiret eq 7) instead of v⁺
  double contact_margin =
      -1;  // contacts are looked for up to this gap [m]; negative: as far as bodies may come in a step
  AssemblySettings assembly;

  static std::vector<SettingSpec> Specs();
  static TimeSteppingSettings From(const Settings& settings);
};

struct StepperEntry {
  std::string name;
  std::string summary;
  std::vector<SettingSpec> settings;
};
// Every stepper, in the order in which `slipstick list` shows them.
const std::vector<StepperEntry>& StepperCatalog();

// What one step was: its problem, its answer, and the judgement of it.
struct StepRecord {
  double time = 0;  // at the end of the step
  ContactProblem problem;
  ContactSolution solution;
  SolveReport report;
  int programs = 0;
  Certificate certificate;
  StepWork work;
  std::string ended;  // why there is no further step; empty where there is
};

// A model, a method and a state that go on step by step.
class Simulation {
 public:
  Simulation(std::shared_ptr<const Model> model, Method method, const TimeSteppingSettings& settings,
             const CertificateTolerances& tolerances);
  // The same with events, docs/theory.md §11: a step is the motion from one state seen from outside to the next.
  Simulation(std::shared_ptr<const Model> model, Method method, const EventDrivenSettings& settings,
             const CertificateTolerances& tolerances);

  // One semi-implicit step, docs/theory.md (T1)–(T9). The record is valid until the next step. A step whose answer is
  // not finite leaves the state where it was and says so in its certificate.
  const StepRecord& Step();

  // Overlap and drift of the present state; those of a step's certificate are of the state it started from.
  PositionErrors JudgePresentPositions();

  const Model& model() const { return *model_; }
  const Method& method() const { return method_; }
  const TimeSteppingSettings& settings() const { return settings_; }
  const CertificateTolerances& tolerances() const { return tolerances_; }
  const State& state() const { return state_; }
  const EnergyAccount& energy() const { return energy_; }
  const Kinematics& kinematics() const { return kinematics_; }  // of the present state
  const StepRecord& last_step() const { return record_; }
  const EventStepper* events() const { return events_.get(); }  // null where steps have no events

  // Everything that the future depends on: restoring a snapshot gives the same future to the bit; with events, whose
  // integrator also looks back, to its tolerance.
  struct Snapshot {
    State state;
    double start_time = 0;
    long step_count = 0;
    ContactMemory memory;
    EnergyAccount energy;
    // where the next step begins to look for loads and for drives at their limits
    VecX load_limits;
    std::vector<DriveMode> drive_modes;
  };
  Snapshot Save() const {
    return {state_, start_time_, step_count_, memory_, energy_, load_limits_, workspace_.drive_modes};
  }
  void Restore(const Snapshot& snapshot);
  // Goes on from the snapshot of another simulation, whose model has the same coordinates and shapes in the same order
  // and may differ in all else. Energy that the difference makes is counted with what released bodies bring.
  void TakeOver(const Snapshot& snapshot);

  // Hash of time, q and v to the bit; where bodies are released, of the number of those that were, too.
  std::uint64_t StateHash() const;

 private:
  const StepRecord& StepByEvents();
  void ReleaseBodies();
  void ComputeFreeMotion();
  void SetMargins();
  double Extent() const;
  // Velocity of B's point against A's with given velocities of the bodies: along the normal it closes the gap.
  Vec3 Approach(const ContactPoint& point, const std::vector<Vec3>& angular, const std::vector<Vec3>& linear) const;
  std::pair<Vec3, Vec3> Approaches(const ContactPoint& point) const;
  void ChooseContacts(const std::vector<ContactPoint>& points);
  void GatherChosen();
  void LookFurther();
  bool TakeInClosing(const std::vector<ContactPoint>& points);
  bool TakeInStops();
  void Solve();
  void SolveOnce();
  void SolveWithLoads();
  VecX FirstLoadLimits() const;
  double LimitMismatch(const VecX& used, const VecX& found) const;
  bool SwitchDrives(const std::vector<ContactPoint>& points, int* rounds);
  void JudgeDriveEfforts();
  void Advance();

  std::shared_ptr<const Model> model_;
  Method method_;
  TimeSteppingSettings settings_;
  CertificateTolerances tolerances_;
  State state_;
  double start_time_ = 0;
  long step_count_ = 0;
  ContactMemory memory_;
  VecX load_limits_;  // that loads added in the last step, of each loaded row; empty before the first one
  EnergyAccount energy_;
  Kinematics kinematics_;
  BodyVelocities free_motion_, answered_motion_;
  ContactDetector detector_;
  // of the shapes
  std::vector<int> body_of_;
  std::vector<double> reach_;      // from their bodies' origins
  std::vector<double> reach_now_;  // the same, of planes as far as anything is that they could meet
  std::vector<double> margins_;
  // of the points found in a step: which take part in its problem
  std::vector<char> is_chosen_;
  std::vector<double> closing_;
  std::vector<double> push_;  // of the bodies: fastest of what comes at them [m/s]
  std::vector<int> chosen_;   // the same as numbers of points
  AssemblyWorkspace workspace_;
  ContactMotion after_;  // with the answer's velocity
  std::unique_ptr<EventStepper> events_;
  StepRecord record_;
};

}  // namespace slipstick::internal
