#pragma once

#include "slipstick/assembly/joint_drives.h"
#include "slipstick/base/setting_table.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/constraints.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/kinematics.h"
#include "slipstick/state/state.h"

namespace slipstick::internal {

// How gaps, penetrations and drift enter the velocity-level rows, docs/theory.md (T3), (T4).
struct AssemblySettings {
  // Gap up to which a contact counts as closed; beyond it bodies may come nearer freely. Negative: what a free step
  // closes, |g| h² or more where other forces press.
  double contact_skin = -1;
  double gap_correction = 0.2;  // share of a closed contact's gap or overlap that a step takes away; 0: N v⁺ ≥ 0
  // and the speed at which overlapping bodies part at most [m/s]. Negative: that of a fall by the shapes' size.
  double correction_speed = -1;
  double drift_correction = 0.2;  // share of the constraints' drift that a step takes away
  // Approach below which nothing bounces [m/s]. Negative: twice what the forces of a step give.
  double restitution_speed = -1;

  static const SettingTable<AssemblySettings>& Table();
};

// What a step expects of itself before it is solved, (T2c).
struct Expectation {
  bool at_end = false;  // forces that depend on the motion are those of the step's end, Coriolis' those of its start
  bool lone_bodies = false;  // Coriolis forces of lone bodies too, which else turn freely as positions move on
  const VecX* velocity_change = nullptr;  // v⁺ − v, and of that what impulses do; null or empty: zero
  const VecX* impulse_change = nullptr;
};

// What the rows of a problem go by besides the configuration.
struct RowSources {
  const std::vector<ContactPoint>& points;
  const std::vector<int>& chosen;   // numbers of those that take part, ascending
  const std::vector<double>& lost;  // of the points: what turning takes off their gaps [m]; empty: nothing
  // what contacts and joints remember, and what the law keeps of them: memory of another law is not read
  const ContactMemory& contacts;
  const JointMemory& joints;
  const MemorySlots &contact_slots, &joint_slots;
  const std::vector<char>& overrun_stops;  // two for each of Model::joint_resistances: must have a row; empty: none
  int* redundant_rows;                     // of the constraints; counted here where −1
  Expectation expectation;
};

// Scratch of one model, and which rows the problem made last has.
struct AssemblyWorkspace {
  // What contacts ask of their shapes, together, as they ask for shapes from anywhere.
  struct Shape {
    int body = kWorld, tree = -1;
    bool is_free = false;  // moves freely, or not at all
    int material = 0;
    double half_extent = 0;
  };

  explicit AssemblyWorkspace(const Model& model);

  std::vector<Shape> shapes;
  DynamicsWorkspace dynamics;
  ConstraintRows constraints, sliding;
  std::vector<BoundedRow> bounded_rows;  // of the problem's bounded rows
  std::vector<int> loaded_rows;          // those of them whose limit depends on the load
  std::vector<std::pair<int, int>>
      sliding_rows;                             // those of friction in joints that slide, and the sign of their impulse
  std::vector<char> stops_with_rows;            // two for each of Model::joint_resistances
  std::vector<double> targets, lowers, uppers;  // of bounded rows, while they are listed
  VecX diagonal;                                // of a tree's mass matrix
  VecX bias, gravity, applied;
  VecX force;           // all of them but the bias
  MotionState between;  // the configuration with the velocities of the middle of the step, or ahead of it
  Kinematics ahead;
};

// The physical problem of one step is written in two parts, reusing the problem's storage. First the free motion,
// v_free = v + h M⁻¹ (f − c), (T2), which tells how far contacts must be looked for. The kinematics are those of the
// state and leave with the velocities of linked bodies that Coriolis forces were taken with;
void AssembleFreeMotion(const Model& model, const MotionState& state, double h, const Expectation& expectation,
                        const std::vector<DriveMode>& drive_modes, AssemblyWorkspace* workspace, Kinematics* kinematics,
                        ContactProblem* problem);
// then the rows of constraints, joint friction and the chosen ones of the contact points, (T3), (T4).
void AssembleRows(const Model& model, const MotionState& state, const Kinematics& kinematics, const RowSources& sources,
                  double h, const AssemblySettings& settings, AssemblyWorkspace* workspace, ContactProblem* problem);

// What constraints and bounded rows have in the problem's velocity_scale, and the rounding of its velocities.
double ScaleOutsideContacts(const ContactProblem& problem);
// Of these: friction, without what loads add to its limit, and stops of joints, friction in constraints, motors, (T4c)
// to (T4e).
void AssembleBounded(const Model& model, const MotionState& state, const Kinematics& kinematics,
                     const RowSources& sources, double h, const AssemblySettings& settings,
                     AssemblyWorkspace* workspace, ContactProblem* problem);

}  // namespace slipstick::internal
