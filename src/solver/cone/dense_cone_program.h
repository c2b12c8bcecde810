#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/program/cone_program.h"

namespace slipstick::internal {

// A cone program with a full W, as the exact solver for small ones works on it: cones have sliding rows alone.
struct DenseConeProgram {
  MatX W;
  VecX q;
  std::vector<ConeBlock> blocks;
  bool non_associated = true;

  int size() const { return static_cast<int>(q.size()); }
};

double NaturalResidual(const DenseConeProgram& program, ConstRef<VecX> r, ConstRef<VecX> u);
double NaturalResidual(const DenseConeProgram& program, ConstRef<VecX> r);

}  // namespace slipstick::internal
