#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/base/check.h"
#include "slipstick/base/eigen.h"
#include "slipstick/base/make_room.h"
#include "slipstick/base/sparse.h"
#include "slipstick/math/block_diagonal.h"

namespace slipstick::internal {

// A tall sparse Jacobian whose rows come in groups (one contact, one constraint) that touch at most two blocks of the
// velocities each. A group is held as dense pieces in flat storage; or, where both blocks are free bodies with
// velocities (ω, v) of their origins in world axes, as a frame and two arms or a frame alone, a quarter of the numbers;
// or, where it is one velocity of block a times a factor, as that.
class BlockRows {
 public:
  using Piece = Eigen::Map<RowMatX>;
  using ConstPiece = RowMatX;

  // Unit vectors across each other; the third axis is normal × tangent.
  struct Frame {
    Vec3 normal, tangent;

    Vec3 second_tangent() const { return normal.cross(tangent); }
    Vec3 Components(const Vec3& world) const {
      return {normal.dot(world), tangent.dot(world), second_tangent().dot(world)};
    }
    Vec3 World(const Vec3& components) const {
      return components[0] * normal + components[1] * tangent + components[2] * second_tangent();
    }
  };
  // Three rows along the axes of `frame`: velocity of A's point at `arm_a` from its origin less that of B's.
  struct Rigid {
    Frame frame;
    Vec3 arm_a, arm_b;
  };
  // Three rows along the axes of `frame`: A's angular velocity less B's.
  struct Turning {
    Frame frame;
  };

  // One row: a velocity, by its number in block a, times a factor.
  struct Single {
    int index = 0;
    double factor = 1;
  };

  // Forgets all rows and keeps the storage.
  void Reset(const BlockLayout& layout);

  // Appends a group of `rows` zero rows on the blocks a and b; −1 stands for no block, and b must differ from a.
  // Returns the group's number. Pieces are valid until the next Append.
  int Append(int rows, int block_a, int block_b);
  // Three such rows that are along the axes of a frame, which is kept with them.
  int Append(const Frame& frame, int block_a, int block_b);
  int Append(const Rigid& rigid, int block_a, int block_b) {
    slipstick::internal::Append(&rigid_, rigid);
    return AppendGroup(kRigid, true, block_a, block_b, rigid_.size() - 1);
  }
  int Append(const Turning& turning, int block_a, int block_b) {
    slipstick::internal::Append(&turning_, turning);
    return AppendGroup(kTurning, true, block_a, block_b, turning_.size() - 1);
  }
  int Append(const Single& single, int block_a) {
    SLIPSTICK_CHECK(single.index >= 0 && single.index < columns(block_a), "the block has no such velocity");
    slipstick::internal::Append(&single_, single);
    return AppendGroup(kSingle, false, block_a, -1, single_.size() - 1);
  }

  // The pieces of a dense group, to be written.
  Piece piece_a(int group);
  Piece piece_b(int group);
  // The pieces of any group.
  ConstPiece piece_a(int group) const { return PieceOf(group, false); }
  ConstPiece piece_b(int group) const { return PieceOf(group, true); }
  // Null for a group that is held otherwise.
  const Rigid* rigid(int group) const { return RigidOf(groups_[group]); }
  const Turning* turning(int group) const { return TurningOf(groups_[group]); }
  const Single* single(int group) const { return SingleOf(groups_[group]); }

  // Of a group that has one.
  Frame frame(int group) const {
    const Group& g = groups_[group];
    if (g.kind == kRigid) return rigid_[g.data].frame;
    return g.kind == kTurning ? turning_[g.data].frame : DenseFrame(g);
  }

  int groups() const { return static_cast<int>(groups_.size()); }
  int rows() const { return total_rows_; }
  int rows(int group) const { return RowsOf(groups_[group]); }
  int first_row(int group) const { return groups_[group].first_row; }
  int block_a(int group) const { return groups_[group].block_a; }
  int block_b(int group) const { return groups_[group].block_b; }
  const BlockLayout& layout() const { return layout_; }

  // Of one group alone: its rows of J v; its part of Jᵀ x; and of |J|ᵀ|x|, where `out` and x are the whole vectors.
  void MultiplyGroup(int group, ConstRef<VecX> v, Ref<VecX> rows_of_group) const;
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

  // rows of groups that are held otherwise than as dense pieces
  static constexpr int kRigid = -1, kTurning = -2, kSingle = -3;

  struct Group {
    std::int16_t kind;  // number of dense rows, or kRigid, kTurning or kSingle
    bool has_frame;     // of dense rows: six numbers before their pieces
    int first_row;
    int block_a, block_b;
    int data;  // of dense pieces the first number in `values_`, A's before B's; else the place in the list of its kind
  };

  int columns(int block) const { return block < 0 ? 0 : layout_.size[block]; }
  static int RowsOf(const Group& group) { return group.kind >= 0 ? group.kind : group.kind == kSingle ? 1 : 3; }
  int AppendGroup(int kind, bool has_frame, int block_a, int block_b, std::size_t data) {
    SLIPSTICK_CHECK(block_a < 0 || block_a != block_b, "a group names the same block twice");
    SLIPSTICK_CHECK(kind >= 0 || kind == kSingle ||
                        ((block_a < 0 || columns(block_a) == 6) && (block_b < 0 || columns(block_b) == 6)),
                    "a rigid group needs free bodies");
    slipstick::internal::Append(
        &groups_, {static_cast<std::int16_t>(kind), has_frame, total_rows_, block_a, block_b, static_cast<int>(data)});
    total_rows_ += RowsOf(groups_.back());
    return groups() - 1;
  }
  Frame DenseFrame(const Group& group) const;
  const Rigid* RigidOf(const Group& group) const { return group.kind == kRigid ? &rigid_[group.data] : nullptr; }
  const Turning* TurningOf(const Group& group) const {
    return group.kind == kTurning ? &turning_[group.data] : nullptr;
  }
  const Single* SingleOf(const Group& group) const { return group.kind == kSingle ? &single_[group.data] : nullptr; }
  ConstPiece PieceOf(int group, bool second) const;
  int FirstOfB(const Group& g) const { return g.data + g.kind * columns(g.block_a); }
  ConstMap DenseA(const Group& g) const { return {values_.data() + g.data, g.kind, columns(g.block_a)}; }
  ConstMap DenseB(const Group& g) const { return {values_.data() + FirstOfB(g), g.kind, columns(g.block_b)}; }

  BlockLayout layout_;
  std::vector<Group> groups_;
  std::vector<double> values_;
  std::vector<Rigid> rigid_;
  std::vector<Turning> turning_;
  std::vector<Single> single_;
  int total_rows_ = 0;
};

// W = J A⁻¹ Kᵀ for two Jacobians on the same blocks: part of the Delassus operator. Only pairs of groups that share a
// block are visited.
void AddDelassus(const BlockDiagonal& mass, const BlockRows& j, const BlockRows& k, Ref<MatX> w);

// J A⁻¹ Jᵀ + diag(added), sparse and exactly symmetric. Every diagonal entry is stored, zeros included.
SparseMat SparseDelassus(const BlockDiagonal& mass, const BlockRows& j, ConstRef<VecX> added);

}  // namespace slipstick::internal
