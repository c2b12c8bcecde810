#pragma once

#include <memory>

#include "slipstick/law/friction_bounds.h"
#include "slipstick/law/step_friction.h"

namespace slipstick::internal {

struct LiangSettings {
  // Sliding faster takes the kinetic coefficient, unless a Stribeck speed is given [m/s].
  double velocity_threshold = kAutomaticThreshold;
  double stribeck_velocity = 0;  // vs: μ = μk + (μs − μk) exp(−(|v|/vs)²); 0: none [m/s]
  double bristle_damping = 0;    // force of the bristles against their rate [N s/m]
  FrictionBoundSettings bounds;

  static const SettingTable<LiangSettings>& Table();
};

// The nonlinear bristle model of Liang, Fillmore & Ma 2012, as Peiret et al. compare with (docs/theory.md §5.4):
// bristle force −kT s − c ṡ with a limit μλN on the vector's norm. Discretized as the others, s⁺ = s + h v_T⁺, it is a
// convex problem over disks.
std::unique_ptr<Law> MakeLiang(const LiangSettings& settings);

}  // namespace slipstick::internal
