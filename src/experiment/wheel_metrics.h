#pragma once

#include "slipstick/measure/trajectory.h"

namespace slipstick::internal {

// How far a run of the wheel is from the reference, as Peiret et al. 2016 measure it (docs/results.md): at equal times,
// over all samples that both have but the first.
struct WheelMetrics {
  double force_deviation = 0;          // RMS of f − f_ref, f = |λT| / (μ λN)
  double sliding_force_deviation = 0;  // the same for t ≤ 2 s, when all laws slide or nearly so
  double misalignment = 0;             // RMS of the angle between −λT and v_T where |v_T| > 1e-3 m/s [rad]
  double position_error_max = 0;  // max |Δr| / horizontal distance of the reference from its start, from 0.05 s on
  double energy_error_max = 0;    // max |E − E_ref| [J]
  double slip_end = 0;            // first time after which the contact stays slower than 1e-3 m/s [s]
};

// Error curves of figure 5, one value for each time at which both have a sample, 0 left out.
struct WheelCurves {
  std::vector<double> time, force, reference_force, position_error, energy_error, misalignment, slip_speed;
};

// What is wrong where not all of the run could be compared, because the reference ended before it, in words; else
// empty.
std::string Shortfall(const std::string& label, const Trajectory& run, const WheelCurves& curves);

double SlipEnd(const Trajectory& run);
WheelCurves CompareWheel(const Trajectory& run, const Trajectory& reference);
WheelMetrics MeasureWheel(const Trajectory& run, const WheelCurves& curves);
WheelMetrics MeasureWheel(const Trajectory& run, const Trajectory& reference);

}  // namespace slipstick::internal
