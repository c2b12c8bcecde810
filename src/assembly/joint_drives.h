#pragma once

#include <vector>

#include "slipstick/assembly/bounded_rows.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/model.h"
#include "slipstick/state/state.h"

// Springs, dampers and servos of joints as implicit forces, docs/theory.md (T4e). Motors are bounded rows.

namespace slipstick::internal {

// The tree that a velocity belongs to.
int TreeOfVelocity(const BlockLayout& trees, int v_index);

// What a drive aims at in a step of length h from a time on.
DriveAim AimOf(const JointDrive& drive, double time, double h, double share);

// A step from a state on as a drive sees it.
struct DriveStep {
  const MotionState& state;
  double h = 0;
  const DriveAim& aim;
};
// k (position − q) + d (rate − v) at the times and velocities that the step looks at: what the gains ask for where the
// joint ends the step with velocity v.
double WantedEffort(const JointDrive& drive, const DriveStep& step, double v);
// The same within the limit, by the mode.
double DriveEffort(const JointDrive& drive, DriveMode mode, const DriveStep& step, double v);

// Adds the gains h (d + h k) of drives within their limits to the matrix, and all efforts that go with the velocities
// of the state to the forces. `aims` are found here; their shares are all 1 where the end of the step is asked for.
void AddDrives(const Model& model, const MotionState& state, const std::vector<DriveMode>& modes, double h, bool at_end,
               std::vector<DriveAim>* aims, BlockDiagonal* mass, VecX* force);

// How the drives of an answer agree with their modes.
struct DriveJudgement {
  int changes = 0;      // drives that must change their modes
  double residual = 0;  // largest velocity that the difference in effort makes [m/s or rad/s]
  int worst = -1;       // the drive that has it
};
// Changes the modes that do not fit the answer's velocities; only the first one where `one_by_one`.
DriveJudgement JudgeDrives(const Model& model, const MotionState& state, const ContactProblem& problem,
                           const ContactSolution& solution, bool one_by_one, std::vector<DriveMode>* modes);

// Work of springs, servos and motors in a step, with the mean velocity as in the energy account (T9); and of that the
// motors' part, whose rows are among the bounded ones.
struct DriveWork {
  double all = 0, motors = 0;
};
DriveWork ComputeDriveWork(const Model& model, const MotionState& before, const ContactProblem& problem,
                           const ContactSolution& solution, const std::vector<DriveMode>& modes,
                           const std::vector<BoundedRow>& rows);

}  // namespace slipstick::internal
