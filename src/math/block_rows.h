#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/base/sparse.h"
#include "slipstick/math/block_diagonal.h"

namespace slipstick {

// A tall sparse Jacobian whose rows come in groups (one contact, one constraint) that touch at most two blocks of the
// velocities each. A group is held as dense pieces in flat storage; or, where both blocks are free bodies with
// velocities (ω, v) of their origins in world axes, as a frame and two arms, a third of the numbers.
class BlockRows {
 public:
  using Piece = Eigen::Map<RowMatX>;
  using ConstPiece = RowMatX;

  // Three rows along the columns of `frame`: velocity of A's point at `arm_a` from its origin less that of B's; or, of
  // a turning group, A's angular velocity less B's.
  struct Rigid {
    Mat3 frame;
    Vec3 arm_a, arm_b;
    bool turning = false;
  };

  // Forgets all rows and keeps the storage.
  void Reset(const BlockLayout& layout);

  // Appends a group of `rows` zero rows on the blocks a and b; −1 stands for no block, and b must differ from a.
  // Returns the group's number. Pieces are valid until the next Append.
  int Append(int rows, int block_a, int block_b);
  int Append(const Rigid& rigid, int block_a, int block_b);

  // The pieces of a dense group, to be written.
  Piece piece_a(int group);
  Piece piece_b(int group);
  // The pieces of any group.
  ConstPiece piece_a(int group) const { return PieceOf(group, false); }
  ConstPiece piece_b(int group) const { return PieceOf(group, true); }
  // Null for a dense group.
  const Rigid* rigid(int group) const { return RigidOf(groups_[group]); }

  int groups() const { return static_cast<int>(groups_.size()); }
  int rows() const { return total_rows_; }
  int rows(int group) const { return groups_[group].rows; }
  int first_row(int group) const { return groups_[group].first_row; }
  int block_a(int group) const { return groups_[group].block_a; }
  int block_b(int group) const { return groups_[group].block_b; }
  const BlockLayout& layout() const { return layout_; }

  // Of one group alone: its rows of J v; its part of Jᵀ x; and of |J|ᵀ|x|. `out` and x are the whole vectors.
  void MultiplyGroup(int group, ConstRef<VecX> v, Ref<VecX> out) const;
  void AddTransposedGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const;
  void AddTransposedSizesGroup(int group, ConstRef<VecX> x, Ref<VecX> out) const;

  // out = J v
  void Multiply(ConstRef<VecX> v, Ref<VecX> out) const;
  // out += Jᵀ x
  void AddTransposed(ConstRef<VecX> x, Ref<VecX> out) const;
  // out += |J|ᵀ|x|: how large the terms of that sum are, whatever they add up to
  void AddTransposedSizes(ConstRef<VecX> x, Ref<VecX> out) const;

 private:
  using ConstMap = Eigen::Map<const RowMatX>;

  struct Group {
    int rows, first_row;
    int block_a, block_b;
    int data_a, data_b;  // first number of the pieces in `values_`
    int rigid;           // in `rigid_`; −1 of a dense group
  };

  int columns(int block) const { return block < 0 ? 0 : layout_.size[block]; }
  Group& AppendGroup(int rows, int block_a, int block_b);
  const Rigid* RigidOf(const Group& group) const { return group.rigid < 0 ? nullptr : &rigid_[group.rigid]; }
  ConstPiece PieceOf(int group, bool second) const;
  ConstMap DenseA(const Group& g) const { return {values_.data() + g.data_a, g.rows, columns(g.block_a)}; }
  ConstMap DenseB(const Group& g) const { return {values_.data() + g.data_b, g.rows, columns(g.block_b)}; }

  BlockLayout layout_;
  std::vector<Group> groups_;
  std::vector<double> values_;
  std::vector<Rigid> rigid_;
  int total_rows_ = 0;
};

// W = J A⁻¹ Kᵀ for two Jacobians on the same blocks: part of the Delassus operator. Only pairs of groups that share a
// block are visited.
void AddDelassus(const BlockDiagonal& mass, const BlockRows& j, const BlockRows& k, Ref<MatX> w);

// J A⁻¹ Jᵀ + diag(added), sparse and exactly symmetric. Every diagonal entry is stored, zeros included.
SparseMat SparseDelassus(const BlockDiagonal& mass, const BlockRows& j, ConstRef<VecX> added);

}  // namespace slipstick
