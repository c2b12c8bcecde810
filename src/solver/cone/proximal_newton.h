#pragma once

#include <string>
#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"
#include "slipstick/solver/cone/cone_equations.h"

namespace slipstick::internal {

struct ProximalNewtonSettings {
  int max_iterations = 200;  // Newton steps, all subproblems together
  double shift = 1e-2;       // ε of the first subproblem, in units of the contacts' own inverse masses
  double least_shift = 1e-9;
  ConeFormulation formulation = ConeFormulation::kAlartCurnier;

  static const SettingTable<ProximalNewtonSettings>& Table();
};

// The proximal point method: each subproblem has W + ε in place of W and q − ε r_k in place of q, with r_k the answer
// of the one before. It is regular whatever the rank of W, so that Newton's method (newton_system.h) can solve it, and
// its answers converge to a solution of the program itself, the faster the smaller ε. ε falls where Newton finds the
// way and rises where it does not.
ConeAnswer SolveByProximalNewton(const ConeProgram& program, const ProximalNewtonSettings& settings,
                                 const StopRule& stop, const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
