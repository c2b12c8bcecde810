#pragma once

#include "slipstick/program/stop_rule.h"
#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// SolveByInteriorPoint (solver/cone/interior_point.h) on a program with velocities kept. With D what its iteration adds
// to W, (W + D)⁻¹ is had from M + Jᵀ (C + D)⁻¹ J, which is sparse: docs/theory.md §5.10.
struct VelocityInteriorPointSettings {
  int max_iterations = 100;
};

ConeAnswer SolveByVelocityInteriorPoint(const VelocityProgram& program, const VelocityInteriorPointSettings& settings,
                                        const StopRule& stop);

}  // namespace slipstick::internal
