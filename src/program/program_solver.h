#pragma once

#include <functional>
#include <memory>

#include "slipstick/program/bounded_mlcp.h"
#include "slipstick/program/compact_program.h"
#include "slipstick/program/cone_program.h"
#include "slipstick/program/dissipation_program.h"
#include "slipstick/program/factored_box.h"

namespace slipstick::internal {

// A compact program with its impulses, kept from step to step for their storage.
struct CompactWorkspace {
  CompactProgram program;
  CompactImpulses impulses;
};

// How a law gets its programs solved without knowing by whom. Functions may be empty: without the one for its kind of
// program the pair of law and solver does not exist (stepping/method_catalog), without compact every problem gets its
// rows.
struct ProgramSolver {
  std::function<MlcpAnswer(const BoundedMlcp&, const VecX* warm_start)> mlcp;
  std::function<ConeAnswer(const ConeProgram&, const VecX* warm_start)> cone;
  // From the workspace's impulses to the answer's; `scale` is the velocity that residuals compare with [m/s].
  std::function<SolveReport(CompactWorkspace*, double scale)> compact;
  std::shared_ptr<CompactWorkspace> workspace = {};
  // A box program (symmetric A, or a factor of it) and the cones' program after it: the phases of law max-dissipation.
  std::function<MlcpAnswer(const BoundedMlcp&, const VecX* warm_start)> box = {};
  std::function<MlcpAnswer(const FactoredBox&, const VecX* warm_start)> factored_box = {};
  std::function<DissipationAnswer(const DissipationProgram&, const VecX* warm_start)> dissipation = {};
};

}  // namespace slipstick::internal
