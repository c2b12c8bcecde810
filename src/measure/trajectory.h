#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/simulation/joint_readings.h"
#include "slipstick/simulation/simulation_parts.h"

namespace slipstick::internal {

// What drives give and joints carry through a run: of some of the gauges a curve.
struct JointCurves {
  JointGauges gauges;
  JointReadings last;                              // of all gauges, at the last sample
  std::vector<int> efforts, reactions;             // numbers of the gauges that have curves
  std::vector<std::vector<double>> effort;         // [N or N m], [curve][sample]; NaN at the initial state
  std::vector<std::vector<double>> force, torque;  // magnitudes [N], [N m], likewise
};

// What is worth plotting of a run: one entry a sample in every column. Sample 0 is the initial state, where everything
// that belongs to a step is zero.
struct Trajectory {
  std::vector<double> time;
  // energy account [J]
  std::vector<double> kinetic, potential, total, remainder;
  std::vector<double> released;  // energy that released bodies brought so far
  std::vector<double> work_applied, work_bilateral, work_bounded, work_drives, work_normal, work_friction, work_rolling;
  // contacts, of the step that ends at the sample
  std::vector<double> contacts;        // number that carry load
  std::vector<double> normal_force;    // Σ λN [N]
  std::vector<double> friction_force;  // Σ |λT| [N]
  std::vector<double> friction_ratio;  // Σ |λT| / Σ μλN, 0 without load; μ the static coefficient
  std::vector<double> slip_speed;      // largest |v_T⁺| of loaded contacts [m/s]
  std::vector<double> misalignment;    // angle between −λT and v_T⁺, mean weighted by |λT| [rad]; see kSlipping
  // certificate
  std::vector<double> momentum_residual, law_residual, coulomb_residual, cone_violation, relaxation_gap, penetration,
      drift;
  // motion of all bodies that take part
  std::vector<double> body_count;                 // those
  std::vector<double> center_height, top_height;  // of their centre of mass, and of the highest body's origin [m]
  std::vector<double> speed_rms, speed_max;       // of their origins [m/s]
  // motion of tracked bodies: position of the origin of each in the world, [body][sample]
  std::vector<std::string> bodies;
  std::vector<std::vector<Vec3>> position;
  std::vector<int> tracked;           // of each: its number in the model
  std::optional<JointCurves> joints;  // where asked for

  int size() const { return static_cast<int>(time.size()); }

  // Misalignment is told only where a contact slips faster than this [m/s]; 0 otherwise.
  static constexpr double kSlipping = 1e-3;
};

// Appends a sample of the simulation as it stands after its last step.
void AppendSample(const Simulation& simulation, Trajectory* trajectory);

// Chooses the bodies to track and appends the initial state. Tracked are those named; where none is, all (but massless
// links), or where that is more than kMostTracked, so many of them, evenly spread. Curves of joints, where
// `reads_joints`, are those of tracked bodies where some are named; of more than kMostJointCurves so many, evenly
// spread.
constexpr std::size_t kMostJointCurves = 12;  // more lines cannot be told apart
constexpr std::size_t kMostTracked = 200;
Trajectory StartTrajectory(const Simulation& simulation, const std::vector<std::string>& tracked = {},
                           bool reads_joints = false);

}  // namespace slipstick::internal
