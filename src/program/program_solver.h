#pragma once

#include <functional>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/program/cone_program.h"

namespace slipstick {

// How a law gets its programs solved without knowing by whom. Either function may be empty: the pair of law and solver
// then does not exist (stepping/method_catalog).
struct ProgramSolver {
  std::function<MlcpAnswer(const BoundedMlcp&, const VecX* warm_start)> mlcp;
  std::function<ConeAnswer(const ConeProgram&, const VecX* warm_start)> cone;
};

}  // namespace slipstick
