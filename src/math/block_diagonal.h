#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/rigid_mass.h"
#include "slipstick/math/tree_cholesky.h"

namespace slipstick::internal {

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

// A symmetric block-diagonal matrix: dense blocks with their Cholesky factors, and blocks of free bodies as mass and
// inertia, in flat storage that is reused from step to step.
class BlockDiagonal {
 public:
  using Block = Eigen::Map<MatX>;

  // Takes the layout and sets all entries to zero. Blocks of which `is_free` is true, of size 6, are given by SetFree,
  // and stay as they are where layout and list are those of the last Reset. Allocates only when the layout grows.
  void Reset(const BlockLayout& layout) { Reset(layout, {}); }
  void Reset(const BlockLayout& layout, const std::vector<char>& is_free);

  const BlockLayout& layout() const { return layout_; }
  // A dense block, to be written.
  Block block(int b);
  // A copy of any block, and of its diagonal.
  MatX Dense(int b) const;
  void GetDiagonal(int b, double* out) const;
  // The entries of a block that is not a free body's by SetFree.
  bool HasEntries(int b) const { return state_[b] == State::kDense || state_[b] == State::kFound; }
  Eigen::Map<const MatX> entries(int b) const { return {values_.data() + start_[b], layout_.size[b], layout_.size[b]}; }

  // Mass, centre of mass from the origin and inertia about it, of a free body with velocities (ω, v) of its origin in
  // world axes. Where they are not those of a body, the block is not given: Factorize is false, and every product and
  // solution is NaN.
  void SetFree(int b, double mass, const Vec3& com, const Mat3& inertia);
  // Whether SetFree was called for that block.
  bool IsSet(int b) const { return state_[b] == State::kGiven; }

  // Factorizes every dense block. False where a block is not positive definite (a mechanism in a singular pose such as
  // the gimbal lock of a chain of Euler angles); the matrix must not be used for solving then.
  bool Factorize();

  // Mass and inertia where the block is that of a free body, given as such or found to be so; null elsewhere.
  const RigidMass* rigid(int b) const {
    return state_[b] == State::kGiven || state_[b] == State::kFound ? &rigid_[b] : nullptr;
  }

  // out = A x, whole or for one block alone: x and out are then that block's parts
  void Multiply(ConstRef<VecX> x, Ref<VecX> out) const;
  void MultiplyBlock(int b, const double* x, double* out) const;
  // x := A⁻¹ x, whole or for one block alone: x is then that block's part, columns that follow each other in storage
  void SolveInPlace(Ref<VecX> x) const;
  void SolveBlockInPlace(int b, Ref<MatX> x) const;

 private:
  enum class State : char {
    kDense,
    kFound,     // dense, and found to be a free body's
    kNotGiven,  // a free body's, without its mass
    kGiven,
  };

  void SolveColumns(int b, double* x, int columns) const;

  BlockLayout layout_;
  std::vector<char> is_free_;
  std::vector<int> start_;  // of dense blocks
  std::vector<double> values_;
  std::vector<double> factors_;         // of dense blocks of the size of a free body's
  std::vector<TreeCholesky> of_trees_;  // of all other dense ones
  std::vector<State> state_;
  std::vector<RigidMass> rigid_;
};

}  // namespace slipstick::internal
