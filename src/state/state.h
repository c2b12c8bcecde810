#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "slipstick/state/contact_memory.h"
#include "slipstick/state/event_memory.h"
#include "slipstick/state/motion_state.h"

namespace slipstick {

// Work of each kind of force in one step [J], taken with the mean velocity (v + v⁺)/2, with which the impulses' work is
// exactly the change of ½vᵀMv at fixed M (docs/theory.md (T9)). Gravity's is the change of the potential energy.
struct StepWork {
  double applied = 0;    // the given forces
  double bilateral = 0;  // constraints: prescribed motions, drift correction
  double bounded = 0;    // joint friction and stops
  double drives = 0;     // springs, servos, motors
  double normal = 0;     // contacts along their normals: impacts dissipate here
  double friction = 0;   // contacts along their tangents
  double rolling = 0;    // contacts' moments of rolling and spinning friction

  double Sum() const { return applied + bilateral + bounded + drives + normal + friction + rolling; }
  bool operator==(const StepWork&) const = default;
};

// The account of a run: energy = initial + released + Σ work + numerical remainder, the remainder being what the
// integrator gained or lost. A body counts from its release on: it brings its kinetic and potential energy with it.
struct EnergyAccount {
  double initial = 0;
  double released = 0;                // what released bodies brought, and what was set from outside, summed
  double kinetic = 0, potential = 0;  // now
  StepWork work;                      // summed
  double remainder = 0;               // (kinetic + potential) − initial − released − Σ work

  double Total() const { return kinetic + potential; }
  void Start(double kinetic_energy, double potential_energy);
  // Bodies were released, or the motion was set from outside; the energies are those with them.
  void Release(double kinetic_energy, double potential_energy);
  void Add(const StepWork& step, double kinetic_energy, double potential_energy);
  bool operator==(const EnergyAccount&) const = default;
};

// What a program feeds into a simulation between steps. Each value holds until another one is given.
struct Inputs {
  // Force and torque on a body, world axes; the force acts at a point of the body.
  struct Wrench {
    int body = 0;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    Vec3 point = Vec3::Zero();  // in the body's frame

    bool operator==(const Wrench&) const = default;
  };
  // What takes the place of the scene's for a drive; what is not a number leaves the scene's.
  struct Drive {
    static constexpr double kAsInScene = std::numeric_limits<double>::quiet_NaN();
    double position = kAsInScene, velocity = kAsInScene;  // targets
    double stiffness = kAsInScene, damping = kAsInScene;
    double effort = kAsInScene;  // limit

    bool operator==(const Drive& other) const;
  };
  // A parameter of the scene, by its number there.
  struct Parameter {
    int number = 0;
    double value = 0;

    bool operator==(const Parameter&) const = default;
  };

  VecX efforts;                       // on each velocity of the model [N or N m]; empty: none
  std::vector<Wrench> wrenches;       // added up
  std::vector<Drive> drives;          // of each drive of the scene; empty: all as in the scene
  std::vector<Parameter> parameters;  // those that were given

  bool empty() const;
  bool operator==(const Inputs& other) const;
};

// What was fed in before one step: new inputs, or a motion that was set.
struct InputChange {
  long step_count = 0;  // State::step_count then
  VecX q, v;            // empty: not set
  bool has_inputs = false;
  Inputs inputs;  // all of them

  bool operator==(const InputChange& other) const;
};
using InputLog = std::vector<InputChange>;  // in the order of the steps

// Whether a drive does what its gains ask for or as much as it can.
enum class DriveMode : signed char { kLeast = -1, kWithin = 0, kMost = 1 };

// All that the future of a simulation depends on, as one plain value: a copy saves it, an assignment restores it, and
// two simulations of one scene with equal states have equal futures to the bit. What a step keeps elsewhere is scratch.
// No random numbers are drawn while a simulation runs, so there are no streams of them here.
struct State : MotionState {
  double start_time = 0;  // times are start_time + step_count · h, not sums
  long step_count = 0;
  ContactMemory contacts;
  JointMemory joints;
  std::vector<DriveMode> drive_modes;  // of the scene's drives, in the last step
  VecX load_limits;         // that loads added to the limits of joint friction in the last step; empty before the first
  int redundant_rows = -1;  // of the constraints, counted once in the first step; −1 before
  EventMemory events;       // of stepper event-driven
  Inputs inputs;            // as given last
  EnergyAccount energy;

  bool operator==(const State& other) const;
  // Of time, q and v to the bit; where bodies were released, of their number too. The same for the same motion on every
  // machine.
  std::uint64_t MotionHash() const;
};

}  // namespace slipstick
