#include "slipstick/experiment/wheel_metrics.h"

#include <algorithm>
#include <cmath>

#include "slipstick/base/check.h"

namespace slipstick {
namespace {

constexpr double kFirstPositionTime = 0.05;  // before that the distance run is too short to divide by

constexpr double kSlidingPhase = 2.0 + 1e-9;  // the paper's words: it slides for the first two seconds

}  // namespace

double SlipEnd(const Trajectory& run) {
  for (int k = run.size() - 1; k > 0; --k) {
    if (run.slip_speed[k] > Trajectory::kSlipping) return run.time[std::min(k + 1, run.size() - 1)];
  }
  return 0;
}

WheelCurves CompareWheel(const Trajectory& run, const Trajectory& reference) {
  WheelCurves curves;
  int r = 1;
  const Vec3 start = reference.position[0][0];
  for (int k = 1; k < run.size(); ++k) {
    // the sample of the reference at the same time
    const double tolerance = 1e-9 * (1.0 + run.time[k]);
    while (r < reference.size() && reference.time[r] < run.time[k] - tolerance) ++r;
    SLIPSTICK_CHECK(r < reference.size() && std::abs(reference.time[r] - run.time[k]) <= tolerance,
                    "the reference has no sample at this time");
    curves.time.push_back(run.time[k]);
    curves.force.push_back(run.friction_ratio[k]);
    curves.reference_force.push_back(reference.friction_ratio[r]);
    curves.energy_error.push_back(run.total[k] - reference.total[r]);
    curves.misalignment.push_back(run.misalignment[k]);
    const double distance = (reference.position[0][r] - start).head<2>().norm();
    const double error = (run.position[0][k] - reference.position[0][r]).norm();
    curves.position_error.push_back(run.time[k] < kFirstPositionTime ? 0.0 : error / distance);
  }
  return curves;
}

WheelMetrics MeasureWheel(const Trajectory& run, const Trajectory& reference) {
  const WheelCurves curves = CompareWheel(run, reference);
  WheelMetrics metrics;
  metrics.slip_end = SlipEnd(run);
  double all = 0, sliding = 0, angle = 0;
  long all_count = 0, sliding_count = 0, angle_count = 0;
  for (std::size_t k = 0; k < curves.time.size(); ++k) {
    const double d = curves.force[k] - curves.reference_force[k];
    all += d * d;
    ++all_count;
    if (curves.time[k] <= kSlidingPhase) {
      sliding += d * d;
      ++sliding_count;
    }
    if (run.slip_speed[k + 1] > Trajectory::kSlipping) {
      angle += curves.misalignment[k] * curves.misalignment[k];
      ++angle_count;
    }
    metrics.position_error_max = std::max(metrics.position_error_max, curves.position_error[k]);
    metrics.energy_error_max = std::max(metrics.energy_error_max, std::abs(curves.energy_error[k]));
  }
  const auto root = [](double sum, long count) { return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0.0; };
  metrics.force_deviation = root(all, all_count);
  metrics.sliding_force_deviation = root(sliding, sliding_count);
  metrics.misalignment = root(angle, angle_count);
  return metrics;
}

}  // namespace slipstick
