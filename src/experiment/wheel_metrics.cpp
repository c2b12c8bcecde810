#include "slipstick/experiment/wheel_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/run/sampling.h"

namespace slipstick::internal {
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
  const Vec3 start = reference.position[0][0];
  for (const auto& [k, r] : MatchTimes(run.time, reference.time)) {
    if (k == 0) continue;  // nothing has happened yet
    curves.time.push_back(run.time[k]);
    curves.force.push_back(run.friction_ratio[k]);
    curves.reference_force.push_back(reference.friction_ratio[r]);
    curves.energy_error.push_back(run.total[k] - reference.total[r]);
    curves.misalignment.push_back(run.misalignment[k]);
    curves.slip_speed.push_back(run.slip_speed[k]);
    const double distance = (reference.position[0][r] - start).head<2>().norm();
    const double error = (run.position[0][k] - reference.position[0][r]).norm();
    curves.position_error.push_back(run.time[k] < kFirstPositionTime ? 0.0 : error / distance);
  }
  return curves;
}

std::string Shortfall(const std::string& label, const Trajectory& run, const WheelCurves& curves) {
  const int compared = static_cast<int>(curves.time.size()), all = run.size() - 1;
  if (compared == all) return "";
  return fmt::format("{}: compared at {} of its {} samples only, because the reference has no others", label, compared,
                     all);
}

WheelMetrics MeasureWheel(const Trajectory& run, const Trajectory& reference) {
  return MeasureWheel(run, CompareWheel(run, reference));
}

WheelMetrics MeasureWheel(const Trajectory& run, const WheelCurves& curves) {
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
    if (curves.slip_speed[k] > Trajectory::kSlipping) {
      angle += curves.misalignment[k] * curves.misalignment[k];
      ++angle_count;
    }
    metrics.position_error_max = std::max(metrics.position_error_max, curves.position_error[k]);
    metrics.energy_error_max = std::max(metrics.energy_error_max, std::abs(curves.energy_error[k]));
  }
  const auto root = [](double sum, long count) {
    return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0.0;
  };
  metrics.force_deviation = root(all, all_count);
  metrics.sliding_force_deviation = root(sliding, sliding_count);
  metrics.misalignment = root(angle, angle_count);
  return metrics;
}

}  // namespace slipstick::internal
