#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

struct InteriorPointSettings {
  int max_iterations = 200;

  static const SettingTable<InteriorPointSettings>& Table();
};

// Primal-dual interior point method with Nesterov–Todd scaling and Mehrotra's corrector. The program as
//   W x + q + s = Σ Gᵀ z,   y = G x + h,   y, z in self-dual cones,   y ∘ z = 0,
// has one second-order cone (c_k x_N, x_k) for each part of a contact's cone, (R, x) for a disk, and a half-line for
// each finite end of an interval; free rows have none. One factorization of W + Gᵀ V⁻² G an iteration, whatever the
// rank of W. Convex relaxation: s = 0, a few dozen iterations, and the answer lies in the middle of the solution set.
//
// Exact Coulomb: s_N = Σ c_k |z_k|, since z_k = u_k, and the Newton step takes its derivative along, which makes the
// matrix non-symmetric (Cholesky becomes LU). There is no proof for that, as the problem is not monotone; where the
// border stops a step early, the derivative is taken in part or not at all for a while, which is a step of the convex
// problem with s held (Cadoux's fixed point), and the next step goes to the middle of the cones.
//
// The start is cold: only the impulses of the warm start are used, moved into the cones.
ConeAnswer SolveByInteriorPoint(const ConeProgram& program, const InteriorPointSettings& settings, const StopRule& stop,
                                const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
