#pragma once

#include <vector>

#include "slipstick/program/velocity_program.h"

namespace slipstick::internal {

// A VelocityProgram as Newton's method wants it: the trees that rows touch alone, and rows and masses as dense pieces.
// The program must outlive it.
class VelocityForm {
 public:
  using Piece = Eigen::Map<const RowMatX>;

  // A group of rows, with the blocks of the program that it has.
  struct Group {
    int rows = 0, first_row = 0;
    int a = -1, b = -1;  // trees, numbered among those that are touched; −1: none
    int first_block = 0, block_count = 0;
    int data_a = 0, data_b = 0;   // where the pieces begin
    bool of_free_bodies = false;  // three rows on blocks of six velocities: sizes that loops need not look up
  };

  explicit VelocityForm(const VelocityProgram& program);

  const BlockLayout& layout() const { return layout_; }  // of the trees that are touched
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<ConeBlock>& blocks() const { return program_.blocks; }
  Piece PieceA(const Group& group) const { return PieceOf(group, group.a, group.data_a); }
  Piece PieceB(const Group& group) const { return PieceOf(group, group.b, group.data_b); }
  const std::vector<MatX>& masses() const { return masses_; }
  const VecX& scales() const { return scales_; }  // BlockScales of the program
  // What velocities are compared with: those of q, and those that the least impulses within bounds bring in.
  double velocity_scale() const { return velocity_scale_; }

  // out = J x;  out += Jᵀ r;  out = M x;  x := M⁻¹ x
  void Multiply(const VecX& x, VecX* out) const;
  void AddTransposed(const VecX& impulses, VecX* out) const;
  void MultiplyMass(const VecX& x, VecX* out) const;
  void SolveMass(VecX* x) const;
  void SolveMassBlock(int tree, Ref<MatX> columns) const { program_.mass->SolveBlockInPlace(blocks_[tree], columns); }
  // out = M⁻¹ Jᵀ r: the change of velocities that impulses make
  void ChangeFrom(const VecX& impulses, VecX* out) const;

  // The velocities of one tree; of one with six; and the pieces of a group of free bodies.
  template <typename Vector>
  auto Part(Vector& x, int tree) const {
    return x.segment(layout_.offset[tree], layout_.size[tree]);
  }
  template <typename Vector>
  auto FreePart(Vector& x, int tree) const {
    return x.template segment<6>(layout_.offset[tree]);
  }
  using FreePiece = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;
  FreePiece FreePieceA(const Group& group) const { return FreePiece(values_.data() + group.data_a); }
  FreePiece FreePieceB(const Group& group) const { return FreePiece(values_.data() + group.data_b); }

 private:
  Piece PieceOf(const Group& group, int tree, int start) const {
    return {values_.data() + start, group.rows, tree < 0 ? 0 : layout_.size[tree]};
  }
  int NumberOf(int block, std::vector<int>* numbers);
  int Copy(const BlockRows::ConstPiece& piece);
  void SetScales();

  const VelocityProgram& program_;
  BlockLayout layout_;
  std::vector<int> blocks_;  // of the program's layout, for each tree here
  std::vector<Group> groups_;
  std::vector<double> values_;
  std::vector<MatX> masses_;
  VecX scales_;
  double velocity_scale_ = 0;
};

}  // namespace slipstick::internal
