#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"
#include "slipstick/solver/cone/cone_equations.h"

namespace slipstick::internal {

struct SemismoothNewtonSettings {
  int max_iterations = 100;
  ConeFormulation formulation = ConeFormulation::kAlartCurnier;
  int sweeps = 10;  // of Gauss–Seidel before the first step, to find who is open, sticks and slips

  static const SettingTable<SemismoothNewtonSettings>& Table();
};

// Semismooth Newton on the equations of the program with a backtracking line search: quadratic near a regular solution,
// without any promise far from one or where contacts are redundant (proximal_newton.h is for these).
ConeAnswer SolveBySemismoothNewton(const ConeProgram& program, const SemismoothNewtonSettings& settings,
                                   const StopRule& stop, const VecX* warm_start = nullptr);

// The settings' names of the formulations.
const SettingWords<ConeFormulation>& FormulationWords();

}  // namespace slipstick::internal
