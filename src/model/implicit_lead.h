#pragma once

#include <algorithm>
#include <cmath>

namespace slipstick::internal {

// Where in a step springs and dampers are looked at, docs/theory.md (T4e): at q + h (position_after v⁺ −
// position_before v), at the velocity velocity_after v⁺ + velocity_before v, and at the time t + time h. With share 0
// these are the means over the step, of second order and without numerical damping; with share 1 the end of it, which
// damps what is too fast for the step.
struct ImplicitLead {
  double position_after = 1, position_before = 0;
  double velocity_after = 1, velocity_before = 0;
  double time = 1;

  static ImplicitLead Of(double share) {
    return {0.25 + 0.75 * share, 0.25 * (1 - share), 0.5 + 0.5 * share, 0.5 * (1 - share), share};
  }
  // h (d + h k) as far as it acts on v⁺: what the mass grows by.
  double Gain(double stiffness, double damping, double h) const {
    return h * (velocity_after * damping + h * position_after * stiffness);
  }
};

// The share for a spring and damper on a mass: 0 where a step resolves its motion, 1 where it is too fast for it.
inline double StiffShare(double stiffness, double damping, double mass, double h) {
  constexpr double kResolved = 0.5, kUnresolved = 2;  // turns of the phase in a step [rad]
  if (!(mass > 0)) return 1;
  const double phase = h * std::max(std::sqrt(stiffness / mass), damping / mass);
  return std::clamp((phase - kResolved) / (kUnresolved - kResolved), 0.0, 1.0);
}

}  // namespace slipstick::internal
