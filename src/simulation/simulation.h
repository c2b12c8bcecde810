#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/base/pose.h"
#include "slipstick/scene/scene.h"
#include "slipstick/state/certificate.h"
#include "slipstick/state/state.h"

namespace slipstick {

namespace internal {
struct CertificateTolerances;
struct EventLog;
struct Kinematics;
struct Method;
struct Model;
struct PositionErrors;
struct SimulationParts;
struct StepRecord;
}  // namespace internal

// A contact of the last step, with the force that it carried; world axes.
struct ContactReading {
  ContactKey key;
  int body_a = -1, body_b = -1;  // numbers of bodies, kWorldBody for what does not move
  Vec3 position = Vec3::Zero();  // [m]
  Vec3 normal = Vec3::UnitZ();   // unit, from B to A
  double gap = 0;                // at the start of the step [m]; negative: overlap
  Vec3 force = Vec3::Zero();     // on A, normal and friction together, mean over the step [N]
  Vec3 moment = Vec3::Zero();    // on A, of rolling and spinning friction [N m]
  Vec3 slip = Vec3::Zero();      // tangential velocity of A's point against B's at the end of the step [m/s]
};

// What a joint carries in a step, or a constraint that holds bodies: mean over the step, world axes.
struct JointReading {
  std::string name;            // of the joint or constraint
  std::string on;              // the body that the force acts on: the child, or the constraint's first body
  Vec3 force = Vec3::Zero();   // all that the joint does to it, drives and friction included [N]
  Vec3 torque = Vec3::Zero();  // about the origin of the joint's frame on that body [N m]
};

// What a drive, a prescribed motion or a coupling does along its coordinate.
struct EffortReading {
  std::string name, unit;  // N or N m
  double effort = 0;
};

// A scene that moves on step by step. Moving it moves everything; nothing is shared with any other simulation, so that
// several may run in several threads.
class Simulation {
 public:
  static constexpr int kWorldBody = -1;

  // Checks and prepares the scene by all rules that the command line has. InputError with every fault.
  explicit Simulation(const Scene& scene);
  // From parts that were made otherwise; for the program's own tests and experiments.
  explicit Simulation(std::unique_ptr<internal::SimulationParts> parts);
  Simulation(Simulation&& other) noexcept;
  Simulation& operator=(Simulation&& other) noexcept;
  ~Simulation();

  // One step. An answer that is not finite leaves the state where it was and says so in its certificate. The record of
  // the step is valid until the next one.
  const internal::StepRecord& Step();

  double time() const { return state().time; }
  double step() const;      // from one state to the next [s]
  double duration() const;  // of a run, as the scene says [s]
  const std::string& stepper_name() const;

  // All that the future depends on: a copy of it saves, SetState restores to the bit. InputError where the state is of
  // another scene.
  const State& state() const;
  void SetState(const State& state);
  // Goes on from the state of another simulation, whose scene has the same coordinates and shapes in the same order and
  // may differ in all else. Energy that the difference makes is counted with what released bodies bring.
  void TakeOver(const State& state);

  // Names and numbers. −1 where there is no such name.
  int FindBody(const std::string& name) const;
  int FindDrive(const std::string& name) const;
  int FindCoordinate(const std::string& name) const;  // in q, such as "hinge" or "box.x"
  int FindVelocity(const std::string& name) const;    // in v
  std::vector<std::string> BodyNames() const;
  std::vector<std::string> CoordinateNames() const;
  std::vector<std::string> VelocityNames() const;

  // Where a body is and how its origin moves; world axes.
  Pose BodyPose(int body) const;
  Vec3 BodyVelocity(int body) const;
  Vec3 BodyAngularVelocity(int body) const;

  // Feeding in, between steps or in the callback. What is given holds until it is given anew, is part of the state, and
  // has to be finite: else an InputError.
  void SetPositions(const VecX& q);
  void SetVelocities(const VecX& v);
  void SetEffort(int velocity, double effort);  // on that velocity of v [N or N m]
  // Force [N] and torque [N m] on a body; the force at a point of the body's frame.
  void SetWrench(int body, const Vec3& force, const Vec3& torque, const Vec3& point = Vec3::Zero());
  void SetDrive(int drive, const Inputs::Drive& values);
  void SetDriveTarget(int drive, double position, double velocity = Inputs::Drive::kAsInScene);
  void SetParameter(const std::string& name, double value);  // one of the scene's `parameters`, within its range
  void SetInputs(const Inputs& inputs);                      // all of them at once
  const Inputs& inputs() const { return state().inputs; }
  // Called at the start of each step, before anything is solved: the place for a controller.
  void BeforeEachStep(std::function<void(Simulation&)> callback);

  // What is fed in from here on is kept. Fed in again before the same steps of a simulation that starts from the same
  // state, it gives the same bits.
  void RecordInputs();
  const InputLog& recorded_inputs() const;
  void ReplayInputs(InputLog log);

  // Reading, of the last step.
  const Certificate& certificate() const;
  const EnergyAccount& energy() const { return state().energy; }
  std::vector<ContactReading> Contacts() const;
  // Sum of the forces on body A by body B [N], and how many contacts they have.
  Vec3 ContactForce(int body_a, int body_b, int* contacts = nullptr) const;
  std::vector<JointReading> JointReactions() const;
  std::vector<EffortReading> Efforts() const;  // of drives first

  // For the parts of slipstick on top of the core; their headers are not installed.
  const internal::Model& model() const;
  const internal::Method& method() const;
  const internal::CertificateTolerances& tolerances() const;
  const internal::Kinematics& kinematics() const;
  const internal::StepRecord& last_step() const;
  const internal::EventLog* events() const;  // null where steps have no events
  internal::PositionErrors JudgePresentPositions() const;
  std::uint64_t StateHash() const { return state().MotionHash(); }

 private:
  void StateWasSet();
  void MotionWasSet();
  void CountEnergyAnew();
  InputChange& ChangeOfThisStep();
  void RecordInputsGiven();
  void FeedReplayed();

  std::unique_ptr<internal::SimulationParts> parts_;
};

}  // namespace slipstick
