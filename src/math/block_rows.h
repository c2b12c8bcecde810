#pragma once

#include <vector>

#include "slipstick/base/eigen.h"
#include "slipstick/math/block_diagonal.h"

namespace slipstick {

// A tall sparse Jacobian whose rows come in groups (one contact, one constraint) that touch at most two blocks of the
// velocities each: dense pieces in flat storage, streamed through in order.
class BlockRows {
 public:
  using Piece = Eigen::Map<RowMatX>;
  using ConstPiece = Eigen::Map<const RowMatX>;

  // Forgets all rows and keeps the storage.
  void Reset(const BlockLayout& layout);

  // Appends a group of `rows` zero rows on the blocks a and b; −1 stands for no block, and b must differ from a.
  // Returns the group's number. Pieces are valid until the next Append.
  int Append(int rows, int block_a, int block_b);
  Piece piece_a(int group) { return {values_.data() + data_a_[group], rows_[group], columns(block_a_[group])}; }
  Piece piece_b(int group) { return {values_.data() + data_b_[group], rows_[group], columns(block_b_[group])}; }
  ConstPiece piece_a(int group) const {
    return {values_.data() + data_a_[group], rows_[group], columns(block_a_[group])};
  }
  ConstPiece piece_b(int group) const {
    return {values_.data() + data_b_[group], rows_[group], columns(block_b_[group])};
  }

  int groups() const { return static_cast<int>(rows_.size()); }
  int rows() const { return total_rows_; }
  int rows(int group) const { return rows_[group]; }
  int first_row(int group) const { return first_row_[group]; }
  int block_a(int group) const { return block_a_[group]; }
  int block_b(int group) const { return block_b_[group]; }
  const BlockLayout& layout() const { return layout_; }

  // out = J v
  void Multiply(ConstRef<VecX> v, Ref<VecX> out) const;
  // out += Jᵀ x
  void AddTransposed(ConstRef<VecX> x, Ref<VecX> out) const;

 private:
  int columns(int block) const { return block < 0 ? 0 : layout_.size[block]; }

  BlockLayout layout_;
  std::vector<int> rows_, first_row_, block_a_, block_b_, data_a_, data_b_;
  std::vector<double> values_;
  int total_rows_ = 0;
};

// W = J A⁻¹ Kᵀ for two Jacobians on the same blocks: part of the Delassus operator. Only pairs of groups that share a
// block are visited.
void AddDelassus(const BlockDiagonal& mass, const BlockRows& j, const BlockRows& k, Ref<MatX> w);

}  // namespace slipstick
