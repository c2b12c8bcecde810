#pragma once

#include <vector>

#include "slipstick/base/setting_table.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/stop_rule.h"

namespace slipstick::internal {

struct ExtragradientSettings {
  int max_iterations = 20000;

  static const SettingTable<ExtragradientSettings>& Table();
};

// Korpelevich's extragradient with a step that adapts itself (Khobotov 1987), on the variational inequality of the
// program as it stands: F(r) = W r + q + s(r), symmetric or not, associated or not. Two products with W an iteration.
ConeAnswer SolveByExtragradient(const ConeProgram& program, const ExtragradientSettings& settings, const StopRule& stop,
                                const VecX* warm_start = nullptr);

}  // namespace slipstick::internal
