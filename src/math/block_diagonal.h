#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/rigid_mass.h"

namespace slipstick {

// How a long vector is cut into consecutive blocks: one block of velocities for each tree.
struct BlockLayout {
  std::vector<int> offset;  // first entry of each block
  std::vector<int> size;
  int total = 0;

  int count() const { return static_cast<int>(size.size()); }
  void Append(int block_size) {
    offset.push_back(total);
    size.push_back(block_size);
    total += block_size;
  }
};

// A symmetric block-diagonal matrix with its Cholesky factors, or the inverse that a free body's block has in closed
// form, in flat storage that is reused from step to step.
class BlockDiagonal {
 public:
  using Block = Eigen::Map<MatX>;
  using ConstBlock = Eigen::Map<const MatX>;

  // Takes the layout and sets all entries to zero; allocates only when the layout grows.
  void Reset(const BlockLayout& layout);

  const BlockLayout& layout() const { return layout_; }
  Block block(int b) { return {values_.data() + start_[b], layout_.size[b], layout_.size[b]}; }
  ConstBlock block(int b) const { return {values_.data() + start_[b], layout_.size[b], layout_.size[b]}; }

  // Factorizes every block. False where a block is not positive definite (a mechanism in a singular pose such as the
  // gimbal lock of a chain of Euler angles); the matrix must not be used for solving then.
  bool Factorize();

  // Mass and inertia where the factorized block is that of a free body; null elsewhere.
  const RigidMass* rigid(int b) const { return is_rigid_[b] ? &rigid_[b] : nullptr; }

  // out = A x
  void Multiply(ConstRef<VecX> x, Ref<VecX> out) const;
  // x := A⁻¹ x, whole or for one block alone: x is then that block's part, columns that follow each other in storage
  void SolveInPlace(Ref<VecX> x) const;
  void SolveBlockInPlace(int b, Ref<MatX> x) const;

 private:
  void SolveColumns(int b, double* x, int columns) const;

  BlockLayout layout_;
  std::vector<int> start_;
  std::vector<double> values_, factors_;
  std::vector<char> is_rigid_;
  std::vector<RigidMass> rigid_;
};

}  // namespace slipstick
