#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/solver/cone/dense_cone_program.h"
#include "slipstick/solver/cone/one_contact.h"

namespace slipstick::internal {

// Block Gauss–Seidel for a cone program without free rows: each block in turn gets the exact solution of its own little
// problem with all others held. The program must outlive the object. Sweeps allocate nothing.
class BlockSweep {
 public:
  explicit BlockSweep(const DenseConeProgram& program);

  // One pass over all blocks, forwards or backwards, with *u = W r + q kept up.
  void Sweep(bool forwards, VecX* r, VecX* u);

  // For each block what its last solution was; disks and intervals: kStick inside, kSlip on the border.
  const std::vector<ContactState>& states() const { return states_; }

 private:
  void SolveBlock(std::size_t k, VecX* r, VecX* u);

  const DenseConeProgram& program_;
  std::vector<OneContact> contacts_;   // of the cone blocks
  std::vector<int> contact_of_block_;  // index into contacts_, −1 for other blocks
  std::vector<ContactState> states_;
};

}  // namespace slipstick::internal
