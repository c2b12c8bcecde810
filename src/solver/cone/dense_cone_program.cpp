#include "slipstick/solver/cone/dense_cone_program.h"

namespace slipstick::internal {

double NaturalResidual(const DenseConeProgram& program, ConstRef<VecX> r, ConstRef<VecX> u) {
  return NaturalResidual(program.blocks, program.non_associated, BlockScales(program.blocks, program.W.diagonal()), r,
                         u);
}

double NaturalResidual(const DenseConeProgram& program, ConstRef<VecX> r) {
  const VecX u = program.W * r + program.q;
  return NaturalResidual(program, r, u);
}

}  // namespace slipstick::internal
