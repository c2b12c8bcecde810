#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

ConeProgram EliminateVelocities(const VelocityProgram& program) {
  return {SparseDelassus(*program.mass, program.rows, program.compliance), program.q, program.blocks,
          program.non_associated};
}

}  // namespace slipstick::internal
