#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

struct AcceleratedGradientSettings {
  int max_iterations = 20000;

  static const SettingTable<AcceleratedGradientSettings>& Table();
};

// Nesterov's accelerated projected gradient with the step found by backtracking and a restart wherever the momentum
// points uphill (Nesterov 1983; O'Donoghue & Candès 2015; for contacts Mazhar et al. 2015). Products with W alone, no
// factorization. Exact Coulomb: s is taken from the last iterate, as in admm.h. Meant for symmetric W.
ConeAnswer SolveByAcceleratedGradient(const ConeProgram& program, const AcceleratedGradientSettings& settings,
                                      const StopRule& stop, const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
