#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

struct GaussSeidelSettings {
  int max_iterations = 10000;  // sweeps
  double relaxation = 1.0;     // ω in r := P((1 − ω) r + ω r_exact), in (0, 2)
  double stall_factor = 0.8;   // given up where 50 sweeps leave more than this of the error; 1: never

  static const SettingTable<GaussSeidelSettings>& Table();
};

// Projected block Gauss–Seidel: contact by contact, the exact solution of its own problem with all others held
// (block_solutions.h), sweeps forwards and backwards in turn. Needs no symmetry and no rank; the first digits come
// fast, the last ones slowly where a force has a long way to travel (tall stacks, large ratios of mass).
ConeAnswer SolveByGaussSeidel(const ConeProgram& program, const GaussSeidelSettings& settings, const StopRule& stop,
                              const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
